package pairs

import (
	"math"
	"slices"
)

// Exponent is the slope of the line that fits the points best, by least squares, on paper with two logarithmic axes: y grows
// as x to it. There must be two points of different x, and no number that is not above zero.
func Exponent(x, y []float64) float64 {
	n := float64(len(x))
	var sx, sy, sxx, sxy float64
	for i := range x {
		lx, ly := math.Log(x[i]), math.Log(y[i])
		sx, sy, sxx, sxy = sx+lx, sy+ly, sxx+lx*lx, sxy+lx*ly
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// Confidence is how sure an Interval is.
const Confidence = 0.95

// Max is how many rounds there may be.
const Max = 1000

// Interval is where the true median lies, with Confidence, whatever the distribution: from one of the values in order to the
// one that is as far from the other end. With fewer than 6 values nothing is that sure, and it is all of them. There must be
// one, and Max at most.
func Interval(all []float64) (low, high float64) {
	s := slices.Sorted(slices.Values(all))
	n := len(s)
	// Each value is above the median or below it, as a coin falls: outer is the chance that no more than cut are below.
	one := math.Pow(0.5, float64(n))
	cut, outer := 0, one
	for cut < (n-1)/2 {
		if outer += choose(n, cut+1) * one; 2*outer > 1-Confidence {
			break
		}
		cut++
	}
	return s[cut], s[n-1-cut]
}

// choose is how many ways there are to take k of n.
func choose(n, k int) float64 {
	ways := 1.0
	for i := range k {
		ways = ways * float64(n-i) / float64(i+1)
	}
	return ways
}
