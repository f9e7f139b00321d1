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

// saves looks whether a search that ends early could be kept, before hours have gone into it.
func (c *exploreCmd) saves() error {
	if c.Save == "" {
		c.Save = c.Resume
	}
	if c.Save == "" {
		return nil
	}
	f, err := os.Open(c.Save)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	defer f.Close()
	head := make([]byte, len(explore.Magic))
	if _, err := io.ReadFull(f, head); err != nil || string(head) != explore.Magic {
		return fmt.Errorf("--save: %s is there and is no search that was kept", c.Save)
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
	saved, err := readSearch(c.Resume)
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	search, err := explore.Resume(saved, t.engine.newWorld, &p, o)
	if err != nil {
		return nil, fmt.Errorf("--resume: %s: %w", c.Resume, err)
	}
	return search, nil
}

func readSearch(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > savedMax:
		return nil, fmt.Errorf("%s is no search that was kept", name)
	}
	return os.ReadFile(name)
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
	if c.MaxDepth != 0 {
		x.how = fmt.Sprintf(" --max-depth %d", c.MaxDepth)
	}
	if c.Unreduced {
		x.how += " --unreduced"
	}
	return nil
}
