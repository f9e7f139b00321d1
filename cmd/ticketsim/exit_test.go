package main

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
)

// TestPrecedence holds every pair of statuses against the published order.
func TestPrecedence(t *testing.T) {
	order := []exit{5, 1, 70, 2, 130, 143, 3, 6, 4, 0}
	for i, a := range order {
		for _, b := range order[i:] {
			require.Equal(t, a, worst(a, b))
			require.Equal(t, a, worst(b, a))
		}
	}
	require.Equal(t, exitOK, worst())
	require.Panics(t, func() { worst(7) })
}

func TestExitOf(t *testing.T) {
	for _, c := range []struct {
		verdict  checker.Verdict
		declared bool
		want     exit
	}{
		{checker.Pass, false, 0},
		{checker.Violation, false, 1},
		{checker.Violation, true, 1},
		{checker.Assumption, false, 3},
		{checker.Assumption, true, 0},
		{checker.Inconclusive, true, 3},
		{checker.Disagreement, true, 5},
	} {
		require.Equal(t, c.want, exitOf(c.verdict, c.declared), c.verdict)
	}
	require.Equal(t, exit(130), exitOfSignal(os.Interrupt))
	require.Equal(t, exit(143), exitOfSignal(syscall.SIGTERM))
	require.Equal(t, exit(143), exitOfSignal(syscall.SIGHUP))
}
