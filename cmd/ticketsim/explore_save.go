package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"ticketing/checker"
	"ticketing/sim"
	"ticketing/sim/choice"
	"ticketing/sim/explore"
)

// savedMax bounds the file of a search, in bytes: that of the most states there may be.
const savedMax = 24 << 30

// saves looks whether a search that ends early could be kept, before hours have gone into it. It takes the place of the one
// that it goes on with, and of no other.
func (c *exploreCmd) saves() error {
	if c.Resume != "" {
		if err := isSearch(c.Resume); err != nil {
			return fmt.Errorf("--resume: %w", err)
		}
	}
	if c.Save == "" {
		c.Save = c.Resume
	}
	if c.Save == "" {
		return nil
	}
	err := isSearch(c.Save)
	switch {
	case err == nil && !sameFile(c.Save, c.Resume):
		return fmt.Errorf("--save: %s is there and keeps a search: --resume %s goes on with it, and another FILE leaves it alone",
			c.Save, quoted(c.Save))
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("--save: %w", err)
	}
	if err := writable(c.Save); err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	return nil
}

// sameFile says whether two names are there and of one file.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// isSearch says why a file is no search that was kept, by how it begins.
func isSearch(name string) error {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular() || info.Size() > savedMax:
		return fmt.Errorf("%s is there and is no search that was kept", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, len(explore.Magic))
	if _, err := io.ReadFull(f, head); err != nil || string(head) != explore.Magic {
		return fmt.Errorf("%s is there and is no search that was kept", name)
	}
	return nil
}

// search makes the search of a scope, or takes up the one that was kept.
func (c *exploreCmd) search(t *tool, s *sim.Scenario, signal *interrupt) (*explore.Search, error) {
	p := s.Draw(&choice.Bytes{})
	o := explore.Options{StatesMax: c.MaxStates, DepthMax: c.MaxDepth, Unreduced: c.Unreduced, Build: t.engine.build(s.Name),
		Stop: func() bool { return signal.exit() != exitOK }, Panicked: checker.PanicOf}
	if c.Resume == "" {
		return explore.New(t.engine.newWorld, &p, o), nil
	}
	saved, err := os.ReadFile(c.Resume)
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	search, err := explore.Resume(saved, t.engine.newWorld, &p, o)
	if err != nil {
		return nil, fmt.Errorf("--resume: %s: %w", c.Resume, err)
	}
	return search, nil
}

// save keeps a search that ended early.
func (c *exploreCmd) save(search *explore.Search, x *exploration) error {
	if c.Save == "" {
		return nil
	}
	saved := search.Save()
	if saved == nil {
		return nil
	}
	if err := writeFile(c.Save, saved); err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	x.saved = c.Save
	if c.MaxDepth != explore.MaxDepth {
		x.how = fmt.Sprintf(" --max-depth %d", c.MaxDepth)
	}
	if c.Unreduced {
		x.how += " --unreduced"
	}
	return nil
}
