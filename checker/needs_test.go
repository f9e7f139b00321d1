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
	declared := map[string]bool{}
	for _, n := range needs {
		require.Contains(t, Scenarios(), n.scenario)
		require.Positive(t, n.seeds)
		for name := range strings.FieldsSeq(n.rows) {
			require.True(t, rows[name], "there is no row %s", name)
			require.False(t, declared[n.scenario+" "+name], "%s needs %s twice", n.scenario, name)
			declared[n.scenario+" "+name] = true
		}
	}
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
