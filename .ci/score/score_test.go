package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const sample = `package p

func (m *M) f(a, b int) bool {
	m.count(1)
	if a < b {
		m.n = a
	}
	return true
}

func (m *M) String() string { return "" + m.s }
`

func names(t *testing.T) []string {
	t.Helper()
	s, err := list("p/p.go", []byte(sample))
	require.NoError(t, err)
	var all []string
	for _, f := range s.funcs {
		for _, m := range f.mutants {
			all = append(all, m.name())
		}
	}
	return all
}

// What counts and what is for people is left alone.
func TestMutantsOfAFunction(t *testing.T) {
	require.Equal(t, []string{
		"p/p.go M.f: if a < b { m.n = a } -> nothing (1)",
		"p/p.go M.f: a < b -> !(a < b) (1)",
		"p/p.go M.f: a < b -> a <= b (1)",
		"p/p.go M.f: m.n = a -> nothing (1)",
		"p/p.go M.f: true -> false (1)",
	}, names(t))
}

func TestCopiesStandBehindTheirFunction(t *testing.T) {
	s, err := list("p/p.go", []byte(sample))
	require.NoError(t, err)
	out := map[*mutant]bool{}
	for i, m := range s.funcs[0].mutants {
		m.id = i + 1
		out[m] = i != 2
	}
	text, spans := s.write(out)
	require.Contains(t, string(text), "case 3: return m.f_m3(a, b)\n")
	require.Len(t, spans, 1)
	copied := string(text[spans[0].from:spans[0].to])
	require.Contains(t, copied, "func (m *M) f_m3(a, b int) bool {")
	require.Contains(t, copied, "if a <= b {")
}

func TestReasonsAreKept(t *testing.T) {
	s, err := list("p/p.go", []byte(sample))
	require.NoError(t, err)
	all := s.funcs[0].mutants
	why := map[string]string{all[0].name(): "equivalent: so it is", all[1].name(): "hole: not looked at"}
	path := filepath.Join(t.TempDir(), "score.txt")
	require.NoError(t, os.WriteFile(path, render("a head\nof two lines", all[:3], why), 0o600))
	got, err := argued(path)
	require.NoError(t, err)
	why[all[2].name()] = "unargued:"
	require.Equal(t, why, got)
	require.Equal(t, []string{equivalent, hole, unargued},
		[]string{class(got[all[0].name()]), class(got[all[1].name()]), class(got[all[2].name()])})
}

func TestWhatASweepSays(t *testing.T) {
	for out, want := range map[string]struct {
		by    string
		whole bool
	}{
		"{\"type\":\"summary\"}\n": {survived, true},
		"{\"type\":\"finding\",\"verdict\":\"violation\",\"property\":\"match\"}\n{\"type\":\"summary\"}": {"match", true},
		"{\"type\":\"finding\",\"verdict\":\"internal\"}\n{\"type\":\"summary\",\"internal\":1}":          {crashed, true},
		"":                     {survived, false},
		"fatal error: no more": {survived, false},
	} {
		by, whole := judge([]byte(out))
		require.Equal(t, want.by, by, out)
		require.Equal(t, want.whole, whole, out)
	}
}

func TestAScoreBelowWhatIsWanted(t *testing.T) {
	s, err := list("p/p.go", []byte(sample))
	require.NoError(t, err)
	lost := s.funcs[0].mutants[0]
	for reason, want := range map[string]error{"": errUnargued, "hole: so it is": errLow, "equivalent: so it is": nil, "dead: so it is": nil} {
		r := &result{all: 10, survivors: []*mutant{lost}}
		require.Equal(t, want, r.verdict(map[string]string{lost.name(): reason}), reason)
	}
	r := &result{all: 20, survivors: []*mutant{lost}}
	require.NoError(t, r.verdict(map[string]string{lost.name(): "hole: one in twenty"}))
}
