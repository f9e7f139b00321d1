package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ticketing/checker"
	"ticketing/seeds"
	"ticketing/sim/choice"
)

// subject is what run runs: a seed, or the recorded picks of a case.
type subject struct {
	seed     uint64
	scenario string
	strategy strategy // of the seed
	file     string   // of the case
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
	return &subject{seed: kept.Seed, scenario: kept.Scenario, strategy: strategy(cmp.Or(kept.Strategy, choice.Random)), file: file, kept: kept}, nil
}

func (s *subject) String() string {
	if s.kept != nil {
		return fmt.Sprintf("case %s, seed %d, scenario %s", s.file, s.seed, s.scenario)
	}
	return fmt.Sprintf("seed %d, scenario %s%s", s.seed, s.scenario, s.strategy.aside())
}

// arguments are those of run that name the subject.
func (s *subject) arguments() string {
	if s.kept != nil {
		return quoted(s.file)
	}
	return fmt.Sprintf("%d --scenario %s%s", s.seed, s.scenario, s.strategy.flag())
}

// runner makes one for the subject.
func (s *subject) runner(e *engine) runner { return e.maker(s.shadow)() }

// try runs the subject as c says, but for the scenario, which is the subject's.
func (s *subject) try(e *engine, r runner, c checker.Config) outcome {
	c.Scenario = s.scenario
	o := outcome{}
	if s.kept == nil {
		c.Strategy = s.strategy.source()
		o = e.try(r, s.seed, c)
	} else {
		o = s.replay(e, r, c)
	}
	o.strategy, o.shadow = s.strategy, s.shadow
	return o
}

// source answers what the subject was asked.
func (s *subject) source() choice.Source {
	if s.kept != nil {
		replay := &choice.Replay{}
		replay.Reset(s.kept.Picks)
		return replay
	}
	source := s.strategy.source()
	source.Reset(s.seed)
	return source
}

// How a case stops testing what it was kept for: its picks are no longer what the world asks, or they are, and the world
// no longer ends like that.
const (
	divergedPicks   = "picks"
	divergedVerdict = "verdict"
)

// replay runs a case. Where the world asks something else than it was kept with, it follows the picks as far as they go: a
// failure that shows is one, and silence says nothing.
func (s *subject) replay(e *engine, r runner, c checker.Config) outcome {
	var diverged error
	o := e.guard(s.seed, s.scenario, func() (res checker.Result, err error) {
		res, diverged, err = e.replay(r, s.kept, c)
		return res, err
	})
	o.file = s.file
	switch {
	case o.code == exitInternal:
	case diverged != nil && (s.alike(&o) || o.code == exitViolation || o.code == exitSelf):
		o.loose = diverged.Error()
	case diverged != nil:
		o.verdict, o.code, o.Property, o.Facts, o.Tail = "diverged", exitDiverged, divergedPicks, s.drift(e, diverged), nil
	case !s.kept.Met(o.Result) && o.code == exitOK:
		// What it was kept to show does not show any more.
		o.Facts = []string{"kept as: " + strings.TrimSpace(s.kept.Verdict+" "+s.kept.Property), "now:     " + o.verdict}
		o.verdict, o.code, o.Property = "diverged", exitDiverged, divergedVerdict
	}
	return o
}

// drift is what there is to say about a case that diverged: where, and who has changed since it was recorded.
func (s *subject) drift(e *engine, diverged error) []string {
	facts := []string{diverged.Error()}
	here := e.worldBuild(s.scenario)
	switch {
	case s.kept.World == 0 || here == 0:
		return facts
	case here == s.kept.World:
		return append(facts, "the worlds are those that it was recorded in: the client has changed")
	}
	return append(facts, fmt.Sprintf("the worlds of this build (%s) are not those that it was recorded in (%s)", hex(here), hex(s.kept.World)))
}

// alike says whether an outcome is the failure that a case was kept for.
func (s *subject) alike(o *outcome) bool { return shrinkable(o) && s.kept.Met(o.Result) }
