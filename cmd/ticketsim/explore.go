package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
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
	MaxStates int    `default:"50000000" placeholder:"N" help:"End a scope after N different states."`
	MaxDepth  int    `placeholder:"N" help:"Take no path beyond N events (default and most: 16384)."`
	Unreduced bool   `help:"Follow every state, not one of each set of symmetric ones."`
	Record    string `placeholder:"FILE" help:"Write the path to a violation as a case."`
	JSON      bool   `name:"json" help:"Print JSON objects, one a line."`
}

func (c *exploreCmd) run(t *tool) (exit, error) {
	scopes, err := c.scopes()
	if err == nil && c.Record != "" {
		_, err = replaced(c.Record)
	}
	if err != nil {
		return exitUsage, err
	}
	signal := listen()
	defer signal.stop()
	code := exitOK
	for _, s := range scopes {
		e, err := c.explore(t, s, signal)
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
	case c.MaxDepth < 0 || c.MaxDepth > explore.MaxDepth:
		return nil, fmt.Errorf("--max-depth: %d is not in 1..%d, nor 0", c.MaxDepth, explore.MaxDepth)
	case c.Record != "" && c.Scope == "":
		return nil, errors.New("--record: of which --scope?")
	}
	return all, nil
}

// explore visits one scope and prints what it was.
func (c *exploreCmd) explore(t *tool, s *sim.Scenario, signal *interrupt) (exit, error) {
	p := s.Draw(&choice.Bytes{})
	x := exploration{scope: s}
	begin := time.Now()
	x.Report = explore.Run(t.engine.newWorld, &p, explore.Options{StatesMax: c.MaxStates, DepthMax: c.MaxDepth,
		Unreduced: c.Unreduced, Stop: func() bool { return signal.exit() != exitOK }, Panicked: checker.PanicOf})
	x.took = time.Since(begin)
	if err := x.replay(&t.engine); err != nil {
		return exitSelf, err
	}
	var unkept error // what was found is told all the same
	if x.runs() && c.Record != "" {
		if err := writeFile(c.Record, x.path(&t.engine).Text()); err != nil {
			unkept = fmt.Errorf("--record: %w", err)
		} else {
			x.kept = c.Record
		}
	}
	if err := x.print(t.stdout, c.JSON); err != nil {
		return worst(x.code(), exitInternal), errors.Join(unkept, fmt.Errorf("cannot write the results: %w", err))
	}
	return x.code(), unkept
}

// exploration is one scope, and what became of it.
type exploration struct {
	explore.Report
	scope *sim.Scenario
	took  time.Duration
	story []string
	kept  string // file of the violation's path, or ""
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

func (x *exploration) print(w io.Writer, asJSON bool) error {
	out := bufio.NewWriter(w)
	if asJSON {
		if err := newEncoder(out).Encode(x.json()); err != nil {
			return err
		}
		return out.Flush()
	}
	fmt.Fprintf(out, "scope %s: %s\n", x.scope.Name, x.scope.Doc)
	fmt.Fprintf(out, "%s: %s states, %s events taken, %s ends, %s states left to symmetry, longest path %d events\n",
		x.verdict(), grouped(x.States), grouped(x.Steps), grouped(x.Ends), grouped(x.Pruned), x.Depth)
	if x.Limit != explore.LimitNone {
		fmt.Fprintf(out, "ended early (%s): the rest was not visited\n", x.Limit)
	}
	fmt.Fprintf(out, "odds that a state was missed: %.2g; %.1f bytes a state, of %d encoded\n", x.missed(), x.bytes(), x.encoded())
	fmt.Fprintf(out, "%.1f s, %s states/s\n", x.took.Seconds(), grouped(rate(x.States, x.took)))
	if x.Violation != nil {
		for _, line := range x.tale() {
			fmt.Fprintln(out, line)
		}
		switch {
		case x.kept != "":
			fmt.Fprintf(out, "go run ./cmd/ticketsim run %s --trace\n", quoted(x.kept))
		case x.runs():
			fmt.Fprintf(out, "go run ./cmd/ticketsim explore --scope %s --record %s.case\n", x.scope.Name, x.scope.Name)
		}
	}
	return out.Flush()
}

// missed is the chance that two states had one hash, at most.
func (x *exploration) missed() float64 { return float64(x.MissedPer2to64) / math.Pow(2, 64) }

func (x *exploration) bytes() float64 { return float64(x.Bytes) / float64(max(1, x.States)) }

// encoded is the mean size of an encoded state, in bytes.
func (x *exploration) encoded() uint64 { return x.Encoding / max(1, x.Met) }

// explored is one scope as JSON.
type explored struct {
	Type      string   `json:"type"`
	Scope     string   `json:"scope"`
	Verdict   string   `json:"verdict"`
	Complete  bool     `json:"complete"`
	Limit     string   `json:"limit"`
	States    uint64   `json:"states"`
	Steps     uint64   `json:"steps"`
	Ends      uint64   `json:"ends"`
	Symmetric uint64   `json:"symmetric"`
	Depth     int      `json:"depth"`
	Missed    float64  `json:"missed"` // odds
	PerState  float64  `json:"bytes_per_state"`
	Seconds   float64  `json:"seconds"`
	Property  string   `json:"property,omitempty"`
	Events    int      `json:"events,omitempty"`
	Shortest  bool     `json:"shortest,omitempty"`
	Story     []string `json:"story,omitempty"`
	Case      string   `json:"case,omitempty"`
}

func (x *exploration) json() explored {
	e := explored{Type: "explored", Scope: x.scope.Name, Verdict: x.verdict(), Complete: x.code() == exitOK, Limit: x.Limit.String(),
		States: x.States, Steps: x.Steps, Ends: x.Ends, Symmetric: x.Pruned, Depth: x.Depth, Missed: x.missed(),
		PerState: x.bytes(), Seconds: x.took.Seconds()}
	if v := x.Violation; v != nil {
		e.Property, e.Events, e.Shortest, e.Story, e.Case = v.Property, v.Events, v.Shortest, x.tale(), x.kept
	}
	return e
}
