package choice_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
)

// race runs things 0..n-1, each of so many steps, and returns the order in which they took them.
func race(src choice.Ranker, n, steps int) []int {
	left := make([]int, n)
	for i := range left {
		left[i] = steps
	}
	var order, things []int
	for {
		things = things[:0]
		for i, l := range left {
			if l > 0 {
				things = append(things, i)
			}
		}
		if len(things) == 0 {
			return order
		}
		thing := things[0]
		if len(things) > 1 {
			thing = things[src.Rank(labelRoute, things)]
		}
		left[thing]--
		order = append(order, thing)
	}
}

// turns counts how often another goes than the one before.
func turns(order []int) int {
	n := 0
	for i := 1; i < len(order); i++ {
		if order[i] != order[i-1] {
			n++
		}
	}
	return n
}

// TestPCTGoesByPriority: without changes one thing after the other runs to its end, whatever the others are doing; with them
// few turns more are taken, and every order of the first to go has its chance.
func TestPCTGoesByPriority(t *testing.T) {
	const n, steps = 5, 100
	first, plain, changed := map[int]int{}, 0, 0
	for seed := range uint64(400) {
		var p, again choice.PCT
		p.Reset(seed)
		again.Reset(seed)
		order := race(&p, n, steps)
		require.Equal(t, order, race(&again, n, steps), "a seed means one thing")
		first[order[0]]++
		require.LessOrEqual(t, turns(order), n-1+2*3, "seed %d", seed)
		if turns(order) == n-1 {
			plain++
		} else {
			changed++
		}
	}
	require.Len(t, first, n)
	for thing, times := range first {
		require.Greater(t, times, 40, "thing %d", thing)
	}
	require.Greater(t, plain, 60)
	require.Greater(t, changed, 60)
}

func TestPCTAnswersTheRestAtRandom(t *testing.T) {
	var p choice.PCT
	var s choice.Seeded
	p.Reset(9)
	s.Reset(9)
	for range 100 {
		require.Equal(t, s.Choose(labelRoute, 1000), p.Choose(labelRoute, 1000))
		p.Rank(labelRoute, []int{3, 8})
	}
}

func TestMixIsHalfAndHalf(t *testing.T) {
	ranked := 0
	for seed := range uint64(400) {
		var m choice.Mix
		var p choice.PCT
		m.Reset(seed)
		p.Reset(seed)
		if slices.Equal(race(&m, 5, 20), race(&p, 5, 20)) {
			ranked++
		}
	}
	require.InDelta(t, 200, ranked, 50)
}

// TestRecorderRanks: a record has the answers of either kind of source, and replays.
func TestRecorderRanks(t *testing.T) {
	for _, name := range choice.Strategies {
		source, ok := choice.NewStrategy(name)
		require.True(t, ok)
		source.Reset(5)
		r := choice.Recorder{Source: source}
		order := race(&r, 4, 30)
		require.NotEmpty(t, r.Picks)
		var replay choice.Replay
		replay.Reset(r.Picks)
		require.Equal(t, order, race(&choice.Recorder{Source: &replay}, 4, 30), name)
		require.Nil(t, replay.Divergence())
		require.Zero(t, replay.Left())
	}
	_, ok := choice.NewStrategy("fair")
	require.False(t, ok)
}
