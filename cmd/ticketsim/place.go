package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// place is where a file is to be written. It is written beside it and renamed, so that it is there whole or as it was; what is
// no ordinary file, as a device or a pipe, is written as it is. Errors name the file that was asked for.
type place struct {
	name  string      // as it was asked for
	real  string      // where links lead
	mode  fs.FileMode // that it is to have
	f     *os.File
	aside bool // f is beside it
}

func openPlace(name string) (*place, error) {
	if name == "" {
		return nil, errors.New("a file without a name")
	}
	p := &place{name: name, real: name, mode: 0o644, aside: true}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		p.real = real
	}
	if info, err := os.Stat(name); err == nil {
		p.mode, p.aside = info.Mode().Perm(), info.Mode().IsRegular()
	}
	var err error
	if p.aside {
		p.f, err = os.CreateTemp(filepath.Dir(p.real), "."+filepath.Base(p.real)+"-*")
	} else {
		p.f, err = os.OpenFile(p.real, os.O_WRONLY, 0)
	}
	if err != nil {
		return nil, p.named(err)
	}
	return p, nil
}

func (p *place) Write(b []byte) (int, error) {
	n, err := p.f.Write(b)
	return n, p.named(err)
}

// close ends the writing, which came to err; unless that is nil, the file stays as it was. It must be called once.
func (p *place) close(err error) error {
	if !p.aside {
		return errors.Join(err, p.named(p.f.Close()))
	}
	if err == nil {
		err = p.named(errors.Join(p.f.Chmod(p.mode), p.f.Sync()))
	}
	if failed := p.named(p.f.Close()); err == nil {
		err = failed
	}
	if err == nil {
		err = p.named(os.Rename(p.f.Name(), p.real))
	}
	if err != nil {
		os.Remove(p.f.Name())
	}
	return err
}

// named is an error of the file beside it, as one of the file.
func (p *place) named(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return &fs.PathError{Op: path.Op, Path: p.name, Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: link.Op, Path: p.name, Err: link.Err}
	}
	return err
}

// writeFile writes a file at once or not at all.
func writeFile(name string, text []byte) error {
	p, err := openPlace(name)
	if err != nil {
		return err
	}
	_, err = p.Write(text)
	return p.close(err)
}

// errProbe ends a writing that was none.
var errProbe = errors.New("nothing to write")

// writable says whether a file could be written, before there is work to lose.
func writable(name string) error {
	p, err := openPlace(name)
	if err != nil {
		return err
	}
	if err := p.close(errProbe); !errors.Is(err, errProbe) {
		return err
	}
	return nil
}
