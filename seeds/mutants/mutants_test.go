package mutants

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

const header = `# id: x
# kind: sweep
# breaks: match
# public: -
# hurts: it hurts
`

const diff = `--- a/f.go
+++ b/f.go
@@ -2,3 +2,3 @@
 two
-three
+drei
 four
`

const source = "one\ntwo\nthree\nfour\nfive\n"

// TestParseRefuses holds the reader to its format: each bad patch, and the line that the complaint names.
func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x.patch:1: id"},
		{strings.Replace(header, "# id: x", "# id: y", 1) + diff, `id "y" is not the name of the file`},
		{strings.Replace(header, "sweep", "guess", 1) + diff, `kind "guess"`},
		{strings.Replace(header, "sweep", "test", 1) + diff, "kind test lacks packages"},
		{strings.Replace(header, "sweep", "test", 1) + "# packages: ./x y\n" + diff, "paths from the root"},
		{header + "# packages: ./x\n" + diff, "packages belong to kind test"},
		{strings.Replace(header, "sweep", "test", 1) + "# packages: ./x\n# scenario: calm\n" + diff, "a scenario belongs to kind sweep"},
		{strings.Replace(header, "# hurts: it hurts\n", "", 1) + diff, "lacks one of"},
		{header + "# breaks: again\n" + diff, "x.patch:6: breaks is given twice"},
		{header + "# colour: red\n" + diff, `x.patch:6: unknown field "colour"`},
		{header + "# no colon\n" + diff, "x.patch:6: want a header line"},
		{header, "no patch follows"},
		{header + "rubbish\n", "x.patch:6: want --- a/FILE"},
		{header + strings.Replace(diff, "+++ b/f.go", "+++ b/g.go", 1), "x.patch:7: want +++ b/f.go"},
		{header + strings.ReplaceAll(diff, "f.go", "../f.go"), "no path below the root"},
		{header + "--- a/f.go\n+++ b/f.go\n", "nothing is changed"},
		{header + strings.Replace(diff, "-2,3", "-2,x", 1), "x.patch:8: want @@"},
		{header + strings.Replace(diff, "-2,3", "-2,4", 1), "x.patch:13: a line of a hunk"},
		{header + strings.Replace(diff, "-2,3", "-2,2", 1), "not of the size"},
		{header + strings.Replace(diff, "+drei", "+three", 1), "changes nothing"},
	} {
		_, err := Parse("seeds/mutants/x.patch", []byte(c.text))
		require.ErrorContains(t, err, c.want, "%s", c.text)
	}
}

func TestParse(t *testing.T) {
	m, err := Parse("seeds/mutants/x.patch", []byte(strings.Replace(header, "match", "match, busy", 1)+"# scenario: calm\n"+diff))
	require.NoError(t, err)
	require.Equal(t, []string{"match", "busy"}, m.Breaks)
	require.Equal(t, "match,busy", m.Rule())
	require.Equal(t, "calm", m.Scenario)
	require.Equal(t, Sweep, m.Kind)
}

// TestApply moves the source below a patch: it still applies where its lines stand once, and nowhere else.
func TestApply(t *testing.T) {
	m, err := Parse("seeds/mutants/x.patch", []byte(header+diff))
	require.NoError(t, err)
	for _, c := range []struct{ source, want string }{
		{source, "one\ntwo\ndrei\nfour\nfive\n"},
		{"zero\n" + source, "zero\none\ntwo\ndrei\nfour\nfive\n"},
		{"two\nthree\nfour\n", "two\ndrei\nfour\n"},
		{source + source, "one\ntwo\ndrei\nfour\nfive\n" + source}, // where the head says
		{"zero\n" + source + source, ""},                           // either of two
		{"one\ntwo\nthree\nfour", ""},                              // a line without its end
		{"one\ntwo\nTHREE\nfour\n", ""},
		{"", ""},
	} {
		files, err := m.Apply(fstest.MapFS{"f.go": {Data: []byte(c.source)}})
		if c.want == "" {
			require.EqualError(t, err, "mutants: seeds/mutants/x.patch:8: does not apply any more to f.go, line 2")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []Replacement{{"f.go", []byte(c.want)}}, files)
	}
	_, err = m.Apply(fstest.MapFS{})
	require.ErrorContains(t, err, "x.patch: open f.go")
}

func TestLoadPicks(t *testing.T) {
	fsys := fstest.MapFS{"seeds/mutants/x.patch": {Data: []byte(header + diff)}}
	all, err := Load(fsys, "*")
	require.NoError(t, err)
	require.Len(t, all, 1)
	all, err = Load(fsys, "y*")
	require.NoError(t, err)
	require.Empty(t, all)
	_, err = Load(fsys, "[")
	require.ErrorContains(t, err, "pattern")
	fsys["seeds/mutants/y.patch"] = &fstest.MapFile{Data: make([]byte, MaxPatch+1)}
	_, err = Load(fsys, "*")
	require.ErrorContains(t, err, "more than 65536 bytes")
}

// shipped are the mutants of this repository.
func shipped(t *testing.T) []*Mutant {
	all, err := Load(os.DirFS("../.."), "*")
	require.NoError(t, err)
	return all
}

// TestAllApply finds patches that the sources have outgrown.
func TestAllApply(t *testing.T) {
	for _, m := range shipped(t) {
		_, err := m.Apply(os.DirFS("../.."))
		require.NoError(t, err)
	}
}

// The IDs of the protocol's rules, and of its pinned details.
const (
	rules = `match no-fifo register-first values busy moved notice backoff fatal unmatched ends-sent no-resend not-sent
		cancel orphan lane close-proves-nothing`
	details = `sent-per-frame torn-stream rest-dropped generations unsent-moves deadline order own-capacity probation clock
		owners release-again resent-n one-release lane-end grant-wins held-grant wrong-key one-hint proven pacing shut-down
		redact lease-start`
	assumptions = `a-token a-lease a-final a-line`
	reports     = 44 // of other clients' bugs, H1 on
)

// TestEverythingIsBroken demands planted bugs for each rule, each pinned detail, each assumption of the service that a
// world can show, and each public report.
func TestEverythingIsBroken(t *testing.T) {
	breaks, public := map[string]int{}, map[string]int{}
	where := map[string]int{}
	for _, m := range shipped(t) {
		for _, id := range m.Breaks {
			breaks[id]++
		}
		for _, word := range strings.FieldsFunc(m.Public, func(r rune) bool { return r == ' ' || r == ';' }) {
			public[word]++
		}
		for _, p := range m.patches {
			top, _, _ := strings.Cut(p.path, "/")
			where[string(m.Kind)+" "+top]++
		}
	}
	for _, id := range strings.Fields(rules) {
		require.GreaterOrEqual(t, breaks[id], 2, "rule %s", id)
	}
	for _, id := range strings.Fields(details + " " + assumptions) {
		require.Positive(t, breaks[id], id)
	}
	for n := 1; n <= reports; n++ {
		require.Positive(t, public[fmt.Sprintf("H%d", n)], "report H%d", n)
	}
	require.GreaterOrEqual(t, where["sweep client"], 60)
	require.GreaterOrEqual(t, where["sweep sim"], 6)
	require.Positive(t, where["sweep network"])
	require.GreaterOrEqual(t, where["test checker"]+where["test model"], 6)
}
