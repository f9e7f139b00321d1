package peer_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"ticketing/checker"
	"ticketing/checker/blackbox"
	"ticketing/client/demux"
	"ticketing/cmd/ticketsim/pairs"
	"ticketing/cmd/ticketsim/peer"
	"ticketing/sim"
	"ticketing/sim/choice"
)

// How many worlds a batch of each side runs, the same seeds on both: about as long, as it turns out.
const (
	bubbleSeeds = 100
	worldSeeds  = 10 * bubbleSeeds
)

// inTest calls f with a test, which a benchmark is not and a bubble needs. It says whether the test passed.
func inTest(f func(t *testing.T)) bool {
	ran := false
	all := func(_, _ string) (bool, error) { return true, nil }
	ok := testing.RunTests(all, []testing.InternalTest{{Name: "bubble", F: func(t *testing.T) {
		if !ran { // not once for each number of cores
			ran = true
			f(t)
		}
	}}})
	return ok && ran
}

// bubbles runs worlds of goroutines in bubbles, and judges what their callers saw if there is a judge.
func bubbles(params []*sim.Params, judge *blackbox.Judge) pairs.Side {
	return func() (float64, error) {
		var failed error
		passed := inTest(func(t *testing.T) {
			for seed, p := range params[:bubbleSeeds] {
				synctest.Test(t, func(*testing.T) {
					var seen *peer.Seen
					if judge != nil {
						seen = &peer.Seen{}
					}
					_, err := peer.Run(p, uint64(seed), peer.NewMemory(peer.SpansOf(p, uint64(seed))), seen)
					if failed = errors.Join(failed, err); judge == nil {
						return
					}
					if v := judge.Check(seen.History(p.Keys)); v.Result != blackbox.Legal {
						failed = errors.Join(failed, errors.New(v.Property))
					}
				})
			}
		})
		if !passed {
			failed = errors.Join(failed, errors.New("a bubble did not end well"))
		}
		return bubbleSeeds, failed
	}
}

// worlds runs those of the simulator, alone.
func worlds() pairs.Side {
	w := sim.New(func(o demux.Options) (demux.Core, error) { return demux.New(o) })
	s, _ := sim.FindScenario(scenario)
	var src choice.Seeded
	return func() (float64, error) {
		for n := range uint64(worldSeeds) {
			src.Reset(n % bubbleSeeds)
			p := s.Draw(&src)
			w.Reset(&p, &src)
			for w.Events() < p.EventsMax && w.Step() {
			}
		}
		return worldSeeds, nil
	}
}

// judged runs those of the simulator with all that judges them.
func judged() pairs.Side {
	r := checker.NewRunner()
	return func() (float64, error) {
		for n := range uint64(worldSeeds) {
			res, err := r.Run(n%bubbleSeeds, checker.Config{Scenario: scenario})
			if err != nil || res.Verdict != checker.Pass {
				return 0, errors.Join(err, errors.New(res.Property))
			}
		}
		return worldSeeds, nil
	}
}

// BenchmarkSynctest runs the same kind of worlds, of the same parameters, as goroutines in bubbles of testing/synctest and in the
// simulator, on one core. An iteration is one round of all four: -benchtime 11x is eleven interleaved rounds.
func BenchmarkSynctest(b *testing.B) {
	defer pairs.OnCores(1)()
	var params []*sim.Params
	for seed := range uint64(bubbleSeeds) {
		params = append(params, draw(b, seed))
	}
	sides := []pairs.Side{bubbles(params, nil), worlds(), bubbles(params, blackbox.NewJudge()), judged()}
	var rounds pairs.Rounds
	for b.Loop() {
		r, err := pairs.Interleave(1, sides...)
		if err != nil {
			b.Fatal(err)
		}
		rounds = append(rounds, r...)
	}
	b.ReportMetric(rounds.Rate(0), "bubble-worlds/s")
	b.ReportMetric(rounds.Rate(1), "worlds/s")
	b.ReportMetric(rounds.Ratio(1, 0), "times")
	b.ReportMetric(rounds.Rate(2), "judged-bubble-worlds/s")
	b.ReportMetric(rounds.Rate(3), "judged-worlds/s")
	b.ReportMetric(rounds.Ratio(3, 2), "judged-times")
	b.ReportMetric(0, "ns/op") // of a round: it says nothing
}
