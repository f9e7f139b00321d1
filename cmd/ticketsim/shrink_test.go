package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
	"ticketing/client/demux"
	"ticketing/sim/shrink"
)

// TestShrinkEndsEarly: where a signal came, or no time is left, the run that failed is told as it is.
func TestShrinkEndsEarly(t *testing.T) {
	e := spoiled()
	s := &subject{seed: 0, scenario: "swarm"}
	for s.seed = 0; s.try(&e, s.runner(&e), checker.Config{}).code != exitViolation; s.seed++ {
		require.Less(t, s.seed, uint64(1000))
	}
	for how, budget := range map[string]time.Duration{"interrupted": time.Hour, "the budget was spent": 1} {
		var out bytes.Buffer
		p := newPrinter(&tool{stdout: &out}, false)
		k := &keeper{e: &e, s: s, r: e.newRunner(), signal: &interrupt{}}
		first := k.record(nil)
		if budget > 1 {
			k.signal.code.Store(int64(exitInterrupt))
		}
		o, err := k.shrink(p, first, &budget)
		require.NoError(t, err)
		require.Equal(t, first.Property, o.Property)
		require.Equal(t, first.Events, o.Events)
		require.NoError(t, p.out.Flush())
		require.Contains(t, out.String(), " in 1 runs: "+how+": it may get shorter still\n")
		require.Contains(t, strings.Split(out.String(), "\n"), "This is a violation of "+o.Property+":")
	}
}

// hoarder says busy where a wait ran out, from the third time on, and counts them over all the worlds that it runs.
type hoarder struct {
	demux.Core
	ran int
}

func (h *hoarder) Step(now demux.Time, in *demux.Input) []demux.Effect {
	effects := h.Core.Step(now, in)
	for i := range effects {
		if effects[i].Outcome == demux.TimedOut {
			if h.ran++; h.ran >= 3 {
				effects[i].Outcome = demux.Busy
			}
		}
	}
	return effects
}

// TestShrunkAlone: a failure that the worlds before it help to is shrunk to one that shows by itself.
func TestShrunkAlone(t *testing.T) {
	e := shipping()
	e.newRunner = func() runner {
		return checker.NewRunnerOf(func(o demux.Options) (demux.Core, error) {
			core, err := demux.New(o)
			return &hoarder{Core: core}, err
		})
	}
	s := &subject{scenario: "capacity"}
	for ; s.try(&e, s.runner(&e), checker.Config{}).code != exitViolation; s.seed++ {
		require.Less(t, s.seed, uint64(1000))
	}
	k := &keeper{e: &e, s: s, r: e.newRunner(), signal: &interrupt{}}
	first := k.record(nil)
	o, how, err := k.reduce(first, shrink.Options{Runs: 2000})
	require.NoError(t, err)
	require.Equal(t, first.Property, o.Property)
	require.Contains(t, how, "shrunk from ")
	require.Less(t, o.Events, first.Events)
	again := k.replay(k.picks)
	require.Equal(t, o.Hash, again.Hash)
	require.Equal(t, checker.Violation, again.Verdict)
}
