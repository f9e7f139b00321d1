package explore

import (
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
	// Unreduced follows every state, not one of each set of symmetric ones, and takes every event of each.
	Unreduced bool
	// Sleepless takes every event.
	Sleepless bool
	// Stop is asked now and then whether to end: for bounds of another kind. nil: never.
	Stop func() bool
	// Panicked says what a panic of a step violates, or returns nil to let it go on. nil: it goes on.
	Panicked func(what any) *sim.Failure
	// Build tells how worlds behave, in a number. A search that was saved goes on under the same one alone.
	Build uint64
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
	Digest   uint64 // of the set of them
	Steps    uint64 // events taken
	Ends     uint64 // states in which nothing can happen any more
	Pruned   uint64 // states that were left to a symmetric one
	Asleep   uint64 // events that were left to another order
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
	return New(newWorld, p, o).Run()
}

// New makes a search that has visited nothing yet; see Run.
func New(newWorld func() *sim.World, p *sim.Params, o Options) *Search {
	if o.StatesMax == 0 {
		o.StatesMax = 1 << 27
	}
	if o.DepthMax == 0 || o.DepthMax > MaxDepth {
		o.DepthMax = MaxDepth
	}
	s := &Search{newWorld: newWorld, p: p, o: o, bound: o.DepthMax, stepsMax: 1<<64 - 1}
	s.reset()
	return s
}

// Run goes on until all is visited, or there is a violation, or a bound is met. It is called once.
func (s *Search) Run() Report {
	s.run()
	r := s.report
	if r.Violation != nil {
		s.shorten()
		r.Violation = s.report.Violation
	}
	return r
}
