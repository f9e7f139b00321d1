package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"ticketing/checker"
	"ticketing/checker/audit"
	"ticketing/seeds"
	"ticketing/sim"
	"ticketing/sim/choice"
	"ticketing/sim/explore"
)

// exploreCmd visits every state of small worlds.
type exploreCmd struct {
	Scope     string `placeholder:"NAME" help:"One scope (default: all of those that an unknown name lists)."`
	MaxStates int    `default:"50000000" placeholder:"N" help:"End a scope with the first state beyond N different ones."`
	MaxDepth  int    `default:"16384" placeholder:"N" help:"Take no path beyond N events (default and most: 16384)."`
	Unreduced bool   `help:"Follow every state and take every event: no symmetry, and no event sleeps."`
	Compare   bool   `xor:"how" help:"Search each scope three times, with and without reductions: nothing may be left out."`
	Planted   bool   `xor:"how" help:"Explore with planted bugs, those of seeds/mutants/scopes.txt: each must be found."`
	Record    string `placeholder:"FILE" help:"Write the path to a violation as a case."`
	Save      string `placeholder:"FILE" help:"Where a search is kept that ends early (default: the FILE of --resume, if any). Another search that is there stays, and is an error."`
	Resume    string `placeholder:"FILE" help:"Go on with the search that was kept there."`
	JSON      bool   `name:"json" help:"Print JSON objects, one a line."`
}

func (c *exploreCmd) run(t *tool) (exit, error) {
	scopes, err := c.scopes()
	if err == nil && c.Record != "" {
		err = c.records()
	}
	if err == nil {
		err = c.saves()
	}
	if err != nil {
		return exitUsage, err
	}
	signal := listen()
	defer signal.stop()
	if c.Planted {
		return c.planted(t, signal)
	}
	visit := c.explore
	if c.Compare {
		visit = c.compare
	}
	code := exitOK
	for _, s := range scopes {
		e, err := visit(t, s, signal)
		if code = worst(code, e); err != nil {
			return code, err
		}
		if signal.exit() != exitOK {
			return worst(code, signal.exit()), nil
		}
	}
	return code, nil
}

// scopes are those to explore, or what is wrong with the flags.
func (c *exploreCmd) scopes() ([]*sim.Scenario, error) {
	var all []*sim.Scenario
	var names []string
	for i := range sim.Scopes {
		s := &sim.Scopes[i]
		names = append(names, s.Name)
		if c.Scope == "" || c.Scope == s.Name {
			all = append(all, s)
		}
	}
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("--scope: unknown scope %q, not one of %s", c.Scope, strings.Join(names, ", "))
	case c.MaxStates < 1 || c.MaxStates > 1<<31:
		return nil, fmt.Errorf("--max-states: %d is not in 1..2^31", c.MaxStates)
	case c.MaxDepth < 1 || c.MaxDepth > explore.MaxDepth:
		return nil, fmt.Errorf("--max-depth: %d is not in 1..%d", c.MaxDepth, explore.MaxDepth)
	}
	for _, f := range []struct{ name, file string }{{"record", c.Record}, {"save", c.Save}, {"resume", c.Resume}} {
		if f.file != "" && c.Scope == "" {
			return nil, fmt.Errorf("--%s: of which --scope?", f.name)
		}
	}
	return all, nil
}

// explore visits one scope and prints what it was.
func (c *exploreCmd) explore(t *tool, s *sim.Scenario, signal *interrupt) (exit, error) {
	x := exploration{scope: s}
	search, err := c.search(t, s, signal)
	if err != nil {
		return exitUsage, err
	}
	begin, visited := time.Now(), search.States()
	x.Report = search.Run()
	x.took, x.visited = time.Since(begin), x.States-visited
	if err := x.replay(&t.engine); err != nil {
		return exitSelf, err
	}
	unkept := errors.Join(c.record(t, &x), c.save(search, &x)) // what was found is told all the same
	if err := x.print(t.stdout, c.JSON); err != nil {
		return worst(x.code(), exitInternal), errors.Join(unkept, fmt.Errorf("cannot write the results: %w", err))
	}
	return x.code(), unkept
}

// records looks whether a violation could be recorded, and over what.
func (c *exploreCmd) records() error {
	old, err := replaced(c.Record)
	if err == nil && old != nil && old.Scenario != c.Scope {
		return fmt.Errorf("--record: %s is there and is a case of scenario %s", c.Record, old.Scenario)
	}
	return err
}

// record writes the path to a violation.
func (c *exploreCmd) record(t *tool, x *exploration) error {
	if c.Record == "" || !x.runs() {
		return nil
	}
	if err := writeFile(c.Record, x.path(&t.engine).Text()); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	x.kept = c.Record
	return nil
}

// exploration is one scope, and what became of it.
type exploration struct {
	explore.Report
	scope *sim.Scenario
	took  time.Duration
	story []string
	kept  string // file of the violation's path, or ""
	saved string // file of the search that ended early, or ""
	how   string // the flags with which it goes on
	// visited are the states of this session: a search that goes on has others.
	visited uint64
}

func (x *exploration) code() exit {
	switch {
	case x.Violation != nil && strings.HasPrefix(x.Violation.Property, audit.AssumptionPrefix):
		return exitInconclusive
	case x.Violation != nil:
		return exitViolation
	case x.Limit != explore.LimitNone:
		return exitInconclusive
	}
	return exitOK
}

func (x *exploration) verdict() string {
	switch x.code() {
	case exitViolation:
		return checker.Violation.String()
	case exitInconclusive:
		if x.Violation != nil {
			return checker.Assumption.String()
		}
		return "incomplete"
	}
	return "complete"
}

// runs says whether there is a violation that a run of its path shows. A path that goes round is told, and is no run: it has
// no end.
func (x *exploration) runs() bool { return x.Violation != nil && x.Violation.Property != explore.Round }

// replay runs the path to the violation the ordinary way, where it must show the same, and tells its story.
func (x *exploration) replay(e *engine) error {
	if x.Violation == nil {
		return nil
	}
	var picks choice.Replay
	picks.Reset(x.Violation.Picks)
	o := e.try(e.newRunner(), 0, checker.Config{Scenario: x.scope.Name, Source: &picks, EventsMax: int64(x.Violation.Events) + 1,
		Story: func(line string) { x.story = append(x.story, line) }})
	if x.runs() && (o.Property != x.Violation.Property || picks.Divergence() != nil) {
		return fmt.Errorf("%s: the search found a violation of %s, and the run of its path ends with %s %s",
			x.scope.Name, x.Violation.Property, o.verdict, o.Property)
	}
	return nil
}

// path is the path to the violation as a case.
func (x *exploration) path(e *engine) *seeds.Case {
	return &seeds.Case{Prose: strings.Join(x.tale(), "\n") + "\n", Scenario: x.scope.Name, Shrunk: true, Build: e.build(x.scope.Name),
		Verdict: x.verdict(), Property: x.Violation.Property, Picks: x.Violation.Picks}
}

// tale is the path to the violation in numbered lines, and last what contradicts.
func (x *exploration) tale() []string {
	v := x.Violation
	var lines []string
	for i, line := range x.story {
		lines = append(lines, fmt.Sprintf("%3d. %s", i+1, line))
	}
	length := "the shortest path there is"
	if !v.Shortest {
		length = "a shorter path may be left"
	}
	lines = append(lines, fmt.Sprintf("This is a violation of %s after %d events, %s:", v.Property, v.Events, length))
	for _, f := range v.Facts {
		lines = append(lines, "     "+f)
	}
	return lines
}
