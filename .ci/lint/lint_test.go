package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// TestArchives lints the small module in each archive of testdata and compares with its file "want", line by
// line. Each rule has an archive that breaks it, and one beside it that only looks as if it did.
func TestArchives(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(name)
			require.NoError(t, err)
			files, want := map[string]string{}, ""
			for _, f := range a.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				files[f.Name] = string(f.Data)
			}
			require.Equal(t, want, lintFiles(t, files))
		})
	}
}

// TestBounds writes functions and files on both sides of each bound.
func TestBounds(t *testing.T) {
	function := func(name string, n int) string {
		return "func " + name + "() {\n" + strings.Repeat("\t_ = 0\n", n-2) + "}\n"
	}
	literal := func(name string, n int) string {
		return "var " + name + " = func() {\n" + strings.Repeat("\t_ = 0\n", n-2) + "}\n"
	}
	file := func(n int) string { return "package client\n" + strings.Repeat("// a line\n", n-1) }
	for _, c := range []struct{ name, text, want string }{
		{"function at the bound", "package client\n\n" + function("f", 70), ""},
		{"function over it", "package client\n\n" + function("f", 71), "client/a.go:3: function f has 71 lines, at most 70 are allowed\n"},
		{"literal at the bound", "package client\n\n" + literal("f", 70), ""},
		{"literal over it", "package client\n\n" + literal("f", 71), "client/a.go:3: the function literal has 71 lines, at most 70 are allowed\n"},
		{"file at the bound", file(500), ""},
		{"file over it", file(501), "client/a.go:1: the file has 501 lines, at most 500 are allowed\n"},
		{"file at the bound without a last newline", strings.TrimSuffix(file(500), "\n"), ""},
		{"file over it without a last newline", strings.TrimSuffix(file(501), "\n"), "client/a.go:1: the file has 501 lines, at most 500 are allowed\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, lintFiles(t, map[string]string{"client/a.go": c.text}))
		})
	}
}

// TestRowsHold keeps the table of layers honest: a row that is there twice, or knows a row that there is not,
// is one that nobody checks. No program may come to hold what only tests import.
func TestRowsHold(t *testing.T) {
	seen, forTests := map[string]bool{}, map[string]bool{}
	for _, l := range layers {
		require.False(t, seen[l.path], l.path)
		seen[l.path], forTests[l.path] = true, l.forTests
	}
	for _, l := range layers {
		for _, k := range l.knows {
			require.True(t, seen[k], "%s knows %s, which has no row", l.path, k)
			require.False(t, forTests[k], "%s knows %s, which is for tests", l.path, k)
		}
	}
	require.Equal(t, "client/demux", layerOf("client/demux").path)
	require.Equal(t, "client", layerOf("client/clientel").path)
	require.Nil(t, layerOf("clientele"))
}

func TestNothingToLookAt(t *testing.T) {
	_, err := lint(filepath.Join(t.TempDir(), "absent"))
	require.Error(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module ticketing\n"), 0o644))
	_, err = lint(dir)
	require.ErrorContains(t, err, "no package")
}

// lintFiles writes a module, lints it, and returns the findings as text.
func lintFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if files["go.mod"] == "" {
		files["go.mod"] = "module ticketing\n\ngo 1.26.0\n"
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	found, err := lint(dir)
	require.NoError(t, err)
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}
