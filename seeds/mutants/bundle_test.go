package mutants

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

const machine = `package f

import "strconv"

const most = 3

func (m *M) weigh(a, b int, more ...string) (int, error) {
	return a + b, nil
}

func (m *M) reset() {
	m.n = 0
}

func nameless(int) int { return 1 }

func other() string { return strconv.Itoa(most) }
`

// version is a mutant that makes one line another.
func version(id, from, to string) *Mutant {
	lines := strings.SplitAfter(machine, "\n")
	m := &Mutant{ID: id, File: Dir + "/" + id + ".patch"}
	for i, line := range lines {
		if strings.Contains(line, from) {
			m.patches = []filePatch{{"d/f.go", []hunk{{1, i + 1, []string{line}, []string{strings.Replace(line, from, to, 1)}}}}}
		}
	}
	return m
}

// What changes bodies of functions is put together, and nothing else.
func TestBundle(t *testing.T) {
	minus, plus := version("minus", "a + b", "a - b"), version("plus", "a + b", "b + a")
	zero := version("zero", "m.n = 0", "m.n = 1")
	all := []*Mutant{minus, plus, zero, version("constant", "most = 3", "most = 4"), version("signature", "reset()", "reset(n int)"),
		version("nobody", "{ return 1 }", "{ return 2 }"), version("import", `"strconv"`, `. "strconv"`),
		version("helper", "func other() string", "func help() {}; func other() string")}
	b, err := NewBundle(fstest.MapFS{"d/f.go": {Data: []byte(machine)}}, all)
	require.NoError(t, err)
	for i, m := range all {
		want := 0
		if i < 3 {
			want = i + 1
		}
		require.Equal(t, want, b.Number(m), m.ID)
	}
	require.Len(t, b.Files, 2)
	require.Equal(t, "d/f.go", b.Files[0].Path)
	require.Equal(t, "d/zz_planted.go", b.Files[1].Path)
	for _, f := range b.Files {
		_, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Text, 0)
		require.NoError(t, err)
	}
	text := string(b.Files[0].Text)
	for _, want := range []string{
		"switch plantedBug {\ncase 1: return m.weigh_planted1(a, b, more...)\ncase 2: return m.weigh_planted2(a, b, more...)\n}\n",
		"case 3: m.reset_planted3(); return\n",
		"func (m *M) weigh_planted1(a, b int, more ...string) (int, error) {\n\treturn a - b, nil\n}",
		"func (m *M) reset_planted3() {\n\tm.n = 1\n}",
		"\treturn a + b, nil\n",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "nameless_planted")
}

// Most of the mutants that ship are built together: one by one, they take most of the time.
func TestMostAreBundled(t *testing.T) {
	var sweeps []*Mutant
	for _, m := range shipped(t) {
		if m.Kind == Sweep {
			sweeps = append(sweeps, m)
		}
	}
	b, err := NewBundle(os.DirFS("../.."), sweeps)
	require.NoError(t, err)
	require.Greater(t, len(b.numbers)*10, len(sweeps)*8)
}
