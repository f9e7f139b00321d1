package shrink

import (
	"cmp"
	"errors"
	"strings"

	"ticketing/sim/choice"
)

// Try runs the world whose questions src answers. It reports whether the run shows what it is kept for, and after how many
// events. A run of more than most events is of no use: Try may end it and report false.
type Try func(src choice.Source, most int64) (shows bool, events int64)

// DefaultRuns bounds the runs of one Shrink: half a minute of small worlds.
const DefaultRuns = 500_000

// Options bounds a Shrink.
type Options struct {
	Runs   int         // most runs; 0: DefaultRuns
	Events int64       // no more runs after so many events of all of them: processor time that is the same everywhere; 0: any
	Stop   func() bool // asked before each run, for bounds of another kind such as time; nil: never
}

// Result is the smallest record found.
type Result struct {
	Picks   []choice.Pick // exact
	Events  int64
	Runs    int
	Minimal bool // no change tried makes it smaller; false: a bound ended the search
}

// ErrShowsNothing says that the record that was to be shrunk does not show what it was kept for.
var ErrShowsNothing = errors.New("shrink: the record does not show what it was kept for")

// Shrink reduces a record. It leaves picks as they are.
func Shrink(picks []choice.Pick, try Try, o Options) (Result, error) {
	if o.Runs == 0 {
		o.Runs = DefaultRuns
	}
	s := &shrinker{try: try, stop: o.Stop, left: o.Runs, events: o.Events, best: measure{events: 1<<63 - 2}}
	if s.events == 0 {
		s.events = 1<<63 - 1
	}
	if s.stop == nil {
		s.stop = func() bool { return false }
	}
	if !s.attempt(picks) {
		return Result{Runs: o.Runs - s.left}, ErrShowsNothing
	}
	for !s.spent {
		before := s.best
		s.round()
		if s.best == before {
			break
		}
	}
	return Result{Picks: s.picks, Events: s.best.events, Runs: o.Runs - s.left, Minimal: !s.spent}, nil
}

// shrinker is a search and the best of it.
type shrinker struct {
	try    Try
	stop   func() bool
	left   int   // runs
	events int64 // left
	spent  bool  // a bound was met

	picks     []choice.Pick
	best      measure
	candidate []choice.Pick
	follow    choice.Replay
	branch    choice.Branch
	fresh     choice.Seeded
	grown     uint64 // worlds that regrow made
	record    choice.Recorder
}

// measure is what shrinking lowers, the first field first.
type measure struct {
	events  int64
	lively  int // answers that are not 0
	answers int // sum
	picks   int
}

func (m measure) compare(o measure) int {
	return cmp.Or(cmp.Compare(m.events, o.events), cmp.Compare(m.lively, o.lively), cmp.Compare(m.answers, o.answers),
		cmp.Compare(m.picks, o.picks))
}

func measureOf(events int64, picks []choice.Pick) measure {
	m := measure{events: events, picks: len(picks)}
	for _, p := range picks {
		m.answers += p.Answer
		if p.Answer != 0 {
			m.lively++
		}
	}
	return m
}

// attempt runs a candidate and keeps what it was asked, if that is smaller than the best.
func (s *shrinker) attempt(picks []choice.Pick) bool {
	s.follow.Reset(picks)
	return s.run(&s.follow)
}

// run is attempt with the answers of a source.
func (s *shrinker) run(src choice.Source) bool {
	if s.left == 0 || s.events <= 0 || s.stop() {
		s.spent = true
	}
	if s.spent {
		return false
	}
	s.left--
	s.record.Reset(src)
	shows, events := s.try(&s.record, s.best.events)
	s.events -= events
	if !shows {
		return false
	}
	m := measureOf(events, s.record.Picks)
	if m.compare(s.best) >= 0 { // the first is smaller: see Shrink
		return false
	}
	s.best = m
	s.picks = append(s.picks[:0], s.record.Picks...)
	return true
}

// head is how many of the best picks are the scenario's.
func (s *shrinker) head() int {
	for i, p := range s.picks {
		if !strings.HasPrefix(p.Name, choice.ScenarioPrefix) {
			return i
		}
	}
	return len(s.picks)
}
