package choice_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
)

func TestBranchIsKnownAndThenRandom(t *testing.T) {
	picks := []choice.Pick{{"scenario.sea", 4, 3}, {"post.route", 3, 2}, {"post.loss", 2, 1}}
	sea := choice.Label{Stream: choice.Scenario, Name: "scenario.sea"}
	fog := choice.Label{Stream: choice.Scenario, Name: "scenario.fog"}
	run := func(seed uint64) (rest []int) {
		var b choice.Branch
		b.Reset(picks, seed)
		require.Equal(t, 3, b.Choose(sea, 4))
		require.Equal(t, 2, b.Choose(labelRoute, 3))
		require.Equal(t, 1, b.Choose(labelLoss, 2))
		require.Zero(t, b.Choose(fog, 4), "the scenario is what it was")
		for range 20 {
			rest = append(rest, b.Choose(labelRoute, 1000))
		}
		return rest
	}
	want := []int{}
	var s choice.Seeded
	s.Reset(7)
	for range 20 {
		want = append(want, s.Choose(labelRoute, 1000))
	}
	require.Equal(t, want, run(7))
	require.NotEqual(t, want, run(8))
	require.Panics(t, func() { new(choice.Branch).Choose(labelRoute, 0) })
}
