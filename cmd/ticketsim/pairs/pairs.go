package main

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"time"
)

// side is one side of a comparison. It does a batch of work and says how many units that was.
type side func() (units float64, err error)

// spent is what one batch took.
type spent struct {
	units     float64
	processor time.Duration // of the whole process
	wall      time.Duration
}

// perSecond is the rate in processor time, which other processes of the machine take little of.
func (s spent) perSecond() float64 { return s.units / max(s.processor, 1).Seconds() }

// perWallSecond is the rate on the clock on the wall.
func (s spent) perWallSecond() float64 { return s.units / max(s.wall, 1).Seconds() }

// round is one batch of each side.
type round []spent

// interleave runs the sides in turn, so many rounds, every other one backwards: what else the machine does meanwhile, and how
// warm it is, meets all sides alike. Garbage of one side is collected before the next begins.
func (b *bench) interleave(sides ...side) ([]round, error) {
	rounds := make([]round, b.pairs)
	for i := range rounds {
		rounds[i] = make(round, len(sides))
		for k := range sides {
			if i%2 == 1 {
				k = len(sides) - 1 - k
			}
			var err error
			if rounds[i][k], err = clocked(sides[k]); err != nil {
				return nil, err
			}
		}
	}
	return rounds, nil
}

func clocked(s side) (spent, error) {
	runtime.GC()
	processor, wall := processorTime(), time.Now()
	units, err := s()
	took := spent{units, processorTime() - processor, time.Since(wall)}
	if err == nil && units <= 0 {
		err = errors.New("nothing was done")
	}
	return took, err
}

// onOneCore has Go use one core until the function that it returns is called.
func onOneCore() (restore func()) { return onCores(1) }

func onCores(n int) (restore func()) {
	was := runtime.GOMAXPROCS(n)
	return func() { runtime.GOMAXPROCS(was) }
}

// over is the median of f over the rounds.
func over(rounds []round, f func(r round) float64) float64 {
	all := make([]float64, len(rounds))
	for i, r := range rounds {
		all[i] = f(r)
	}
	return median(all)
}

// rate is the median rate of side k.
func rateOf(rounds []round, k int) float64 {
	return over(rounds, func(r round) float64 { return r[k].perSecond() })
}

// ratio is the median of how often as fast side a is as side b, round by round.
func ratioOf(rounds []round, a, b int) float64 {
	return over(rounds, func(r round) float64 { return r[a].perSecond() / r[b].perSecond() })
}

// stolen is how much of the time on the wall this process did not get, in percent.
func stolen(rounds []round) float64 {
	var processor, wall time.Duration
	for _, r := range rounds {
		for _, s := range r {
			processor, wall = processor+s.processor, wall+s.wall
		}
	}
	return max(0, 100*(1-processor.Seconds()/wall.Seconds()))
}

// median of numbers, none of which is missing.
func median(all []float64) float64 {
	s := slices.Sorted(slices.Values(all))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}

// exponent is the slope of the line that fits the points best on paper with two logarithmic axes: y grows as x to it.
func exponent(x, y []float64) float64 {
	n := float64(len(x))
	var sx, sy, sxx, sxy float64
	for i := range x {
		lx, ly := math.Log(x[i]), math.Log(y[i])
		sx, sy, sxx, sxy = sx+lx, sy+ly, sxx+lx*lx, sxy+lx*ly
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
