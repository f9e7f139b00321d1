package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"ticketing/cmd/ticketsim/pairs"
	"ticketing/cmd/ticketsim/peer"
	"ticketing/sim"
	"ticketing/sim/choice"
)

// synctest has a benchmark compare with goroutines in bubbles: those run in tests only.
func (b *bench) synctest() error {
	args := []string{"test", "-run", "^$", "-bench", "^BenchmarkSynctest$", "-benchtime", strconv.Itoa(b.pairs) + "x", "ticketing/cmd/ticketsim/peer"}
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	metrics := benchMetrics(string(out))
	for _, m := range []struct {
		unit, name, as string
		must           []must
	}{
		{"bubble-worlds/s", "worlds of goroutines in bubbles of testing/synctest", "/s/core", nil},
		{"worlds/s", "the same worlds, simulated", "/s/core", nil},
		{"times", "simulated, of those in bubbles", "times", []must{atLeast(8)}},
		{"judged-times", "simulated and with all judges, of bubbles with the black box", "times", nil},
	} {
		v, ok := metrics[m.unit]
		if !ok {
			return fmt.Errorf("the benchmark does not tell %s: %s", m.unit, bytes.TrimSpace(out))
		}
		b.tell(m.name, v, m.as, m.must...)
	}
	return nil
}

// benchMetrics are the figures of the one benchmark that go test ran, by their units.
func benchMetrics(out string) map[string]float64 {
	metrics := map[string]float64{}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		for i := 2; i+1 < len(fields); i += 2 {
			if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
				metrics[fields[i+1]] = v
			}
		}
	}
	return metrics
}

// What is run in real time: worlds at once, of which none lasts long.
const (
	realScenario = "calm"
	realWorlds   = 32
	realSpan     = 4 * time.Second
)

// realParams are the worlds that are run in real time, and their seeds: the first whose callers cannot take long.
func realParams() (all []*sim.Params, seeds []uint64) {
	s, ok := sim.FindScenario(realScenario)
	if !ok {
		panic("ticketsim: there is no scenario " + realScenario)
	}
	var src choice.Seeded
	for seed := uint64(0); len(all) < realWorlds; seed++ {
		src.Reset(seed)
		if p := s.Draw(&src); peer.Span(&p) <= realSpan {
			all, seeds = append(all, &p), append(seeds, seed)
		}
	}
	return all, seeds
}

// loopback runs worlds in real time over TCP on this machine, and the same ones simulated.
func (b *bench) loopback() error {
	all, seeds := realParams()
	s, _ := sim.FindScenario(realScenario)
	w := sim.New(ships)
	var src choice.Seeded
	simulated, err := pairs.Clock(func() (float64, error) {
		began, n := pairs.ProcessorTime(), 0
		for ; pairs.ProcessorTime()-began < 100*time.Millisecond; n += len(seeds) {
			for _, seed := range seeds {
				src.Reset(seed)
				p := s.Draw(&src)
				w.Reset(&p, &src)
				for w.Events() < p.EventsMax && w.Step() {
				}
			}
		}
		return float64(n), nil
	})
	if err != nil {
		return err
	}
	took, err := pairs.Clock(func() (float64, error) { return realWorlds, realTime(all, seeds) })
	if err != nil {
		return err
	}
	b.tell(fmt.Sprintf("worlds in real time over loopback, %d at once", realWorlds), took.PerWallSecond(), "/s")
	b.tell("the same worlds, simulated one after the other", simulated.PerWallSecond(), "/s")
	b.tell("simulated, of those in real time", simulated.PerWallSecond()/took.PerWallSecond(), "times")
	b.tell("simulated, of those in real time, by processor time", simulated.PerSecond()/took.PerSecond(), "times")
	return nil
}

// realTime runs worlds, all at once.
func realTime(all []*sim.Params, seeds []uint64) error {
	failed := make([]error, len(all))
	var worlds sync.WaitGroup
	for i, p := range all {
		worlds.Go(func() { _, failed[i] = peer.Run(p, seeds[i], peer.NewLoopback(), nil) })
	}
	worlds.Wait()
	return errors.Join(failed...)
}
