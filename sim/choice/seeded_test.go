package choice_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
)

func TestStreamsAreIndependent(t *testing.T) {
	var quiet, busy choice.Seeded
	quiet.Reset(3)
	busy.Reset(3)
	for range 100 {
		busy.Choose(choice.Label{Stream: choice.Service}, 1000)
		label := choice.Label{Stream: choice.Network}
		require.Equal(t, quiet.Choose(label, 1000), busy.Choose(label, 1000))
	}
}

func TestSeedsAndStreamsDiffer(t *testing.T) {
	seen := map[int]bool{}
	for seed := range uint64(100) {
		for stream := range choice.NumStreams {
			var s choice.Seeded
			s.Reset(seed)
			seen[s.Choose(choice.Label{Stream: stream}, 1<<60)] = true
		}
	}
	require.Len(t, seen, 100*int(choice.NumStreams))
}

func TestSeededHonoursOdds(t *testing.T) {
	const draws, n = 200_000, 5
	for _, c := range []struct {
		odds uint16
		zero int // expected, of draws
	}{
		{0, draws / n},
		{1, draws - draws/choice.OddsOne},
		{choice.OddsOne / 4, draws * 3 / 4},
		{choice.OddsOne - 1, draws / choice.OddsOne},
		{choice.OddsOne, 0},
		{1<<16 - 1, 0},
	} {
		var s choice.Seeded
		s.Reset(11)
		var count [n]int
		for range draws {
			count[s.Choose(choice.Label{Odds: c.odds}, n)]++
		}
		require.InDelta(t, c.zero, count[0], draws/100)
		for _, others := range count[1:] {
			require.InDelta(t, (draws-c.zero)/(n-1), others, draws/100)
		}
		if c.odds >= choice.OddsOne {
			require.Zero(t, count[0])
		}
	}
}

func TestSeededReachesBothEnds(t *testing.T) {
	var s choice.Seeded
	s.Reset(1)
	for _, n := range []int{2, 3, 255, 256, 257} {
		for _, odds := range []uint16{0, choice.OddsOne / 2} {
			seen := map[int]bool{}
			for range 20_000 {
				seen[s.Choose(choice.Label{Odds: odds}, n)] = true
			}
			require.Len(t, seen, n)
			require.True(t, seen[0] && seen[n-1])
		}
	}
}

// TestSeedsStayTheSame fails when an old seed means something new. Findings pin seeds, so that is never an accident.
func TestSeedsStayTheSame(t *testing.T) {
	var s choice.Seeded
	s.Reset(42)
	var got []int
	for stream := range choice.NumStreams {
		got = append(got, s.Choose(choice.Label{Stream: stream}, 1000), s.Choose(choice.Label{Stream: stream, Odds: 20_000}, 1000))
	}
	require.Equal(t, []int{101, 0, 896, 499, 660, 0, 869, 853, 389, 388, 978, 774}, got)
}

func TestSourcesDoNotAllocate(t *testing.T) {
	var s choice.Seeded
	s.Reset(1)
	r := choice.Recorder{Source: &s, Picks: make([]choice.Pick, 0, 5000)}
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		r.Choose(labelRoute, 3)
		r.Choose(labelLoss, 3)
	}))
}

func BenchmarkChoose(b *testing.B) {
	var s choice.Seeded
	s.Reset(1)
	for _, c := range []struct {
		name  string
		label choice.Label
	}{{"even", labelRoute}, {"odds", labelLoss}} {
		b.Run(c.name, func(b *testing.B) {
			var src choice.Source = &s
			b.ReportAllocs()
			for b.Loop() {
				src.Choose(c.label, 8)
			}
		})
	}
}

func BenchmarkReset(b *testing.B) {
	var s choice.Seeded
	for b.Loop() {
		s.Reset(1)
	}
}
