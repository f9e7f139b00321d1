package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"ticketing/checker"
	"ticketing/seeds"
	"ticketing/sim/choice"
	"ticketing/sim/shrink"
)

// keepFlags are the flags of run that keep what it ran.
type keepFlags struct {
	Shrink bool           `help:"Reduce a run that fails to a short one that fails the same way, and tell it in plain words."`
	Budget *time.Duration `placeholder:"DURATION" help:"How long --shrink may take (default: some fifteen seconds of a core, counted in events, so that it ends alike everywhere)."`
	Record string         `placeholder:"FILE" help:"Write the run, shrunk or not, as a case. A case is recorded anew from its seed, and keeps its prose."`
}

func (f *keepFlags) check() error {
	if f.Budget != nil && *f.Budget <= 0 {
		return fmt.Errorf("--budget: %v is not a time ahead", *f.Budget)
	}
	return nil
}

// wanted says whether the run is to be kept at all.
func (f *keepFlags) wanted() bool { return f.Shrink || f.Record != "" }

// keep runs the subject, shrinks it, and writes it down if there is a target. The outcome is that of the last run. A signal
// ends the shrinking; what it came to is kept.
func (c *runCmd) keep(t *tool, p *printer, s *subject, target *recording) (outcome, error) {
	signal := listen()
	defer signal.stop()
	k := &keeper{e: &t.engine, s: s, r: t.engine.newRunner(), signal: signal}
	var trace func(string)
	if c.Trace {
		trace = p.event
	}
	o, err := k.shrink(p, k.record(trace), c.Budget)
	o.code = worst(o.code, signal.exit())
	if err != nil || target == nil {
		return o, err
	}
	return o, target.write(p, k.kept(&o), &o)
}

// keeper runs one subject again and again.
type keeper struct {
	e      *engine
	s      *subject
	r      runner
	signal *interrupt
	picks  []choice.Pick // of the run that is to be kept
	story  []string
}

// record runs the subject and keeps its picks and its story.
func (k *keeper) record(trace func(string)) outcome { return k.again(k.s.source(), trace) }

func (k *keeper) again(source choice.Source, trace func(string)) outcome {
	recorder := &choice.Recorder{Source: source}
	k.story = k.story[:0]
	o := k.e.try(k.r, k.s.seed, checker.Config{Scenario: k.s.scenario, Source: recorder, Trace: trace,
		Story: func(line string) { k.story = append(k.story, line) }})
	k.picks, o.file, o.strategy = recorder.Picks, k.s.file, k.s.strategy
	if o.broken() {
		k.r = k.e.newRunner()
	}
	return o
}

// shrink reduces the recorded run, and tells what is left of it.
func (k *keeper) shrink(p *printer, o outcome, budget *time.Duration) (outcome, error) {
	bounds := shrink.Options{Events: shrinkEvents}
	if budget != nil {
		end := time.Now().Add(*budget)
		bounds.Stop = func() bool { return time.Now().After(end) }
	}
	o, how, err := k.reduce(o, bounds)
	if err != nil {
		return o, err
	}
	p.tell(how)
	for _, line := range k.prose(&o) {
		p.tell(line)
	}
	return o, nil
}

// shrinkable says whether an outcome has something to shrink.
func shrinkable(o *outcome) bool {
	return o.verdict == checker.Violation.String() || o.verdict == checker.Assumption.String()
}

// reduce makes the recorded run shorter and says how that went. A signal ends it as well as the bounds do. A client that
// carries something from one world into the next fails in runs that mean nothing alone: such a one is reduced again, each run
// with a client of its own.
func (k *keeper) reduce(o outcome, bounds shrink.Options) (outcome, string, error) {
	if !shrinkable(&o) {
		return o, "", fmt.Errorf("--shrink: the run ends with %s: there is nothing to shrink", o.verdict)
	}
	stop, runs := bounds.Stop, 0
	bounds.Stop = func() bool {
		runs++ // the first, of the record as it is, is no step that could be left out
		return runs > 1 && (k.signal.exit() != exitOK || stop != nil && stop())
	}
	whole := k.picks
	for _, anew := range []bool{false, true} {
		if anew {
			bounds.Runs, runs = min(cmp.Or(bounds.Runs, anewRuns), anewRuns), 0
		}
		small, err := shrink.Shrink(whole, k.shows(&o, anew), bounds)
		if err != nil {
			return o, "", err
		}
		if short := k.replay(small.Picks); failsAlike(&short, &o) {
			short.shrunk = true
			return short, fmt.Sprintf("shrunk from %d events to %d in %d runs: %s", o.Events, short.Events, small.Runs, k.ended(&small)), nil
		}
	}
	return k.replay(whole), "not shrunk: it shows in no shorter run alone", nil
}

// anewRuns bounds the runs that each make their clients anew.
const anewRuns = 20_000

// shows says whether a run fails like o.
func (k *keeper) shows(o *outcome, anew bool) shrink.Try {
	return func(src choice.Source, most int64) (bool, int64) {
		if anew {
			k.r = k.e.newRunner()
		}
		// One more than most: a run that ends by itself has to be asked once more.
		again := k.e.try(k.r, k.s.seed, checker.Config{Scenario: k.s.scenario, Source: src, EventsMax: most + 1})
		if again.broken() {
			k.r = k.e.newRunner()
		}
		return failsAlike(&again, o), again.Events
	}
}

func failsAlike(a, b *outcome) bool { return a.verdict == b.verdict && a.Property == b.Property }

// replay runs picks with a client of their own.
func (k *keeper) replay(picks []choice.Pick) outcome {
	replay := &choice.Replay{}
	replay.Reset(picks)
	k.r = k.e.newRunner()
	return k.again(replay, nil)
}

// ended says why a shrinking did.
func (k *keeper) ended(small *shrink.Result) string {
	switch {
	case small.Minimal:
		return "no single change makes it shorter"
	case k.signal.exit() != exitOK:
		return "interrupted: it may get shorter still"
	}
	return "the budget was spent: it may get shorter still"
}

// prose is the story in numbered lines, and last what contradicts.
func (k *keeper) prose(o *outcome) []string {
	var lines []string
	for i, line := range k.story {
		lines = append(lines, fmt.Sprintf("%3d. %s", i+1, line))
	}
	if o.Property == "" {
		return lines
	}
	lines = append(lines, fmt.Sprintf("This is a %s of %s:", o.verdict, o.Property))
	if means := checker.Means(o.Property); means != "" {
		lines = append(lines, "     it demands: "+means)
	}
	for _, f := range o.Facts {
		lines = append(lines, "     "+f)
	}
	return lines
}

// kept makes a case of the run, shrunk or not. A story is part of it only where somebody will read it all.
func (k *keeper) kept(o *outcome) *seeds.Case {
	c := &seeds.Case{Scenario: o.Scenario, Seed: o.Seed, Strategy: k.s.strategy.String(), Shrunk: o.shrunk,
		Build: k.e.build(o.Scenario), World: k.e.worldBuild(o.Scenario),
		Verdict: o.verdict, Property: o.Property, Picks: k.picks}
	lines := k.prose(o)
	if len(lines) > storyMax {
		how := "as it was run"
		if o.shrunk {
			how = "shrunk"
		}
		lines = append([]string{fmt.Sprintf("Seed %d of scenario %s, %s.", o.Seed, o.Scenario, how)}, o.Facts...)
	}
	c.Prose = strings.Join(lines, "\n") + "\n"
	return c
}

// shrinkEvents bounds a shrinking by the events of all its runs: some fifteen seconds of a core, and the same everywhere.
const shrinkEvents = 20_000_000

// storyMax is how many lines of a story a case holds.
const storyMax = 200

// tell writes one line of what is neither an event of the log nor the result.
func (p *printer) tell(line string) {
	if p.asJSON {
		_ = p.json.Encode(event{"story", line})
		return
	}
	fmt.Fprintln(p.out, line)
}
