package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/cmd/ticketsim/pairs"
)

// TestMain is also the tool that is compared, where a script below calls it: it works for as long as it is told, and prints what
// it was told.
func TestMain(m *testing.M) {
	work, err := time.ParseDuration(os.Getenv("PAIRED_WORK"))
	if err != nil {
		os.Exit(m.Run())
	}
	for began := pairs.ProcessorTime(); pairs.ProcessorTime()-began < work; {
	}
	fmt.Print(os.Getenv("PAIRED_SAYS"))
}

// tool is a script that is a tool of this speed.
func tool(t *testing.T, work time.Duration, says string) string {
	self, err := os.Executable()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "tool")
	script := fmt.Sprintf("#!/bin/sh\nPAIRED_WORK=%v PAIRED_SAYS='%s' exec '%s'\n", work, says, self)
	require.NoError(t, os.WriteFile(file, []byte(script), 0o755))
	return file
}

const says = `{"type":"summary","events":1000}{"type":"check","ops":1000}`

func TestSlowerToolIsTold(t *testing.T) {
	slow, fast := tool(t, 40*time.Millisecond, says), tool(t, 4*time.Millisecond, says)
	var out bytes.Buffer
	status := run([]string{"-a", fast, "-b", slow, "-rounds", "6", "-limit", "1.5"}, &out, &out)
	require.Equal(t, exitSlower, status, out.String())
	require.Contains(t, out.String(), "SLOWER beyond 1.50")
	out.Reset()
	status = run([]string{"-a", slow, "-b", fast, "-rounds", "6"}, &out, &out)
	require.Equal(t, exitSame, status, out.String())
	require.Contains(t, out.String(), "faster")
}

func TestWhatCannotBeComparedIsAnError(t *testing.T) {
	good := tool(t, time.Millisecond, says)
	for name, args := range map[string][]string{
		"name the tools":            {"-a", good},
		"is not in 1..1000":         {"-a", good, "-b", good, "-rounds", "0"},
		"0.9 is not at least 1":     {"-a", good, "-b", good, "-limit", "0.9"},
		"NaN is not at least 1":     {"-a", good, "-b", good, "-limit", "NaN"},
		"invalid value \"x\"":       {"-rounds", "x"},
		"unexpected argument more":  {"-a", good, "-b", good, "more"},
		"no such file":              {"-a", good, "-b", filepath.Join(t.TempDir(), "none")},
		"no events in what":         {"-a", good, "-b", tool(t, time.Millisecond, `{"type":"summary"}`), "-rounds", "1"},
		"unexpected EOF":            {"-a", good, "-b", tool(t, time.Millisecond, `{"type":`), "-rounds", "1"},
		"flag provided but not def": {"-c"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitUsage, run(args, &stdout, &stderr), name)
		require.Contains(t, stderr.String(), name)
		require.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
	}
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitSame, run([]string{"-help"}, &stdout, &stderr))
	require.Contains(t, stdout.String(), "interleaved rounds")
	require.Empty(t, stderr.String())
}

// The script says what is wrong before it builds anything: here, there is nothing that it could build with.
func TestCompareChecksFirst(t *testing.T) {
	bash, err := exec.LookPath("bash")
	require.NoError(t, err)
	path := t.TempDir()
	for _, name := range []string{"sed", "dirname"} {
		file, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(file, filepath.Join(path, name)))
	}
	// There is one commit.
	fake := fmt.Sprintf("#!%s\n[ \"${*: -1}\" = 'HEAD^{commit}' ]\n", bash)
	require.NoError(t, os.WriteFile(filepath.Join(path, "git"), []byte(fake), 0o755))
	for _, c := range []struct{ env, args, says string }{
		{"ROUNDS=x", "HEAD", "compare: ROUNDS: x is not in 1..1000\n"},
		{"ROUNDS=0", "HEAD", "compare: ROUNDS: 0 is not in 1..1000\n"},
		{"ROUNDS=1001", "HEAD", "compare: ROUNDS: 1001 is not in 1..1000\n"},
		{"LIMIT=x", "HEAD", "compare: LIMIT: x is no decimal number of at least 1\n"},
		{"LIMIT=0.9", "HEAD", "compare: LIMIT: 0.9 is no decimal number of at least 1\n"},
		{"LIMIT=2", "nope", "compare: there is no commit nope\n"},
		{"ROUNDS=1000", "HEAD nope", "compare: there is no commit nope\n"},
		{"LIMIT=1.5", "--nope", "compare: there is no flag --nope\n"},
	} {
		p := exec.Command(bash, append([]string{"../compare"}, strings.Fields(c.args)...)...)
		p.Env = []string{"PATH=" + path, c.env}
		out, err := p.CombinedOutput()
		require.Equal(t, c.says, string(out))
		require.Error(t, err)
		require.Equal(t, exitUsage, p.ProcessState.ExitCode())
	}
	help := exec.Command(bash, "../compare", "--help")
	help.Env = []string{"PATH=" + path}
	out, err := help.Output()
	require.NoError(t, err)
	require.Contains(t, string(out), ".ci/compare A [B]")
}

func TestVerdictNeedsCertainty(t *testing.T) {
	l := workload{name: "sweep", unit: "events/s"}
	for want, ratios := range map[string][]float64{
		"SLOWER beyond 1.05": {1.07, 1.08, 1.06, 1.09, 1.2, 1.06},
		"slower":             {1.07, 1.08, 1.04, 1.09, 1.2, 1.06}, // it may be within the limit
		"as fast":            {0.99, 1.08, 1.04, 1.09, 1.2, 1.06},
		"faster":             {0.9, 0.8, 0.99, 0.97, 0.95, 0.9},
	} {
		r := resultOf([]float64{1}, []float64{1}, ratios)
		require.Contains(t, r.line(&l, 1.05), want)
		require.Equal(t, want == "SLOWER beyond 1.05", r.slower(1.05))
	}
}
