package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlaceIsWholeOrAsItWas writes, fails to write, and only asks.
func TestPlaceIsWholeOrAsItWas(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	holds := func(want string) {
		t.Helper()
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
		all, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, all, 2, "something was left behind")
	}
	require.NoError(t, os.Symlink("file", link))
	require.NoError(t, os.WriteFile(name, []byte("old"), 0o600))
	require.NoError(t, writeFile(link, []byte("new")))
	holds("new")
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink, "the link stays one")
	info, err = os.Stat(name)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())

	p, err := openPlace(name)
	require.NoError(t, err)
	_, err = p.Write([]byte("half"))
	require.NoError(t, err)
	broken := errors.New("broken")
	require.ErrorIs(t, p.close(broken), broken)
	holds("new")
	require.NoError(t, writable(name))
	holds("new")
}

// TestPlaceNamesWhatWasAskedFor has errors of the file beside it.
func TestPlaceNamesWhatWasAskedFor(t *testing.T) {
	dir := t.TempDir()
	absent := filepath.Join(dir, "absent", "file")
	require.EqualError(t, writable(absent), "open "+absent+": no such file or directory")
	require.EqualError(t, writeFile(dir, nil), "open "+dir+": is a directory")
	require.EqualError(t, writable(""), "a file without a name")
	p, err := openPlace(filepath.Join(dir, "file"))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "file"), 0o700))
	require.EqualError(t, p.close(nil), "rename "+p.name+": file exists")
}

// TestPlaceLeavesDevices writes into one, and does not put a file in its place.
func TestPlaceLeavesDevices(t *testing.T) {
	require.NoError(t, writeFile(os.DevNull, []byte("gone")))
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	require.False(t, info.Mode().IsRegular())
}
