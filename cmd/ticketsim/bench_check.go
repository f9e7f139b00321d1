package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"ticketing/checker/blackbox"
	"ticketing/cmd/ticketsim/pairs"
	"ticketing/model"
	"ticketing/model/generate"
)

// longOps is how long a history is that check must manage.
const longOps = 1_000_000

// check measures what it takes to judge a long history, a legal and an illegal one: from its file by a process of its own, and
// in memory.
func (b *bench) check() error {
	dir, err := os.MkdirTemp("", "ticketsim-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, c := range []struct {
		name, illegal string
		want          exit
		result        blackbox.Result
	}{
		{"legal", "", exitOK, blackbox.Legal},
		{"illegal", generate.DoubleRelease, exitViolation, blackbox.Illegal},
	} {
		o := lossy(longOps)
		o.Illegal = c.illegal
		file := filepath.Join(dir, c.name)
		if err := writeGenerated(file, o); err != nil {
			return err
		}
		if err := b.checkFile(c.name, file, c.want); err != nil {
			return err
		}
		if err := b.checkMemory(c.name, file, c.result); err != nil {
			return err
		}
	}
	return nil
}

func writeGenerated(file string, o generate.Options) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(generate.Write(f, model.Text, o), f.Close())
}

// someRounds is how often what takes seconds is measured.
func (b *bench) someRounds() int { return (b.pairs + 2) / 3 }

// checkFile has processes judge a file.
func (b *bench) checkFile(name, file string, want exit) error {
	var seconds, megabytes []float64
	for range b.someRounds() {
		p, err := b.child(want, nil, "check", file)
		if err != nil {
			return err
		}
		seconds = append(seconds, (p.UserTime() + p.SystemTime()).Seconds())
		if bytes, ok := pairs.ResidentMax(p); ok {
			megabytes = append(megabytes, bytes/1e6)
		}
	}
	b.tell(fmt.Sprintf("processor time, %s operations, %s, from the file", grouped(longOps), name), pairs.Median(seconds), "s", atMost(5))
	if len(megabytes) > 0 {
		b.tell(fmt.Sprintf("memory at most, %s operations, %s, from the file", grouped(longOps), name), pairs.Median(megabytes), "MB", atMost(512))
	}
	return nil
}

// child runs this tool with other arguments, and returns once it has ended with this status.
func (b *bench) child(want exit, env []string, args ...string) (*os.ProcessState, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := exec.Command(self, args...)
	p.Env = append(os.Environ(), env...)
	out, err := p.CombinedOutput()
	if p.ProcessState == nil {
		return nil, err
	}
	if got := p.ProcessState.ExitCode(); got != int(want) {
		return nil, fmt.Errorf("ticketsim %s has status %d, not %d: %.200s", args[0], got, want, out)
	}
	return p.ProcessState, nil
}

// checkMemory judges the history of a file once it is read.
func (b *bench) checkMemory(name, file string, want blackbox.Result) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	h, err := model.Read(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	var seconds []float64
	for range b.someRounds() {
		took, err := pairs.Clock(func() (float64, error) {
			if v := blackbox.NewJudge().Check(h); v.Result != want {
				return 0, fmt.Errorf("a history that is %v is found %v", want, v.Result)
			}
			return float64(len(h.Ops)), nil
		})
		if err != nil {
			return err
		}
		seconds = append(seconds, took.Processor.Seconds())
	}
	runtime.KeepAlive(h)
	b.tell(fmt.Sprintf("processor time, %s operations, %s, in memory", grouped(longOps), name), pairs.Median(seconds), "s", atMost(2))
	if want == blackbox.Legal {
		b.tell("of them indeterminate", 100*unknown(h), "%")
	}
	return nil
}

// growthSizes are the lengths of the histories whose times are compared: each about three times the one before.
var growthSizes = []int{1_000, 3_000, 10_000, 30_000, 100_000, 300_000, longOps}

// growth measures how the time of the judges grows with the length of a history.
func (b *bench) growth() error {
	defer pairs.OnCores(1)()
	var x []float64
	var sides []pairs.Side
	judge := blackbox.NewJudge()
	for _, ops := range growthSizes {
		h, err := history(lossy(ops))
		if err != nil {
			return err
		}
		x = append(x, float64(len(h.Ops)))
		sides = append(sides, func() (float64, error) { return judgeAgain(judge, h, 20*time.Millisecond) })
	}
	rounds, err := pairs.Interleave(b.someRounds(), sides...)
	if err != nil {
		return err
	}
	b.tell("operations judged of 1,000", rounds.Rate(0), "/s/core")
	b.tell("operations judged of "+grouped(longOps), rounds.Rate(len(sides)-1), "/s/core")
	b.tell("exponent with which the time grows", rounds.Over(func(s []pairs.Spent) float64 {
		var y []float64
		for i := range s {
			y = append(y, x[i]/s[i].PerSecond())
		}
		return pairs.Exponent(x, y)
	}), "", atMost(1.1))
	return nil
}
