package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/model"
)

// A history that took a night is not written over, by a run that was not let begin least of all.
func TestLiveKeepsAnEarlierHistory(t *testing.T) {
	t.Setenv("TICKETSIM_CREDENTIAL", "the-secret")
	dir := t.TempDir()
	file := filepath.Join(dir, "history.txt")
	require.NoError(t, os.WriteFile(file, []byte("a night's\n"), 0o600))
	var stdout, stderr bytes.Buffer
	code := (&tool{stdout: &stdout, stderr: &stderr}).main([]string{"live", "--addr", "127.0.0.1:1", "--for", "1h", "--out", dir})
	require.Equal(t, exitUsage, code)
	require.Equal(t, "ticketsim: --out: "+file+" is there already: name another directory, or move it away\n", stderr.String())
	require.Empty(t, stdout.String())
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "a night's\n", string(text))
}

// Until there is a history, there is no file of its name; and where another run was faster, none is lost.
func TestLiveOutIsWholeOrNotThere(t *testing.T) {
	d := liveOut(filepath.Join(t.TempDir(), "new"))
	require.NoError(t, d.check())
	names := func() (all []string) {
		entries, err := os.ReadDir(string(d))
		require.NoError(t, err)
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return all
	}
	require.Empty(t, names())

	h := &model.History{Keys: []string{"key"}}
	require.NoError(t, d.write(h))
	require.Equal(t, []string{"history.txt"}, names())
	require.ErrorContains(t, d.write(h), "the history of this run is "+filepath.Join(string(d), ".history.txt-"))
	require.Len(t, names(), 2)
	require.ErrorContains(t, (d + "/none").write(h), "--out: ")
}
