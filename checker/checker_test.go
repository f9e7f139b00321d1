package checker_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
	"ticketing/sim"
)

// seedsOf is how many seeds of each scenario a test runs: few by default, as many as SEEDS says where it is set.
func seedsOf(t *testing.T, few uint64) uint64 {
	if s := os.Getenv("SEEDS"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		require.NoError(t, err)
		return n
	}
	return few
}

func TestShadow(t *testing.T) {
	for _, name := range checker.Scenarios() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := checker.NewShadowedRunner()
			scenario, _ := sim.FindScenario(name)
			for seed := range seedsOf(t, 300) {
				res, err := r.Run(seed, checker.Config{Scenario: name})
				require.NoError(t, err)
				if scenario.Breaks != "" {
					require.NotEqual(t, checker.Reference, res.Property, "seed %d: %q", seed, res.Facts)
					continue
				}
				require.Equal(t, checker.Pass, res.Verdict, "seed %d: %s %q", seed, res.Property, res.Facts)
			}
		})
	}
}

func TestShadowReportsOperations(t *testing.T) {
	plain, shadowed := checker.NewRunner(), checker.NewShadowedRunner()
	for seed := range uint64(20) {
		want, err := plain.Run(seed, checker.Config{})
		require.NoError(t, err)
		got, err := shadowed.Run(seed, checker.Config{})
		require.NoError(t, err)
		require.Equal(t, want, got, "the shadow changes nothing")
	}
}
