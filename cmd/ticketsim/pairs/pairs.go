// Package pairs measures how fast one thing is beside another, on a machine that does other things as well.
//
// The sides take turns, batch by batch, and what counts is the processor time of the process and the median of the ratios,
// round by round: whatever slows the machine down for a while slows all sides of a round down alike. It knows nothing of what
// it measures.
package pairs

import (
	"errors"
	"runtime"
	"slices"
	"time"
)

// Side is one side of a comparison. It does one batch of work and says how many units that was, more than zero.
type Side func() (units float64, err error)

// Spent is what one batch took.
type Spent struct {
	Units     float64
	Processor time.Duration // of all cores, by the whole process
	Wall      time.Duration
}

// PerSecond is the rate in processor time, of which other processes take none.
func (s Spent) PerSecond() float64 { return s.Units / max(s.Processor, 1).Seconds() }

// PerWallSecond is the rate on the clock on the wall.
func (s Spent) PerWallSecond() float64 { return s.Units / max(s.Wall, 1).Seconds() }

// Rounds are some batches of each side: the first index is the round, the second the side.
type Rounds [][]Spent

// Interleave runs the sides in turn, n rounds, every other one backwards. Garbage of one side is collected before the next
// begins, on nobody's time. The first error of a side ends it.
func Interleave(n int, sides ...Side) (Rounds, error) {
	rounds := make(Rounds, n)
	for i := range rounds {
		rounds[i] = make([]Spent, len(sides))
		for k := range sides {
			if i%2 == 1 {
				k = len(sides) - 1 - k
			}
			var err error
			if rounds[i][k], err = Clock(sides[k]); err != nil {
				return nil, err
			}
		}
	}
	return rounds, nil
}

// Clock runs one batch.
func Clock(s Side) (Spent, error) {
	runtime.GC()
	processor, wall := ProcessorTime(), time.Now()
	units, err := s()
	took := Spent{units, ProcessorTime() - processor, time.Since(wall)}
	if err == nil && units <= 0 {
		err = errors.New("pairs: nothing was done")
	}
	return took, err
}

// Over is the median of f over the rounds.
func (r Rounds) Over(f func(sides []Spent) float64) float64 {
	all := make([]float64, len(r))
	for i := range r {
		all[i] = f(r[i])
	}
	return Median(all)
}

// Rate is the median rate of side k, in processor time.
func (r Rounds) Rate(k int) float64 {
	return r.Over(func(s []Spent) float64 { return s[k].PerSecond() })
}

// Ratio is the median of how many times as fast side a is as side b, in processor time.
func (r Rounds) Ratio(a, b int) float64 {
	return r.Over(func(s []Spent) float64 { return s[a].PerSecond() / s[b].PerSecond() })
}

// Stolen is the share of side k's time on the wall that this process did not get, 0 to 1: what others took of a core, where
// the side keeps one busy.
func (r Rounds) Stolen(k int) float64 {
	var processor, wall time.Duration
	for _, s := range r {
		processor, wall = processor+s[k].Processor, wall+s[k].Wall
	}
	return max(0, 1-processor.Seconds()/wall.Seconds())
}

// OnCores has Go use n cores until the function that it returns is called.
func OnCores(n int) (restore func()) {
	was := runtime.GOMAXPROCS(n)
	return func() { runtime.GOMAXPROCS(was) }
}

// Median is the one in the middle, or half-way between the two that are. There must be one.
func Median(all []float64) float64 {
	s := slices.Sorted(slices.Values(all))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}
