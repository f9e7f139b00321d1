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

// try runs the subject. trace may be nil.
func (s *subject) try(e *engine, r runner, trace func(string)) outcome {
	if s.kept == nil {
		return e.try(r, s.seed, checker.Config{Scenario: s.scenario, Trace: trace})
	}
	var diverged error
	o := e.guard(s.seed, s.scenario, func() (res checker.Result, err error) {
		res, diverged, err = e.replay(r, s.kept, trace)
		return res, err
	})
	o.file = s.file
	switch {
	case o.code == exitInternal:
	case diverged != nil:
		o.verdict, o.code, o.Property, o.Facts = "diverged", exitDiverged, "picks", []string{diverged.Error()}
	case !s.kept.Met(o.Result) && o.code == exitOK:
		// What it was kept to show does not show any more.
		o.Facts = []string{"kept as: " + strings.TrimSpace(s.kept.Verdict+" "+s.kept.Property), "now:     " + o.verdict}
		o.verdict, o.code, o.Property = "diverged", exitDiverged, "verdict"
	}
	return o
}
