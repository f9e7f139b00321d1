package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim"
	"ticketing/sim/explore"
)

// TestSleepKeepsStates compares searches that take every event with ones that leave some to another order: they must visit
// the very same states.
func TestSleepKeepsStates(t *testing.T) {
	asleep := uint64(0)
	for i := range sim.Scopes {
		name := sim.Scopes[i].Name
		t.Run(name, func(t *testing.T) {
			p := scope(t, name)
			switch name {
			case "one-connection":
				p.Net.Cuts = 3
			case "late-grant":
				p.Callers = 1
			case "leader-change", "leader-changes":
				p.Chaos.Budget = 0
			}
			all := explore.Run(worlds(nil), p, explore.Options{Sleepless: true})
			some := explore.Run(worlds(nil), p, explore.Options{})
			require.Nil(t, all.Violation)
			require.Equal(t, explore.LimitNone, all.Limit)
			require.Zero(t, all.Asleep)
			require.Less(t, some.Steps, all.Steps)
			require.Equal(t, all.Digest, some.Digest)
			require.Equal(t, all.States, some.States)
			require.Equal(t, all.Ends, some.Ends)
			require.Equal(t, all.Depth, some.Depth)
			asleep += some.Asleep
			t.Logf("%d states: %d events of %d", all.States, some.Steps, all.Steps)
		})
	}
	require.Greater(t, asleep, uint64(5_000))
}

// TestSleepFindsRounds goes round with two clients that rest never: each round must be met though events sleep.
func TestSleepFindsRounds(t *testing.T) {
	p := scope(t, "leader-change")
	r := explore.Run(restlessWorlds, p, options())
	require.NotNil(t, r.Violation)
	require.Equal(t, explore.Round, r.Violation.Property)
}
