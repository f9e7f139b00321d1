package checker

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNeedsNameWhatExists: a scenario or a row that was renamed must not leave its need behind, where nobody looks.
func TestNeedsNameWhatExists(t *testing.T) {
	rows := map[string]bool{}
	for _, c := range NewRunner().Counters() {
		require.False(t, rows[c.Name], "two rows are called %s", c.Name)
		require.Zero(t, c.Needs, "nothing ran")
		rows[c.Name] = true
	}
	for n, seeds := range needs() {
		require.Contains(t, Scenarios(), n.scenario)
		require.True(t, rows[n.row], "there is no row %s", n.row)
		require.Positive(t, seeds)
	}
	for _, scenario := range Scenarios() {
		require.Positive(t, Needs(scenario, "match/acquire"), "%s was not measured", scenario)
	}
	require.Zero(t, Needs("swarm", "nonsense"))
}

func TestParseNeeds(t *testing.T) {
	got := parseNeeds("# words\n\none\n10 a b/c\n100 d\ntwo\n10 d\n")
	require.Equal(t, map[need]uint64{{"one", "a"}: 10, {"one", "b/c"}: 10, {"one", "d"}: 100, {"two", "d"}: 10}, got)
	for _, text := range []string{"10 a\n", "one\nx a\n", "one\n-1 a\n"} {
		require.Panics(t, func() { parseNeeds(text) }, text)
	}
	require.NotContains(t, needsText, "\t")
	require.True(t, strings.HasSuffix(needsText, "\n"))
}

// TestNeedsOfOneScenario: rows say what they need while all runs are of one scenario.
func TestNeedsOfOneScenario(t *testing.T) {
	r := NewRunner()
	needed := func() (n int) {
		for _, c := range r.Counters() {
			if c.Needs > 0 {
				n++
			}
		}
		return n
	}
	for range 2 {
		_, err := r.Run(1, Config{Scenario: "calm"})
		require.NoError(t, err)
		require.Positive(t, needed())
	}
	_, err := r.Run(1, Config{Scenario: "capacity"})
	require.NoError(t, err)
	require.Zero(t, needed())
}
