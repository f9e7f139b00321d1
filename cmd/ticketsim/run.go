package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ticketing/checker"
)

// runCmd runs one seed, or replays one case.
type runCmd struct {
	Subject     string   `arg:"" name:"seed|case" help:"A seed, a number in 0..2^64-1, or the file of a case."`
	Scenario    string   `placeholder:"NAME" help:"The scenario of the seed (default: the first of those that an unknown name lists)."`
	Strategy    strategy `placeholder:"NAME" help:"How what happens next is chosen: random, pct or mix (default random)."`
	Trace       bool     `help:"Print every event."`
	At          *int64   `placeholder:"EVENT" help:"Print the state of every part of the world after this event; 0 is before the first."`
	Why         bool     `help:"Of a run that fails, say with which event that becomes likely: the moment to look at."`
	Verify      bool     `help:"Run it a second time, and name the first event that differs."`
	Shadow      bool     `help:"Run the reference core beside the client's own; a difference is a violation of reference."`
	Fingerprint string   `placeholder:"HEX" help:"Warn if this build is not the one of this fingerprint; with the word show for HEX, print that of this build."`
	JSON        bool     `name:"json" help:"Print JSON objects, one a line."`
	keepFlags
}

func (c *runCmd) run(t *tool) (exit, error) {
	if err := c.check(); err != nil {
		return exitUsage, err
	}
	s, err := newSubject(&t.engine, c.Subject, c.Scenario)
	switch {
	case err != nil:
		return exitUsage, err
	case s.kept != nil && c.Strategy != "":
		return exitUsage, errors.New("--strategy: the picks of a case are answered already")
	case s.kept == nil:
		s.strategy = c.Strategy
	}
	s.shadow = c.Shadow
	var target *recording
	if c.Record != "" {
		if target, err = newRecording(s, c.Record, c.Shrink); err != nil {
			return exitUsage, err
		}
	}
	if err := c.compare(t, s); err != nil {
		return exitUsage, err
	}
	p := newPrinter(t, c.JSON)
	// Whatever happens from here on, it is known which seed it was.
	p.begin(s)
	o, err := c.kept(t, p, s, target)
	o.build = t.engine.build(s.scenario)
	return p.end(&o), err
}

// check says what is wrong with the flags.
func (c *runCmd) check() error {
	switch {
	case c.At != nil && *c.At < 0:
		return fmt.Errorf("--at: %d is not the number of an event", *c.At)
	case c.Shadow && c.wanted():
		return errors.New("--shadow: not with --shrink and --record, whose cases run the client alone")
	case c.Why && (c.wanted() || c.Trace || c.Verify || c.Shadow || c.At != nil):
		return errors.New("--why: not with --shrink, --record, --trace, --verify, --shadow and --at")
	case c.Shrink && (c.Verify || c.At != nil):
		return errors.New("--shrink: not with --verify and --at, which are about one run")
	}
	return c.keepFlags.check()
}

// kept runs the subject and keeps what it ran, as far as the flags ask for that.
func (c *runCmd) kept(t *tool, p *printer, s *subject, target *recording) (outcome, error) {
	switch {
	case c.Why:
		return c.why(t, p, s)
	case c.Shrink:
		return c.keep(t, p, s, target)
	}
	o := c.world(t, p, s)
	if target == nil {
		return o, nil
	}
	return o, target.record(t, p, &o)
}

// showFingerprint is the value of --fingerprint that asks instead of telling.
const showFingerprint = "show"

// compare holds the fingerprint of this build against the one that is expected.
func (c *runCmd) compare(t *tool, s *subject) error {
	if c.Fingerprint == "" {
		return nil
	}
	here := t.engine.build(s.scenario)
	if c.Fingerprint == showFingerprint {
		fmt.Fprintf(t.stderr, "fingerprint %s\n", hex(here))
		return nil
	}
	there, err := strconv.ParseUint(c.Fingerprint, 16, 64)
	if err != nil || len(c.Fingerprint) != 16 {
		return fmt.Errorf("--fingerprint: %q is neither 16 hexadecimal digits nor %s", c.Fingerprint, showFingerprint)
	}
	if here != there {
		fmt.Fprintf(t.stderr, "WARNING: this build (%s) is not the one that found it (%s): the seed may show nothing here\n", hex(here), hex(there))
	}
	return nil
}

// world runs the subject, twice if asked to.
func (c *runCmd) world(t *tool, p *printer, s *subject) outcome {
	var state bytes.Buffer
	config := checker.Config{}
	if c.Trace {
		config.Trace = p.event
	}
	if c.At != nil {
		config.At, config.Dump = *c.At, &state
	}
	var first []string
	if c.Verify {
		config.Trace = func(line string) {
			first = append(first, line)
			if c.Trace {
				p.event(line)
			}
		}
	}
	o := s.try(&t.engine, s.runner(&t.engine), config)
	p.state(state.String())
	if c.At != nil && *c.At > o.Events {
		fmt.Fprintf(t.stderr, "ticketsim: --at: the world ends with event %d; that is its state then\n", o.Events)
	}
	if !c.Verify {
		return o
	}
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
	r := subject.runner(e)
	if o := e.try(r, subject.seed+1, checker.Config{Scenario: subject.scenario}); o.broken() {
		r = subject.runner(e)
	}
	var s second
	event := 0
	s.outcome = subject.try(e, r, checker.Config{Trace: func(line string) {
		if s.difference == nil && (event >= len(first) || first[event] != line) {
			s.difference = differ(event, first, line)
		}
		event++
	}})
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

// begin names the seed before it runs.
func (p *printer) begin(s *subject) { p.aside(s.String()) }

// aside says at once what is no result: as JSON, the results stay alone on stdout.
func (p *printer) aside(line string) {
	if p.asJSON {
		fmt.Fprintln(p.t.stderr, line)
		return
	}
	fmt.Fprintln(p.out, line)
	_ = p.out.Flush() // an error comes back at the end
}

// event writes one line of the log. An error of the writer comes back when it is flushed.
func (p *printer) event(line string) { p.line("event", line) }

// state writes a world's state, a line each.
func (p *printer) state(text string) {
	for l := range strings.Lines(text) {
		p.line("state", strings.TrimRight(l, "\n"))
	}
}

func (p *printer) line(kind, text string) {
	if p.asJSON {
		_ = p.json.Encode(event{kind, text})
		return
	}
	fmt.Fprintln(p.out, text)
}

// event is a line of the log, of a state or of a story, as JSON.
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
