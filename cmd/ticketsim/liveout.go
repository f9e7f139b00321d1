package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ticketing/model"
)

// liveOut is the directory that the history of a live run goes to, or "". A history that is there is never written over, and one
// that is not whole never has its name.
type liveOut string

// file is the name of the history.
func (d liveOut) file() string { return filepath.Join(string(d), "history.txt") }

// check makes sure that the history can be written, before hours are spent on it. It leaves the directory, and nothing in it.
func (d liveOut) check() error {
	if d == "" {
		return nil
	}
	if err := os.MkdirAll(string(d), 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if err := d.vacant(); err != nil {
		return err
	}
	f, err := d.beside()
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// vacant returns an error if there is a history.
func (d liveOut) vacant() error {
	switch _, err := os.Lstat(d.file()); {
	case err == nil:
		return fmt.Errorf("--out: %s is there already: name another directory, or move it away", d.file())
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return fmt.Errorf("--out: %w", err)
	}
}

// beside creates the file that the history is written to.
func (d liveOut) beside() (*os.File, error) {
	f, err := os.CreateTemp(string(d), ".history.txt-*")
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	return f, nil
}

// write writes the history and gives it its name. If another run has taken the name meanwhile, the error says where it is.
func (d liveOut) write(h *model.History) error {
	if d == "" {
		return nil
	}
	f, err := d.beside()
	if err != nil {
		return err
	}
	if err := errors.Join(h.Write(f, model.Text), f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("--out: %w", err)
	}
	if err := d.vacant(); err != nil {
		return fmt.Errorf("%w; the history of this run is %s", err, f.Name())
	}
	if err := os.Rename(f.Name(), d.file()); err != nil {
		return fmt.Errorf("--out: %w; the history is %s", err, f.Name())
	}
	return nil
}
