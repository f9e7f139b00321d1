package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"ticketing/seeds/mutants"
)

// TestMutantScripts plants bugs in a tiny module of the same name, whose tool says what its bugs tell it to.
func TestMutantScripts(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Fatal("these scripts build: ", err)
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/mutants",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			e.Setenv("GOFLAGS", "-mod=mod")
			e.Setenv("GOPROXY", "off")
			return nil
		},
	})
}

func TestReadSweepCountsNoCrash(t *testing.T) {
	const sum = `{"type":"summary","seeds":7,"internal":1}` + "\n"
	found, s, err := readSweep([]byte(`{"type":"finding","verdict":"internal","property":"panic"}` + "\n" + sum))
	require.NoError(t, err)
	require.Nil(t, found)
	require.EqualValues(t, 7, s.Seeds)

	found, _, err = readSweep([]byte(`{"type":"finding","verdict":"inconclusive","property":"events"}
{"type":"finding","verdict":"assumption","property":"a-token","seed":1}
{"type":"finding","verdict":"violation","property":"match","seed":2}
` + sum))
	require.NoError(t, err)
	require.Equal(t, "match", found.Property)

	_, _, err = readSweep([]byte(`{"type":"finding"}`))
	require.ErrorContains(t, err, "no summary")
	_, _, err = readSweep([]byte(`{"type":`))
	require.Error(t, err)
}

// TestMedian takes the figures of the middle one, by processor time.
func TestMedian(t *testing.T) {
	r := trial{caught: []catch{
		{property: "slow", cpu: 3 * time.Second, seeds: 30}, {property: "fast", cpu: time.Second, seeds: 90},
		{property: "mid", cpu: 2 * time.Second, seeds: 60},
	}}
	p := newPlanted(&mutants.Mutant{ID: "x", Kind: mutants.Sweep, Breaks: []string{"a", "b"}}, &r)
	require.Equal(t, planted{Mutant: "x", Kind: "sweep", Rule: "a,b", Caught: true, Property: "mid", Seeds: 60, CPU: 2, CPUMost: 3}, p)
}

// TestTrusted leaves out the scenarios whose service breaks its word on purpose.
func TestTrusted(t *testing.T) {
	e := faked()
	require.NotContains(t, trusted(&e), "declared")
	require.Contains(t, trusted(&e), "assumption")
}
