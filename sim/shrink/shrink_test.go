package shrink_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
	"ticketing/sim/shrink"
)

var (
	labelSize  = choice.Label{Stream: choice.Scenario, Name: "scenario.size"}
	labelEvent = choice.Label{Stream: choice.Schedule, Name: "toy.event"}
	labelFault = choice.Label{Stream: choice.Network, Name: "toy.fault"}
	labelHow   = choice.Label{Stream: choice.Network, Name: "toy.how"}
)

// toy is a world of up to 40 events, or 80, of 4 kinds. A kind-3 event may fault, in one of 6 ways. It breaks at the second
// fault of a way above 2.
func toy(src choice.Source, most int64) (broken bool, events int64) {
	size := int64(40 * (1 + src.Choose(labelSize, 2)))
	grave := 0
	for events < min(size, most) {
		events++
		if src.Choose(labelEvent, 4) == 3 && src.Choose(labelFault, 2) == 1 && src.Choose(labelHow, 6) > 2 {
			grave++
		}
		if grave == 2 {
			return true, events
		}
	}
	return false, events
}

// record is a run of the toy that breaks.
func record(t *testing.T, seed uint64) []choice.Pick {
	for ; ; seed += 1000 {
		var src choice.Seeded
		src.Reset(seed)
		r := choice.Recorder{Source: &src}
		if broken, _ := toy(&r, 1<<60); broken {
			return r.Picks
		}
		require.Less(t, seed, uint64(100_000))
	}
}

func TestShrinkFindsTheShortest(t *testing.T) {
	want := []choice.Pick{
		{Name: "scenario.size", N: 2, Answer: 0},
		{Name: "toy.event", N: 4, Answer: 3}, {Name: "toy.fault", N: 2, Answer: 1}, {Name: "toy.how", N: 6, Answer: 3},
		{Name: "toy.event", N: 4, Answer: 3}, {Name: "toy.fault", N: 2, Answer: 1}, {Name: "toy.how", N: 6, Answer: 3},
	}
	for seed := range uint64(50) {
		picks := record(t, seed)
		before := append([]choice.Pick(nil), picks...)
		got, err := shrink.Shrink(picks, toy, shrink.Options{})
		require.NoError(t, err)
		require.Equal(t, want, got.Picks, "seed %d", seed)
		require.Equal(t, int64(2), got.Events)
		require.True(t, got.Minimal)
		require.Equal(t, before, picks, "what was handed in is left alone")
	}
}

// TestPicksAreExact replays what comes out, without any looseness.
func TestPicksAreExact(t *testing.T) {
	for runs := 1; runs < 60; runs++ {
		got, err := shrink.Shrink(record(t, 7), toy, shrink.Options{Runs: runs})
		require.NoError(t, err)
		require.LessOrEqual(t, got.Runs, runs)
		var r choice.Replay
		r.Reset(got.Picks)
		broken, events := toy(&r, 1<<60)
		require.True(t, broken)
		require.Equal(t, got.Events, events)
		require.Nil(t, r.Divergence())
		require.Zero(t, r.Left())
	}
}

func TestShrinkIsDeterministic(t *testing.T) {
	a, err := shrink.Shrink(record(t, 3), toy, shrink.Options{})
	require.NoError(t, err)
	b, err := shrink.Shrink(record(t, 3), toy, shrink.Options{})
	require.NoError(t, err)
	require.Equal(t, a, b)
}

func TestBoundsEndTheSearch(t *testing.T) {
	picks := record(t, 11)
	got, err := shrink.Shrink(picks, toy, shrink.Options{Runs: 1})
	require.NoError(t, err)
	require.Equal(t, picks, got.Picks)
	require.Equal(t, 1, got.Runs)
	require.False(t, got.Minimal)

	all := int64(0)
	got, err = shrink.Shrink(picks, func(src choice.Source, most int64) (bool, int64) {
		require.Less(t, all, int64(100))
		broken, events := toy(src, most)
		all += events
		return broken, events
	}, shrink.Options{Events: 100})
	require.NoError(t, err)
	require.GreaterOrEqual(t, all, int64(100))
	require.False(t, got.Minimal)

	asked := 0
	got, err = shrink.Shrink(picks, toy, shrink.Options{Stop: func() bool { asked++; return asked > 5 }})
	require.NoError(t, err)
	require.Equal(t, 5, got.Runs)
	require.False(t, got.Minimal)
}

func TestRecordThatShowsNothing(t *testing.T) {
	_, err := shrink.Shrink(nil, toy, shrink.Options{})
	require.ErrorIs(t, err, shrink.ErrShowsNothing)
	_, err = shrink.Shrink(record(t, 1), toy, shrink.Options{Stop: func() bool { return true }})
	require.ErrorIs(t, err, shrink.ErrShowsNothing)
}

// TestRunsAreCapped sees that no candidate is asked for more events than the best has.
func TestRunsAreCapped(t *testing.T) {
	best := int64(1 << 62)
	_, err := shrink.Shrink(record(t, 5), func(src choice.Source, most int64) (bool, int64) {
		require.LessOrEqual(t, most, max(best, most&(1<<63-2)))
		broken, events := toy(src, most)
		if broken {
			require.LessOrEqual(t, events, most)
			best = min(best, events)
		}
		return broken, events
	}, shrink.Options{})
	require.NoError(t, err)
	require.Equal(t, int64(2), best)
}

// lottery is a world of 10, 20, 30 or 40 events, which breaks once in a thousand times, at its end. No change leads from one
// that breaks to another.
func lottery(src choice.Source, most int64) (broken bool, events int64) {
	size := 10 * int64(1+src.Choose(labelSize, 4))
	h := uint64(0)
	for events < min(size, most) {
		events++
		h = (h ^ uint64(src.Choose(labelHow, 6))) * 0x9e3779b97f4a7c15
		h ^= h >> 31
	}
	return events == size && h%1000 == 0, events
}

// TestShrinkGrowsAnew: where no change makes it smaller, another way to the same does.
func TestShrinkGrowsAnew(t *testing.T) {
	for seed := uint64(0); ; seed++ {
		var src choice.Seeded
		src.Reset(seed)
		r := choice.Recorder{Source: &src}
		if broken, events := lottery(&r, 1<<60); !broken || events < 40 {
			continue
		}
		got, err := shrink.Shrink(r.Picks, lottery, shrink.Options{})
		require.NoError(t, err)
		require.Equal(t, int64(10), got.Events)
		require.True(t, got.Minimal)
		return
	}
}
