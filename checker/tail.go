package checker

import (
	"ticketing/sim"
	"ticketing/sim/choice"
)

// TailMax is how many lines a Tail has at most: what a person reads at a glance.
const TailMax = 12

// Tail runs the world of a result again, with the same answers, and returns the last facts up to the contradiction, a
// line each. It is empty where the second run was another one. Facts are only told in this run: a world that passes
// costs nothing for it.
func (r *Runner) Tail(res Result, src choice.Source) []string {
	s, ok := sim.FindScenario(res.Scenario)
	if !ok {
		return nil
	}
	var last ring
	failed := false
	w := r.world
	w.SetTrace(func(f *sim.Fact) {
		if f.At <= res.At && f.Kind != sim.FactStepped && !failed {
			last.add(f.Text(w))
		}
		// The audits have seen f: the fact that contradicts is the last one told.
		failed = failed || w.Failure() != nil
	})
	defer w.SetTrace(nil)
	p := s.Draw(src)
	w.Reset(&p, src)
	again := Result{Seed: res.Seed, Scenario: res.Scenario}
	r.guarded(&again)
	if again.Hash != res.Hash {
		return nil
	}
	return last.lines()
}

// ring keeps the last lines of many.
type ring struct {
	kept  [TailMax]string
	count int
}

func (r *ring) add(line string) {
	r.kept[r.count%TailMax] = line
	r.count++
}

func (r *ring) lines() []string {
	var all []string
	for i := max(0, r.count-TailMax); i < r.count; i++ {
		all = append(all, r.kept[i%TailMax])
	}
	return all
}
