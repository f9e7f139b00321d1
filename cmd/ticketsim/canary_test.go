package main

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
)

// mutedCanaries are heard but for one of three.
type mutedCanaries struct{ deaf uint64 }

func (m mutedCanaries) Try(number, seed uint64) checker.Song {
	name := []string{"jay", "wren", "owl"}[number%3]
	s := checker.Song{Canary: &checker.Canary{Name: name, Judge: "ledger"}, Heard: number%3 != m.deaf, Worlds: 2}
	if !s.Heard {
		s.Because = "nobody said a word"
	}
	return s
}

func sweepWithCanaries(t *testing.T, c func() canaries, args ...string) (string, exit) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	e := faked()
	e.newCanaries = c
	tl := &tool{stdout: &stdout, stderr: &stderr, engine: e}
	code := tl.main(append([]string{"sweep"}, args...))
	require.Empty(t, stderr.String())
	return stdout.String(), code
}

// A canary that is missed is a defect of the tool, graver than what the range asked for shows, and leaves that as it is.
func TestAMissedCanaryFailsTheSweep(t *testing.T) {
	muted := func() canaries { return mutedCanaries{1} }
	for scenario, want := range map[string]exit{"calm": exitOK, "violation": exitViolation} {
		var with, without summary
		args := []string{"--scenario", scenario, "--seeds", "0..2500", "--json", "--jobs", "3"}
		out, code := sweepWithCanaries(t, muted, args...)
		require.Equal(t, exitSelf, code)
		require.NoError(t, json.Unmarshal([]byte(lastLine(out)), &with))
		out, code = sweepWithCanaries(t, nil, args...)
		require.Equal(t, want, code)
		require.NoError(t, json.Unmarshal([]byte(lastLine(out)), &without))

		require.Equal(t, []string{"wren"}, with.CanariesGone)
		require.EqualValues(t, 5, with.Canaries, "chunks of 512 in 2500")
		require.EqualValues(t, 10, with.CanaryWorlds)
		with.Canaries, with.CanaryWorlds, with.CanariesGone = 0, 0, []string{}
		with.Seconds, without.Seconds = 0, 0
		require.Equal(t, without, with)
	}
}

func lastLine(s string) string {
	lines := bytes.Split(bytes.TrimSpace([]byte(s)), []byte("\n"))
	return string(lines[len(lines)-1])
}

func TestAMissedCanaryIsTold(t *testing.T) {
	muted := func() canaries { return mutedCanaries{1} }
	out, code := sweepWithCanaries(t, muted, "--scenario", "calm", "--seeds", "0..3000")
	require.Equal(t, exitSelf, code)
	require.Contains(t, out, "canaries: 6 planted faults beside these seeds, 12 worlds, 1 kinds missed\n"+
		"canary wren was missed 2 times, and ledger should notice it: nobody said a word\n")

	all := func() canaries { return mutedCanaries{3} }
	out, code = sweepWithCanaries(t, all, "--scenario", "calm", "--seeds", "600..700")
	require.Equal(t, exitOK, code)
	require.Contains(t, out, "canaries: 1 planted faults beside these seeds, 2 worlds, 0 kinds missed\n")
}

// The seeds of canaries are none that the sweep gets to.
func TestReservedSeedsAreNobodys(t *testing.T) {
	for _, r := range []seedRange{{0, 10_000}, {5, math.MaxUint64 - reservedSeeds}, {math.MaxUint64 - 3000, math.MaxUint64},
		{math.MaxUint64 - reservedSeeds - 9, math.MaxUint64 - reservedSeeds + 9}} {
		for _, chunk := range []uint64{0, 1, 7, r.size() / chunkSeeds, math.MaxUint64 / chunkSeeds} {
			first := r.reserved(chunk)
			last := first + checker.CanaryTries - 1
			require.Less(t, first, last)
			require.True(t, last < r.from || first >= r.to, "%v chunk %d: %d..%d", r, chunk, first, last)
		}
	}
	open := seedRange{0, math.MaxUint64}
	require.Greater(t, open.reserved(0), uint64(1)<<63)
	require.NotEqual(t, open.reserved(0), open.reserved(1))
}
