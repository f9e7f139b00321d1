package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
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
