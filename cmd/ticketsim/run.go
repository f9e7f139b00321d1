package main

import (
	"bufio"
	"encoding/json"
	"fmt"

	"ticketing/checker"
)

// runCmd runs one seed, or replays one case.
type runCmd struct {
	Subject  string `arg:"" name:"seed|case" help:"A seed, a number in 0..2^64-1, or the file of a case."`
	Scenario string `placeholder:"NAME" help:"The scenario of the seed (default: the first of those that an unknown name lists)."`
	Trace    bool   `help:"Print every event."`
	Verify   bool   `help:"Run it a second time, and name the first event that differs."`
	JSON     bool   `name:"json" help:"Print JSON objects, one a line."`
	keepFlags
}

func (c *runCmd) run(t *tool) (exit, error) {
	if err := c.check(); err != nil {
		return exitUsage, err
	}
	s, err := newSubject(&t.engine, c.Subject, c.Scenario)
	if err != nil {
		return exitUsage, err
	}
	p := newPrinter(t, c.JSON)
	// Whatever happens from here on, it is known which seed it was.
	p.begin(s)
	if c.wanted() {
		o, err := c.keep(t, p, s)
		return p.end(&o), err
	}
	o := c.world(t, p, s)
	return p.end(&o), nil
}

// world runs the subject, twice if asked to.
func (c *runCmd) world(t *tool, p *printer, s *subject) outcome {
	var trace func(string)
	if c.Trace {
		trace = p.event
	}
	if !c.Verify {
		return s.try(&t.engine, t.engine.newRunner(), trace)
	}
	var first []string
	o := s.try(&t.engine, t.engine.newRunner(), func(line string) {
		first = append(first, line)
		if trace != nil {
			trace(line)
		}
	})
	second := verify(&t.engine, s, first)
	if second.difference == nil && same(&o, &second.outcome) {
		return o
	}
	return unsteady(&o, &second.outcome, second.difference...)
}

// second is the second run of a subject, compared with the first.
type second struct {
	outcome
	difference []string // the first event that differs, as both runs tell it; nil: none
}

// verify runs a subject again, on a runner that another world has used before.
func verify(e *engine, subject *subject, first []string) second {
	r := e.newRunner()
	if o := e.try(r, subject.seed+1, checker.Config{Scenario: subject.scenario}); o.broken() {
		r = e.newRunner()
	}
	var s second
	event := 0
	s.outcome = subject.try(e, r, func(line string) {
		if s.difference == nil && (event >= len(first) || first[event] != line) {
			s.difference = differ(event, first, line)
		}
		event++
	})
	if s.difference == nil && event < len(first) {
		s.difference = differ(event, first, "(the log ends)")
	}
	return s
}

func differ(event int, first []string, line string) []string {
	before := "(the log ends)"
	if event < len(first) {
		before = first[event]
	}
	return []string{
		fmt.Sprintf("line %d of the log, one run:     %s", event+1, before),
		fmt.Sprintf("line %d of the log, another run: %s", event+1, line),
	}
}

// printer writes one run, as text or as JSON.
type printer struct {
	t      *tool
	out    *bufio.Writer
	json   *json.Encoder
	asJSON bool
}

func newPrinter(t *tool, asJSON bool) *printer {
	out := bufio.NewWriter(t.stdout)
	return &printer{t: t, out: out, json: newEncoder(out), asJSON: asJSON}
}

// begin names the seed before it runs. As JSON, the results stay alone on stdout.
func (p *printer) begin(s *subject) {
	w := p.t.stdout
	if p.asJSON {
		w = p.t.stderr
	}
	fmt.Fprintln(w, s)
}

// event writes one line of the log. An error of the writer comes back when it is flushed.
func (p *printer) event(line string) {
	if p.asJSON {
		_ = p.json.Encode(event{"event", line})
		return
	}
	fmt.Fprintln(p.out, line)
}

// event is a line of the log as JSON.
type event struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// end writes the result and returns the status of the run.
func (p *printer) end(o *outcome) exit {
	if p.asJSON {
		_ = p.json.Encode(newWorld("run", o, 0))
	} else {
		fmt.Fprintf(p.out, "%s: %d events, %d ops, hash %s\n", o.verdict, o.Events, o.Ops, hex(o.Hash))
		if o.verdict != checker.Pass.String() {
			printFailure(p.out, o)
		}
	}
	if err := p.out.Flush(); err != nil {
		return p.t.complain(worst(o.code, exitInternal), fmt.Errorf("cannot write the results: %w", err))
	}
	return o.code
}
