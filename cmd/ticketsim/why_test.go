package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBeyondChance: what fails nearly always fails nearly always, and a rise that anybody would see is one.
func TestBeyondChance(t *testing.T) {
	for _, c := range [][2]int{{50, 59}, {56, 64}, {58, 50}, {0, 0}, {64, 64}, {30, 40}, {0, 8}} {
		require.False(t, beyondChance(c[0], c[1]), c)
	}
	for _, c := range [][2]int{{0, 9}, {0, 64}, {20, 40}, {40, 60}, {55, 64}} {
		require.True(t, beyondChance(c[0], c[1]), c)
	}
}

// TestUnclear says why no event is to blame.
func TestUnclear(t *testing.T) {
	for _, c := range []struct {
		fails []int
		want  string
	}{
		{nil, "no moment was tried"},
		{[]int{64, 64}, "no event makes it likelier"},
		{[]int{56, 58, 50, 59}, "likely from the start, 56 of 64 worlds"},
		{[]int{25, 32, 40, 48, 56, 64}, "little by little, from 25 of 64 worlds to 64"},
		{[]int{3, 5}, "may be chance"},
	} {
		var w cause
		for i, n := range c.fails {
			w.moments = append(w.moments, moment{Event: int64(i), Fails: n})
		}
		require.Contains(t, w.unclear(), c.want)
		require.Zero(t, w.steepest())
	}
	w := cause{moments: []moment{{Fails: 40}, {Fails: 50}, {Fails: 40}, {Fails: 55}, {Fails: 64}}}
	require.Equal(t, 3, w.steepest())
	w.moments[3].Fails = 54
	require.Equal(t, 4, w.steepest(), "the rise from 40 is the steepest, and may be chance")
}
