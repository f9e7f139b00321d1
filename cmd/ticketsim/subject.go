package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ticketing/checker"
	"ticketing/seeds"
)

// subject is what run runs: a seed, or the recorded picks of a case.
type subject struct {
	seed     uint64
	scenario string
	file     string // of the case
	kept     *seeds.Case
	shadow   bool
}

// newSubject reads the argument of run: a number is a seed, anything else the name of a case's file.
func newSubject(e *engine, arg, scenario string) (*subject, error) {
	if strings.Trim(arg, "0123456789") != "" {
		return newCaseSubject(arg, scenario)
	}
	name, err := e.scenario(scenario)
	if err != nil {
		return nil, err
	}
	seed, err := parseSeed(arg)
	if err != nil {
		return nil, err
	}
	return &subject{seed: seed, scenario: name}, nil
}

func newCaseSubject(file, scenario string) (*subject, error) {
	if scenario != "" {
		return nil, errors.New("--scenario: a case has its own")
	}
	kept, err := seeds.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return nil, fmt.Errorf("%q is neither a seed nor a case: %w", file, err)
	}
	return &subject{seed: kept.Seed, scenario: kept.Scenario, file: file, kept: kept}, nil
}

func (s *subject) String() string {
	if s.kept != nil {
		return fmt.Sprintf("case %s, seed %d, scenario %s", s.file, s.seed, s.scenario)
	}
	return fmt.Sprintf("seed %d, scenario %s", s.seed, s.scenario)
}

// runner makes one for the subject.
func (s *subject) runner(e *engine) runner { return e.maker(s.shadow)() }

// try runs the subject as c says, but for the scenario, which is the subject's.
func (s *subject) try(e *engine, r runner, c checker.Config) outcome {
	c.Scenario = s.scenario
	o := outcome{}
	if s.kept == nil {
		o = e.try(r, s.seed, c)
	} else {
		o = s.replay(e, r, c)
	}
	o.shadow = s.shadow
	return o
}

func (s *subject) replay(e *engine, r runner, c checker.Config) outcome {
	var diverged error
	o := e.guard(s.seed, s.scenario, func() (res checker.Result, err error) {
		res, diverged, err = e.replay(r, s.kept, c)
		return res, err
	})
	o.file = s.file
	switch {
	case o.code == exitInternal:
	case diverged != nil:
		o.verdict, o.code, o.Property, o.Facts, o.Tail = "diverged", exitDiverged, "picks", []string{diverged.Error()}, nil
	case !s.kept.Met(o.Result) && o.code == exitOK:
		// What it was kept to show does not show any more.
		o.Facts = []string{"kept as: " + strings.TrimSpace(s.kept.Verdict+" "+s.kept.Property), "now:     " + o.verdict}
		o.verdict, o.code, o.Property = "diverged", exitDiverged, "verdict"
	}
	return o
}
