package checker_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
)

func TestMeans(t *testing.T) {
	require.Equal(t, "a definite outcome is that of a reply read for this very request: same side, key and identifier, on the "+
		"connection that carries it (rules match, no-fifo, generations)", checker.Means("match"))
	require.Equal(t, "only a request whose line was ended is executed, and only once", checker.Means("a-line"))
	require.Equal(t, "a release is not answered NotFound by a time before which its token cannot have ended", checker.Means("not-found-while-held"))
	require.Equal(t, "Porcupine's verdict where it stands alone", checker.Means("linearizable"))
	require.Equal(t, "a core does not panic", checker.Means(checker.Panic))
	for _, some := range []string{"a-final", "a-lease", "a-token", "cancel", "cause", "close-cause", "deadline", "definite",
		"double-release", "duty", "frame", "indeterminate", "lane", "memory", "must-close", "not-sent", "one-hint", "order",
		"own-capacity", "owner-once", "pacing", "probation", "prompt", "reach", "resent", "settle-once", "shut-down",
		"stray-release", "token-order", "torn-stream", "wake"} {
		require.NotEmpty(t, checker.Means(some), some)
	}
	for _, none := range []string{"", "events", "mat", "matc", "package", "-"} {
		require.Empty(t, checker.Means(none), none)
	}
}

// TestEveryPropertyMeansSomething: whatever a judge can say is explained.
func TestEveryPropertyMeansSomething(t *testing.T) {
	said := map[string]bool{}
	for _, name := range checker.Scenarios() {
		r := checker.NewRunnerOf(newDeaf)
		for seed := range uint64(60) {
			res, err := r.Run(seed, checker.Config{Scenario: name})
			require.NoError(t, err)
			if res.Verdict == checker.Violation || res.Verdict == checker.Assumption {
				said[res.Property] = true
			}
		}
	}
	require.Greater(t, len(said), 3)
	for property := range said {
		means := checker.Means(property)
		require.NotEmpty(t, means, property)
		require.NotContains(t, means, "//")
		require.Less(t, len(strings.Fields(means)), 80)
	}
}
