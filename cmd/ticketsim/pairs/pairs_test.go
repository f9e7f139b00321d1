package pairs_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/cmd/ticketsim/pairs"
)

func TestInterleaveTurnsRoundsAround(t *testing.T) {
	var order strings.Builder
	a := func() (float64, error) { order.WriteString("a"); return 1, nil }
	b := func() (float64, error) { order.WriteString("b"); return 2, nil }
	rounds, err := pairs.Interleave(3, a, b)
	require.NoError(t, err)
	require.Equal(t, "abbaab", order.String())
	for _, r := range rounds {
		require.Equal(t, []float64{1, 2}, []float64{r[0].Units, r[1].Units})
	}
	_, err = pairs.Interleave(1, func() (float64, error) { return 0, nil })
	require.EqualError(t, err, "pairs: nothing was done")
	wrong := errors.New("wrong")
	_, err = pairs.Interleave(1, a, func() (float64, error) { return 1, wrong })
	require.ErrorIs(t, err, wrong)
}

func TestRatiosAreOfRounds(t *testing.T) {
	s := func(units float64) pairs.Spent {
		return pairs.Spent{Units: units, Processor: time.Second, Wall: 2 * time.Second}
	}
	// The machine is ten times slower in the second round: the ratio of the medians would be another.
	rounds := pairs.Rounds{{s(30), s(10)}, {s(3), s(1)}, {s(60), s(30)}}
	require.InDelta(t, 3, rounds.Ratio(0, 1), 1e-9)
	require.InDelta(t, 30, rounds.Rate(0), 1e-9)
	require.InDelta(t, 10, rounds.Rate(1), 1e-9)
	require.InDelta(t, 0.5, rounds.Stolen(1), 1e-9)
	require.InDelta(t, 15, rounds[0][0].PerWallSecond(), 1e-9)
}

func TestProcessorTimePasses(t *testing.T) {
	before := pairs.ProcessorTime()
	for sum := uint64(1); pairs.ProcessorTime() == before; {
		sum = sum*31 + 7
	}
	require.Greater(t, pairs.ProcessorTime(), before)
}

func TestOnCores(t *testing.T) {
	was := runtime.GOMAXPROCS(0)
	restore := pairs.OnCores(was + 1)
	require.Equal(t, was+1, runtime.GOMAXPROCS(0))
	restore()
	require.Equal(t, was, runtime.GOMAXPROCS(0))
}

func TestMedian(t *testing.T) {
	all := []float64{9, 1, 5}
	require.InDelta(t, 5, pairs.Median(all), 0)
	require.Equal(t, []float64{9, 1, 5}, all)
	require.InDelta(t, 3, pairs.Median([]float64{1, 5}), 0)
}

func TestExponent(t *testing.T) {
	x := []float64{1e3, 1e4, 1e5, 1e6}
	for _, e := range []float64{0, 1, 1.1, 2} {
		var y []float64
		for _, v := range x {
			y = append(y, 7*math.Pow(v, e))
		}
		require.InDelta(t, e, pairs.Exponent(x, y), 1e-9)
	}
}

// TestInterval holds the cut to the table of the sign test: of n values, how many at either end are outside.
func TestInterval(t *testing.T) {
	for n, cut := range map[int]int{1: 0, 2: 0, 5: 0, 6: 0, 8: 0, 9: 1, 11: 1, 12: 2, 15: 3, 20: 5, 25: 7, 100: 39, pairs.Max: 468} {
		var all []float64
		for i := range n {
			all = append(all, float64((i*7+3)%n)) // in some order; of 7 it is another, and as good
		}
		if n%7 == 0 {
			t.Fatal("not all values")
		}
		low, high := pairs.Interval(all)
		require.Equal(t, []float64{float64(cut), float64(n - 1 - cut)}, []float64{low, high}, "%d values", n)
	}
}
