package main

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"ticketing/checker"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// How closely a failure is looked at.
const (
	whyWorlds = 64 // that go another way from one moment on
	whyFirst  = 16 // spans of the run that are tried first; the one with the steepest rise is halved down to one event
)

// moment is an instant of a run that fails, and how many worlds fail alike that are the same up to there and go another way
// then.
type moment struct {
	Type  string     `json:"type"`
	Event int64      `json:"event"` // the last one that they share; 0: they are made of the same, and share none
	At    clock.Time `json:"at"`    // nanoseconds of world time
	Fails int        `json:"fails"`
	Of    int        `json:"of"`
}

// cause searches for the event with which a failure becomes likely.
type cause struct {
	e       *engine
	s       *subject
	r       runner
	failed  outcome
	picks   []choice.Pick // of the run
	moments []moment      // in the order of events
	branch  choice.Branch
}

// why runs the subject, says where its failure becomes likely, and tells that event. A signal ends the search.
func (c *runCmd) why(t *tool, p *printer, s *subject) (outcome, error) {
	o := s.try(&t.engine, s.runner(&t.engine), checker.Config{})
	if !shrinkable(&o) {
		return o, fmt.Errorf("--why: the run ends with %s: there is nothing to explain", o.verdict)
	}
	signal := listen()
	defer signal.stop()
	w := &cause{e: &t.engine, s: s, r: s.runner(&t.engine), failed: o}
	whole := choice.Recorder{Source: s.source()}
	w.run(&whole, 0)
	w.picks = whole.Picks
	at := w.search(signal)
	o.code = worst(o.code, signal.exit())
	w.tell(p, at)
	return o, nil
}

// search tries moments of the run and returns the index of the one with which the failure became likely, 0 if none stands
// out.
func (w *cause) search(signal *interrupt) int {
	last := w.failed.Event
	for i := range int64(whyFirst + 1) {
		if event := last * i / whyFirst; signal.exit() == exitOK && (i == 0 || event > w.moments[len(w.moments)-1].Event) {
			w.moments = append(w.moments, w.try(event))
		}
	}
	for {
		at := w.steepest()
		if at == 0 || w.moments[at].Event-w.moments[at-1].Event == 1 || signal.exit() != exitOK {
			return at
		}
		middle := (w.moments[at].Event + w.moments[at-1].Event) / 2
		w.moments = slices.Insert(w.moments, at, w.try(middle))
	}
}

// steepest is the index of the moment before which the failure was least likely beside it, the first of several; 0 where no
// rise is more than chance makes.
func (w *cause) steepest() int {
	best, rise := 0, 0
	for i := 1; i < len(w.moments); i++ {
		if d := w.moments[i].Fails - w.moments[i-1].Fails; d > rise && beyondChance(w.moments[i-1].Fails, w.moments[i].Fails) {
			best, rise = i, d
		}
	}
	return best
}

// beyondChance says whether a rise from so many failing worlds to so many is three standard errors or more: of two samples of
// whyWorlds each, their common share of failures taken for the true one.
func beyondChance(from, to int) bool {
	rise, sum := to-from, from+to
	return rise > 0 && 2*whyWorlds*rise*rise >= 9*sum*(2*whyWorlds-sum)
}

// try runs worlds that share the run up to an event.
func (w *cause) try(event int64) moment {
	m := moment{Type: "moment", Event: event, Of: whyWorlds}
	known := w.head()
	if event > 0 {
		start := choice.Recorder{Source: w.s.source()}
		m.At = w.run(&start, event).At
		known = start.Picks
	}
	for i := range uint64(whyWorlds) {
		w.branch.Reset(known, bits.RotateLeft64(uint64(event), 32)^i)
		if o := w.run(&w.branch, 0); o.verdict == w.failed.verdict && o.Property == w.failed.Property {
			m.Fails++
		}
	}
	return m
}

// head is what the world is made of.
func (w *cause) head() []choice.Pick {
	for i, p := range w.picks {
		if !strings.HasPrefix(p.Name, choice.ScenarioPrefix) {
			return w.picks[:i]
		}
	}
	return w.picks
}

func (w *cause) run(src choice.Source, most int64) outcome {
	o := w.e.try(w.r, w.s.seed, checker.Config{Scenario: w.s.scenario, Source: src, EventsMax: most})
	if o.broken() {
		w.r = w.s.runner(w.e)
	}
	return o
}

// tell writes the moments, and what happened in the one to look at.
func (w *cause) tell(p *printer, at int) {
	if !p.asJSON {
		fmt.Fprintf(p.out, "of %d worlds that are the same up to an event, and go another way then, so many end with %s of %s:\n",
			whyWorlds, w.failed.verdict, w.failed.Property)
		fmt.Fprintf(p.out, "%8s  %12s  %5s\n", "event", "at", "fail")
	}
	for i, m := range w.moments {
		if p.asJSON {
			_ = p.json.Encode(m)
			continue
		}
		mark := ""
		if i == at && at > 0 {
			mark = "  <- look here"
		}
		fmt.Fprintf(p.out, "%8d  %5d.%06d  %5d%s\n", m.Event, m.At/clock.Second, m.At%clock.Second/clock.Microsecond, m.Fails, mark)
	}
	if at == 0 {
		p.tell(w.unclear())
		return
	}
	event := w.moments[at].Event
	p.tell(fmt.Sprintf("event %d:", event))
	lines := w.told(event)
	if len(lines) == 0 {
		lines = []string{"of which the log tells nothing: --at shows what it left"}
	}
	for _, line := range lines {
		p.tell("    " + line)
	}
	p.tell(fmt.Sprintf("go run ./cmd/ticketsim run %s --at %d", w.s.arguments(), event))
}

// unclear is what to say where no event stands out.
func (w *cause) unclear() string {
	if len(w.moments) == 0 {
		return "no moment was tried"
	}
	first := w.moments[0].Fails
	last := w.moments[len(w.moments)-1].Fails
	if first >= last {
		return "no event makes it likelier: worlds that are made like this one fail as often"
	}
	if 2*first >= whyWorlds {
		return fmt.Sprintf("no event stands out: it was likely from the start, %d of %d worlds that are made like this one fail as well", first, whyWorlds)
	}
	if beyondChance(first, last) {
		return fmt.Sprintf("no event stands out: it becomes likely little by little, from %d of %d worlds to %d", first, whyWorlds, last)
	}
	return "no event stands out: what differs may be chance"
}

// told is an event of the run, a line each fact.
func (w *cause) told(event int64) []string {
	var lines []string
	prefix := fmt.Sprint(event, " ")
	w.e.try(w.r, w.s.seed, checker.Config{Scenario: w.s.scenario, Source: w.s.source(), Trace: func(line string) {
		if strings.HasPrefix(strings.TrimLeft(line, " ")+" ", prefix) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}})
	return lines
}
