package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"ticketing/checker"
	"ticketing/sim/choice"
)

// recheckCmd runs every finding of an old sweep again.
type recheckCmd struct {
	Dir  string `arg:"" placeholder:"DIR" help:"What a sweep kept with --out."`
	JSON bool   `name:"json" help:"Print one JSON object a line: findings, then a summary."`
}

// What became of a finding.
const (
	stillFails = "still fails"
	isFixed    = "fixed"
	isDiverged = "diverged"
)

// rechecked is one finding, and what became of it.
type rechecked struct {
	Type     string `json:"type"`
	Became   string `json:"became"`
	Verdict  string `json:"verdict"` // that was kept
	Property string `json:"property"`
	Count    uint64 `json:"count"`
	Why      string `json:"why"`
	Replay   string `json:"replay"`

	code exit
}

// recheckSum is the last line, as JSON.
type recheckSum struct {
	Type     string `json:"type"`
	Findings int    `json:"findings"`
	Fails    int    `json:"still_fails"`
	Fixed    int    `json:"fixed"`
	Diverged int    `json:"diverged"`
	Unread   int    `json:"unread,omitempty"` // whose case there is not, or is none
}

func (c *recheckCmd) run(t *tool) (exit, error) {
	a := &archive{dir: c.Dir}
	list, err := a.read()
	if err != nil {
		return exitUsage, fmt.Errorf("recheck: %w", err)
	}
	signal := listen()
	defer signal.stop()
	out := bufio.NewWriter(t.stdout)
	code, sum := exitOK, recheckSum{Type: "summary", Findings: len(list)}
	for i := range list {
		if signal.exit() != exitOK {
			break
		}
		s, err := a.subject(&t.engine, &list[i])
		if err != nil { // the others are there
			code = worst(code, t.complain(exitUsage, fmt.Errorf("recheck: %w", err)))
			sum.Unread++
			continue
		}
		r := again(&t.engine, s, &list[i])
		code = worst(code, r.code)
		sum.add(r)
		c.print(out, r)
	}
	c.printSum(out, &sum)
	if err := out.Flush(); err != nil {
		return t.complain(worst(code, exitInternal), fmt.Errorf("cannot write the results: %w", err)), nil
	}
	if len(list) == 0 {
		return t.complain(exitNothing, errors.New("recheck: there are no findings")), nil
	}
	return worst(code, signal.exit()), nil
}

// again runs a finding once more. Where it passes, the bug is gone or the world has changed under it: the fingerprint of the
// worlds alone tells, and so do worlds that go another way from somewhere on.
func again(e *engine, s *subject, k *kept) rechecked {
	o := s.try(e, s.runner(e), checker.Config{})
	r := rechecked{Type: "rechecked", Verdict: k.Verdict, Property: k.Property, Count: max(1, k.Count), Replay: k.Replay}
	if s.kept != nil {
		r.Replay = "go run ./cmd/ticketsim run " + quoted(s.file) + " --trace"
	}
	became := func(what string, code exit, why string) rechecked {
		r.Became, r.code, r.Why = what, code, why
		return r
	}
	switch {
	case k.alike(&o) && o.loose != "":
		return became(stillFails, o.code, "in a run like the one that was kept: "+o.loose)
	case k.alike(&o):
		return became(stillFails, o.code, "")
	case o.code != exitOK && o.code != exitDiverged:
		return became(stillFails, o.code, fmt.Sprintf("in another way: %s of %s", o.verdict, o.Property))
	}
	if code, fails := near(e, s, k); fails > 0 {
		r.Replay = "go run ./cmd/ticketsim sweep --scenario " + s.scenario
		return became(stillFails, code, fmt.Sprintf("not in this run, but in %d of %d that begin like it", fails, nearMoments*nearWorlds))
	}
	worlds := e.worldBuild(s.scenario)
	switch {
	case worlds != 0 && k.Worlds == hex(worlds), o.Property == divergedVerdict:
		return became(isFixed, exitOK, "")
	case s.kept == nil:
		return became(isDiverged, exitDiverged, "a seed is another world in this build, and no case of it was kept")
	}
	return became(isDiverged, exitDiverged, o.Facts[0])
}

// How many worlds may show that a failure is only somewhere else now.
const (
	nearMoments = 4
	nearWorlds  = 128
)

// near runs worlds that begin like a case and go on at random, from its end and from some moments before, and says how many
// of them fail alike.
func near(e *engine, s *subject, k *kept) (code exit, fails int) {
	if s.kept == nil {
		return exitOK, 0
	}
	var branch choice.Branch
	r := s.runner(e)
	for moment := range nearMoments {
		picks := s.kept.Picks[:len(s.kept.Picks)*(nearMoments-moment)/nearMoments]
		for world := range nearWorlds {
			branch.Reset(picks, uint64(world))
			o := e.try(r, s.seed, checker.Config{Scenario: s.scenario, Source: &branch})
			if o.broken() {
				r = s.runner(e)
			}
			if k.alike(&o) {
				code, fails = o.code, fails+1
			}
		}
	}
	return code, fails
}

func (s *recheckSum) add(r rechecked) {
	switch r.Became {
	case stillFails:
		s.Fails++
	case isFixed:
		s.Fixed++
	default:
		s.Diverged++
	}
}

func (c *recheckCmd) print(w io.Writer, r rechecked) {
	if c.JSON {
		_ = newEncoder(w).Encode(r) // an error comes back at the end
		return
	}
	seeds := "seeds"
	if r.Count == 1 {
		seeds = "seed"
	}
	fmt.Fprintf(w, "%s: %s of %s, %s %s\n", r.Became, r.Verdict, r.Property, grouped(r.Count), seeds)
	if r.Why != "" {
		fmt.Fprintf(w, "    %s\n", r.Why)
	}
	if r.Became == stillFails {
		fmt.Fprintln(w, r.Replay)
	}
}

func (c *recheckCmd) printSum(w io.Writer, s *recheckSum) {
	if c.JSON {
		_ = newEncoder(w).Encode(s)
		return
	}
	fmt.Fprintf(w, "%d findings: %d still fail, %d fixed, %d diverged\n", s.Findings, s.Fails, s.Fixed, s.Diverged)
	if s.Unread > 0 {
		fmt.Fprintf(w, "%d cannot be read, and were not run\n", s.Unread)
	}
	if left := s.Findings - s.Fails - s.Fixed - s.Diverged - s.Unread; left > 0 {
		fmt.Fprintf(w, "interrupted: %d were not run\n", left)
	}
}
