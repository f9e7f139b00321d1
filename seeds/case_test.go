package seeds

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
)

// TestCorpus replays every case of the corpus.
func TestCorpus(t *testing.T) {
	paths, err := filepath.Glob("*.case")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	r := checker.NewRunner()
	for _, path := range paths {
		t.Run(strings.TrimSuffix(path, ".case"), func(t *testing.T) {
			c, err := Load(os.DirFS("."), path)
			require.NoError(t, err)
			require.NotEmpty(t, c.Prose, "a case says what it shows")
			res, diverged, err := c.Replay(r, nil)
			require.NoError(t, err)
			require.NoError(t, diverged, "it tests nothing any more")
			require.True(t, c.Met(res), "%v %s: %v", res.Verdict, res.Property, res.Facts)
		})
	}
}

func TestRecordReplays(t *testing.T) {
	r := checker.NewRunner()
	for seed := range uint64(20) {
		c, want, err := Record(r, seed, "", "a recorded world\nof two lines")
		require.NoError(t, err)
		again, err := Parse(c.Text())
		require.NoError(t, err)
		require.Equal(t, c, &Case{Prose: strings.TrimSuffix(again.Prose, "\n"), Scenario: again.Scenario, Seed: again.Seed,
			Build: checker.Fingerprint("swarm"), World: checker.WorldFingerprint("swarm"), Verdict: again.Verdict, Property: again.Property, Picks: again.Picks})
		got, diverged, err := again.Replay(r, nil)
		require.NoError(t, err)
		require.NoError(t, diverged)
		require.Equal(t, want, got, "the same run, to the last fact")
	}
}

func TestReplayDiverges(t *testing.T) {
	r := checker.NewRunner()
	c, _, err := Record(r, 1, "", "")
	require.NoError(t, err)

	short := *c
	short.Picks = c.Picks[:len(c.Picks)-1]
	_, diverged, err := short.Replay(r, nil)
	require.NoError(t, err)
	require.ErrorContains(t, diverged, "the record ends")

	long := *c
	long.Picks = append(c.Picks[:len(c.Picks):len(c.Picks)], c.Picks[0])
	_, diverged, err = long.Replay(r, nil)
	require.NoError(t, err)
	require.ErrorContains(t, diverged, "1 of")
}

func TestParseErrors(t *testing.T) {
	const good = "# prose\ncase 1\nscenario swarm\nseed 7\nverdict violation match\npicks\nscenario.nodes 0/4\n"
	_, err := Parse([]byte(good))
	require.NoError(t, err)
	for name, tc := range map[string]struct{ from, to, want string }{
		"version":       {"case 1", "case 2", `line 2: version "2"`},
		"other newline": {"case 1\n", "case 1\r\n", `line 2: version "1\r"`},
		"no header":     {"case 1\n", "", `line 2: "scenario swarm", want "case"`},
		"scenario":      {"swarm", "storm", `line 3: there is no scenario "storm"`},
		"seed":          {"seed 7", "seed -7", `line 4: seed "-7"`},
		"fingerprint":   {"seed 7\n", "seed 7\nfingerprint xyz\n", `fingerprint "xyz"`},
		"world":         {"seed 7\n", "seed 7\nworld 12\n", `line 5: world "12" is not`},
		"world first":   {"seed 7\n", "seed 7\nworld 0123456789abcdef\nfingerprint 0123456789abcdef\n", `line 6: "fingerprint 0123456789abcdef", want "verdict"`},
		"short print":   {"seed 7\n", "seed 7\nfingerprint 12\n", `line 5: fingerprint "12"`},
		"verdict":       {"violation match", "fine", `line 5: verdict "fine"`},
		"property":      {"match", "match\x1b[31m", `line 5: "match\x1b[31m" is not the name of a property`},
		"no property":   {"violation match", "violation", "without a property"},
		"pass property": {"violation", "pass", "with a property"},
		"pick":          {"0/4", "4/4", "line 7: answer 4 of 4"},
		"cut mid-line":  {"0/4\n", "0/", "line 7: the file is cut off"},
		"cut in header": {"\npicks\nscenario.nodes 0/4\n", "", "line 5: the file is cut off"},
		"binary":        {"# prose\ncase", "\x00\xff\xfe", "line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, good, tc.from)
			_, err := Parse([]byte(strings.Replace(good, tc.from, tc.to, 1)))
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// TestParseLongLines: what is wrong with a line does not show all of it, and a file is read in time that grows with its size.
func TestParseLongLines(t *testing.T) {
	const good = "case 1\nscenario swarm\nseed 7\nfingerprint 0123456789abcdef\nverdict violation match\npicks\nscenario.nodes 0/4\n"
	long := strings.Repeat("9", 1<<20)
	for _, from := range []string{"1\n", "swarm", "7\n", "0123456789abcdef", "violation", "match", "picks", "scenario.nodes", "0/4"} {
		_, err := Parse([]byte(strings.Replace(good, from, long+"\n", 1)))
		require.ErrorContains(t, err, "line", from)
		require.Less(t, len(err.Error()), 200, from)
	}
	c, err := Parse([]byte(strings.Repeat("#\n", 1<<21) + good))
	require.NoError(t, err)
	require.Len(t, c.Prose, 1<<21)
}

func TestLoadNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.case")
	_, err := Load(os.DirFS(dir), "x.case")
	require.ErrorContains(t, err, "x.case")
	require.NoError(t, os.WriteFile(path, []byte("nonsense"), 0o600))
	_, err = Load(os.DirFS(dir), "x.case")
	require.ErrorContains(t, err, "x.case: line 1")
}
