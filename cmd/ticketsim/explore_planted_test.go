package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/seeds/mutants"
	"ticketing/sim"
)

// TestSoughtScopes holds the list to what there is: every scope must have a planted bug that its search finds.
func TestSoughtScopes(t *testing.T) {
	root := os.DirFS("../..")
	all, err := readSought(root)
	require.NoError(t, err)
	have := map[string]int{}
	for _, w := range all {
		have[w.scope]++
		m, err := mutants.Load(root, w.mutant)
		require.NoError(t, err)
		require.Len(t, m, 1, w.mutant)
		require.Equal(t, mutants.Sweep, m[0].Kind)
	}
	for i := range sim.Scopes {
		require.NotZero(t, have[sim.Scopes[i].Name], sim.Scopes[i].Name)
	}
}
