package main

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"ticketing/checker/blackbox"
	"ticketing/checker/blackbox/plain"
	"ticketing/cmd/ticketsim/pairs"
	"ticketing/model"
	"ticketing/model/generate"
)

// What the histories of a bench have: one key, on which so many callers queue, and of whose operations a fifth ends unknown.
const (
	benchCallers = 16
	lostPercent  = 20 // of acquires, and of releases
)

// history generates one in memory.
func history(o generate.Options) (*model.History, error) {
	var b bytes.Buffer
	if err := generate.Write(&b, model.Text, o); err != nil {
		return nil, err
	}
	return model.Read(&b)
}

// lossy are the options of a history of so many operations, a fifth of them unknown.
func lossy(ops int) generate.Options {
	return generate.Options{Ops: ops, Callers: benchCallers, LostAcquires: lostPercent, LostReleases: lostPercent}
}

// unknown is the share of a history's operations that ended unknown.
func unknown(h *model.History) float64 {
	n := 0
	for i := range h.Ops {
		if h.Ops[i].Outcome == model.Indeterminate {
			n++
		}
	}
	return float64(n) / float64(len(h.Ops))
}

// plainLimit is how long Porcupine alone may take for one history.
const plainLimit = time.Second

// plainMax is the longest history that Porcupine alone is given, plainMin the shortest.
const plainMin, plainMax = 16, 1 << 14

// judges compares the judges of the history with Porcupine alone, on the longest history that it can judge in its time, and
// counts what they allocate.
func (b *bench) judges() error {
	defer pairs.OnCores(1)()
	illegal, err := plainReach(generate.DoubleRelease, plain.Illegal)
	if err != nil {
		return err
	}
	h, err := plainReach("", plain.Legal)
	if err != nil {
		return err
	}
	judge := blackbox.NewJudge()
	rounds, err := pairs.Interleave(b.pairs,
		func() (float64, error) {
			if r := plain.Check(h, time.Minute); r != plain.Legal {
				return 0, errors.New("a legal history is, to Porcupine alone, " + string(r))
			}
			return float64(len(h.Ops)), nil
		},
		func() (float64, error) { return judgeAgain(judge, h, 20*time.Millisecond) },
	)
	if err != nil {
		return err
	}
	b.tell(fmt.Sprintf("operations that Porcupine alone judges within %v, legal", plainLimit), float64(len(h.Ops)), "")
	b.tell(fmt.Sprintf("operations that Porcupine alone judges within %v, illegal", plainLimit), float64(len(illegal.Ops)), "")
	b.tell("operations judged, of the legal ones, Porcupine alone", rounds.Rate(0), "/s/core")
	b.tell("operations judged, of the legal ones, our judges", rounds.Rate(1), "/s/core")
	b.tell("our judges, of Porcupine alone", rounds.Ratio(1, 0), "times")
	return b.judgeAllocs(judge)
}

// plainReach is the longest history, of those twice as long as the one before, that Porcupine alone judges in its time.
func plainReach(illegal string, want plain.Result) (*model.History, error) {
	reached := &model.History{}
	for ops := plainMin; ops <= plainMax; ops *= 2 {
		o := lossy(ops)
		o.Illegal = illegal
		h, err := history(o)
		if err != nil {
			return nil, err
		}
		switch plain.Check(h, plainLimit) {
		case want:
			reached = h
		case plain.Unknown:
			if len(reached.Ops) == 0 {
				return nil, errors.New("no history was judged by Porcupine alone in its time")
			}
			return reached, nil
		default:
			return nil, fmt.Errorf("a history with %q is not that to Porcupine alone", illegal)
		}
	}
	return reached, nil
}

// judgeAgain judges a legal history again and again for some processor time, and returns how many operations that were.
func judgeAgain(judge *blackbox.Judge, h *model.History, atLeast time.Duration) (ops float64, err error) {
	for began := pairs.ProcessorTime(); ; {
		if v := judge.Check(h); v.Result != blackbox.Legal {
			return ops, fmt.Errorf("a legal history is %v: %v", v.Result, v.Facts)
		}
		ops += float64(len(h.Ops))
		if pairs.ProcessorTime()-began >= atLeast {
			return ops, nil
		}
	}
}

// judgeAllocs counts what Porcupine allocates once warm.
func (b *bench) judgeAllocs(judge *blackbox.Judge) error {
	h, err := history(lossy(100_000))
	if err != nil {
		return err
	}
	v := judge.Porcupine(h)
	if v.Result != blackbox.Legal {
		return fmt.Errorf("a legal history is %v: %v", v.Result, v.Facts)
	}
	u := lesser(3, func() heapUse { return allocated(func() { judge.Porcupine(h) }) })
	b.tell("allocations, of the operations that Porcupine is given", float64(u.objects)/float64(v.Judged), "/op", atMost(7))
	return nil
}
