package checker_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
)

func TestCloneTakesTheWorldsPlace(t *testing.T) {
	for _, name := range checker.Scenarios() {
		r, other := checker.NewRunner(), checker.NewRunner()
		for seed := range uint64(40) {
			want, err := r.Run(seed, checker.Config{Scenario: name})
			require.NoError(t, err)
			got, err := other.Run(seed, checker.Config{Scenario: name, CloneEvery: want.Events*int64(1+seed%7)/8 + 1})
			require.NoError(t, err)
			require.Equal(t, want, got, "%s seed %d", name, seed)
		}
	}
}
