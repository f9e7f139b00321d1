package explore

import (
	"math/bits"

	"ticketing/sim"
	"ticketing/sim/choice"
)

// Round is the property that a path breaks that comes back to a state of its own.
const Round = "round"

// MaxDepth bounds the events of a path, whatever the options say: a clone is kept for each.
const MaxDepth = 1 << 14

// Options bounds a search. A zero field takes its default.
type Options struct {
	StatesMax int // distinct states; default 1 << 27: a table of 2 GB
	DepthMax  int // events of a path; default and most: MaxDepth
	// Unreduced follows every state, not one of each set of symmetric ones.
	Unreduced bool
	// Stop is asked now and then whether to end: for bounds of another kind. nil: never.
	Stop func() bool
	// Panicked says what a panic of a step violates, or returns nil to let it go on. nil: it goes on.
	Panicked func(what any) *sim.Failure
}

// Limit says what ended a search before all was visited.
type Limit uint8

// The limits.
const (
	LimitNone Limit = iota // nothing did
	LimitStates
	LimitDepth // the rest was visited; deeper states were not
	LimitStop
)

var limitNames = [...]string{"none", "states", "depth", "stop"}

func (l Limit) String() string { return limitNames[l] }

// Report is what a search found.
type Report struct {
	States   uint64 // distinct
	Steps    uint64 // events taken
	Ends     uint64 // ways into a state in which nothing can happen any more
	Pruned   uint64 // states that were left to a symmetric one
	Depth    int    // events of the longest path
	Limit    Limit
	Bytes    uint64 // of the table of states
	Met      uint64 // states that steps led to, and Encoding their encoded bytes
	Encoding uint64
	// MissedPer2to64 is the odds that some state was taken for another, out of 2^64: the square of the states, at
	// most all of it.
	MissedPer2to64 uint64
	Violation      *Violation // nil: none
}

// Violation is a path to a contradiction.
type Violation struct {
	sim.Failure
	Picks    []choice.Pick // exact, from the world's Reset on
	Events   int
	Shortest bool // no path has fewer events; false: a bound ended the search for one
}

// Run visits every state of the world that p describes, until a violation or a bound. newWorld makes worlds
// that run the cores and the audits in question.
func Run(newWorld func() *sim.World, p *sim.Params, o Options) Report {
	if o.StatesMax == 0 {
		o.StatesMax = 1 << 27
	}
	if o.DepthMax == 0 || o.DepthMax > MaxDepth {
		o.DepthMax = MaxDepth
	}
	s := &search{newWorld: newWorld, p: p, o: o, bound: o.DepthMax, stepsMax: 1<<64 - 1}
	s.run(o.DepthMax < MaxDepth)
	r := s.report
	if r.Violation != nil {
		s.shorten()
		r.Violation = s.report.Violation
	}
	return r
}

// search is a walk through all states, depth first.
type search struct {
	newWorld func() *sim.World
	p        *sim.Params
	o        Options
	bound    int    // events of a path
	stepsMax uint64 // of one walk

	table   table
	path    []frame // the first is the world as it was reset
	depth   int     // events taken on the path: path[depth] is its end
	root    root
	encoded []byte
	report  Report
}

// frame is one state of the path.
type frame struct {
	world *sim.World
	ways  choice.Odometer // of the event that follows
	key   uint64
}

// run searches from the start. bounded keeps the depth of every state, so that one that is met sooner than before is
// followed again: without it a bound on the depth would hide states.
func (s *search) run(bounded bool) {
	s.table.reset(bounded)
	s.report = Report{}
	for i := range s.path {
		s.path[i].ways = choice.Odometer{} // the last search may have ended on the way
	}
	defer s.sum()
	defer s.guard()
	s.root.reset()
	for s.root.ways.Next() {
		s.grow(0)
		s.root.begin()
		s.depth = 0
		w := s.path[0].world
		w.Reset(s.p, &s.root)
		if s.arrived(w, 0) && !s.walk() {
			return
		}
	}
}

func (s *search) sum() {
	r := &s.report
	r.States, r.Bytes = uint64(s.table.used), uint64(s.table.bytes())
	r.MissedPer2to64 = 1<<64 - 1
	if hi, lo := bits.Mul64(r.States, r.States); hi == 0 {
		r.MissedPer2to64 = lo
	}
}

// grow makes sure that the path has a frame for that depth.
func (s *search) grow(depth int) {
	if depth == len(s.path) {
		s.path = append(s.path, frame{world: s.newWorld()})
	}
}

// walk takes every way from the root on. It reports false if the search is over.
func (s *search) walk() bool {
	for s.depth >= 0 {
		s.grow(s.depth + 1)
		from, to := &s.path[s.depth], &s.path[s.depth+1]
		if !from.ways.Next() {
			s.table.leave(from.key)
			s.depth--
			continue
		}
		if s.report.Steps&4095 == 4095 && (s.o.Stop != nil && s.o.Stop() || s.report.Steps >= s.stepsMax) {
			s.report.Limit = LimitStop
			return false
		}
		to.world.CopyFrom(from.world)
		to.world.SetSource(&from.ways)
		s.report.Steps++
		more := to.world.Step()
		if f := to.world.Failure(); f != nil {
			s.violated(*f, s.depth+1)
			return false
		}
		if !more {
			s.report.Ends++
			continue
		}
		if s.arrived(to.world, s.depth+1) {
			s.depth++
		}
		if s.report.Violation != nil || s.report.Limit == LimitStates {
			return false
		}
	}
	return true
}

// arrived looks at a state at the end of the path, and says whether to go on from there.
func (s *search) arrived(w *sim.World, depth int) bool {
	if !s.o.Unreduced && w.OutOfOrder() {
		s.report.Pruned++
		return false
	}
	s.encoded = w.AppendState(s.encoded[:0])
	s.report.Met++
	s.report.Encoding += uint64(len(s.encoded))
	key := keyOf(s.encoded)
	switch s.table.visit(key, depth) {
	case metBefore:
		return false
	case metRound:
		s.violated(sim.Failure{Property: Round, At: w.Now(), Event: int64(depth),
			Facts: []string{"this state was met before on the same path, so the world can go round forever"}}, depth)
		return false
	}
	s.report.Depth = max(s.report.Depth, depth)
	switch {
	case s.table.used > s.o.StatesMax:
		s.report.Limit = LimitStates
	case depth == s.bound:
		s.table.leave(key)
		s.report.Limit = LimitDepth
		return false
	}
	s.path[depth].key = key
	return true
}

// violated ends the search with the path to a failure after that many events.
func (s *search) violated(f sim.Failure, events int) {
	v := &Violation{Failure: f, Events: events}
	v.Event = int64(events)
	v.Picks = append(v.Picks, s.root.record.Picks...)
	for i := range events {
		v.Picks = append(v.Picks, s.path[i].ways.Picks()...)
	}
	s.report.Violation = v
	s.report.Depth = max(s.report.Depth, events)
}

// guard makes a violation of a panic that the options know.
func (s *search) guard() {
	if s.o.Panicked == nil {
		return
	}
	what := recover()
	if what == nil {
		return
	}
	f := s.o.Panicked(what)
	if f == nil {
		panic(what)
	}
	f.At = s.path[min(s.depth+1, len(s.path)-1)].world.Now()
	s.violated(*f, s.depth+1)
}

// root answers the questions that a world asks while it is reset. Clocks are left alone: without drift, and no scope has
// any, a world is the same whatever its clients' clocks show.
type root struct {
	ways   choice.Odometer
	record choice.Recorder
}

func (r *root) reset() {
	r.ways = choice.Odometer{}
	r.begin()
}

func (r *root) begin() { r.record.Reset(rootAnswers{&r.ways}) }

// Choose implements choice.Source.
func (r *root) Choose(label choice.Label, n int) int { return r.record.Choose(label, n) }

type rootAnswers struct{ ways *choice.Odometer }

func (a rootAnswers) Choose(label choice.Label, n int) int {
	if label.Stream == choice.Clocks {
		return 0
	}
	return a.ways.Choose(label, n)
}
