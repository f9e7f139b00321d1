package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
)

// lessRunner is a fake whose every third seed of ten only one judge notices, or none of them alone.
type lessRunner struct {
	fakeRunner
	silent bool
}

func (r *lessRunner) Run(seed uint64, c checker.Config) (checker.Result, error) {
	if r.silent {
		c.Scenario = "calm"
	}
	return r.fakeRunner.Run(seed, c)
}

func TestJudgesAreNeeded(t *testing.T) {
	e := faked()
	e.judges = []string{"ledger", "dials", "history"}
	e.newRunnerLess = func(judge string) runner { return &lessRunner{silent: judge == "dials"} }
	for scenario, want := range map[string]verdicts{
		"calm":      {Seeds: 100, Needed: []string{}},
		"violation": {Seeds: 100, Failing: 10, Needed: []string{"dials"}},
		"judges":    {Seeds: 100, Failing: 10, Needed: []string{"dials"}},
		"declared":  {Seeds: 100, Failing: 10, Needed: []string{"dials"}},
		"panic":     {Seeds: 100, Needed: []string{}},
		"undecided": {Seeds: 100, Needed: []string{}},
	} {
		want.Type, want.Scenario = "judges", scenario
		require.Equal(t, want, e.judge(scenario, seedRange{0, 100}))
	}
	e.newRunnerLess = func(string) runner { return &lessRunner{} }
	require.Equal(t, verdicts{Type: "judges", Scenario: "violation", Seeds: 4, Failing: 1, Needed: []string{}},
		e.judge("violation", seedRange{0, 100}), "nobody is needed: that is known after one seed")
}

// What ships passes its own seeds, and where its service breaks its word the service's judge is needed.
func TestJudgesCommand(t *testing.T) {
	var stdout, stderr bytes.Buffer
	tl := &tool{stdout: &stdout, stderr: &stderr, engine: shipping()}
	require.Equal(t, exitOK, tl.main([]string{"judges", "--scenario", "broken-token", "0..100"}), stderr.String())
	var v verdicts
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &v))
	require.Positive(t, v.Failing)
	require.Equal(t, exitNothing, tl.main([]string{"judges", "3..3"}))
	require.Equal(t, exitUsage, tl.main([]string{"judges", "3"}))
	require.Equal(t, exitUsage, tl.main([]string{"judges", "0..3", "--scenario", "none"}))
	for _, judge := range checker.Judges() {
		res, err := shipping().newRunnerLess(judge).Run(1, checker.Config{Scenario: "calm"})
		require.NoError(t, err)
		require.Equal(t, checker.Pass, res.Verdict)
	}
	require.Panics(t, func() { shipping().newRunnerLess("nobody") })
}
