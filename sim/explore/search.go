package explore

import (
	"math/bits"

	"ticketing/sim"
)

// Search is a walk through all states, depth first. It can be saved where a bound ended it (Save), and go on (Resume).
type Search struct {
	newWorld func() *sim.World
	p        *sim.Params
	o        Options
	bound    int    // events of a path
	stepsMax uint64 // of one walk

	table   table
	path    []frame // the first is the world as it was reset
	depth   int     // events taken on the path: path[depth] is its end; -1: none is under way
	root    root
	cut     bool // some path was longer than bound
	sleeps  bool // events are put to sleep
	moving  *sim.World
	met     sim.Parts // that the event under way met so far
	encoded []byte
	report  Report
}

// frame is one state of the path.
type frame struct {
	world *sim.World
	ways  ways // of the event that follows
	key   uint64
	rest  rest
}

// reset makes s a search that has visited nothing. One of bounded depth keeps the depth of every state, so that a state that is
// met sooner than before is followed again: without it a bound on the depth would hide states.
func (s *Search) reset() {
	bounded := s.bound < MaxDepth
	s.table.reset(bounded)
	s.report, s.cut, s.depth = Report{}, false, -1
	s.root.ways.reset()
	for i := range s.path {
		s.path[i].ways.reset() // the last search may have ended on the way
	}
	s.grow(0)
	s.path[0].world.Reset(s.p, rootAnswers{&ways{}}) // to see its size
	s.sleeps = !bounded && !s.o.Unreduced && !s.o.Sleepless && s.path[0].world.Slots() <= slotsMax
}

// States is how many were visited so far.
func (s *Search) States() uint64 { return uint64(s.table.used) }

// run searches on.
func (s *Search) run() {
	defer s.sum()
	defer s.guard()
	for s.walk() && s.root.ways.next() {
		s.root.begin()
		w := s.path[0].world
		w.Reset(s.p, &s.root)
		s.arrived(w, nil)
	}
}

func (s *Search) sum() {
	r := &s.report
	if r.Limit == LimitNone && s.cut {
		r.Limit = LimitDepth
	}
	r.States, r.Bytes, r.Digest = uint64(s.table.used), uint64(s.table.bytes()), s.table.digest()
	r.MissedPer2to64 = 1<<64 - 1
	if hi, lo := bits.Mul64(r.States, r.States); hi == 0 {
		r.MissedPer2to64 = lo
	}
}

// grow makes sure that the path has a frame for that depth.
func (s *Search) grow(depth int) {
	if depth == len(s.path) {
		s.path = append(s.path, frame{world: s.newWorld()})
		s.path[depth].world.SetTrace(s.meet)
	}
}

// walk takes every way from the path on. It reports false if the search is over.
func (s *Search) walk() bool {
	for !s.halted() {
		if s.depth < 0 {
			return true
		}
		s.grow(s.depth + 1)
		from := &s.path[s.depth]
		if !s.turn(from) {
			s.table.leave(from.key)
			s.depth--
			continue
		}
		s.take(from, &s.path[s.depth+1])
	}
	return false
}

// halted says whether the search is over, or has to stop here.
func (s *Search) halted() bool {
	r := &s.report
	switch {
	case r.Violation != nil:
	case s.table.used > s.o.StatesMax:
		r.Limit = LimitStates
	case r.Steps&4095 == 4095 && (s.o.Stop != nil && s.o.Stop() || r.Steps >= s.stepsMax):
		r.Limit = LimitStop
	default:
		return false
	}
	return true
}

// turn finds the next way of a state that is not asleep.
func (s *Search) turn(f *frame) bool {
	for f.ways.next() {
		if !s.sleeps || f.rest.turn(f.ways.first()) {
			return true
		}
		s.report.Asleep++
		f.ways.skip(labelNext, len(f.rest.slots))
	}
	return false
}

// take takes the way that begins.
func (s *Search) take(from, to *frame) {
	w := to.world
	w.CopyFrom(from.world)
	w.SetSource(&from.ways)
	s.moving, s.met = w, 0
	s.report.Steps++
	more := w.Step()
	switch f := w.Failure(); {
	case f != nil:
		s.violated(*f, s.depth+1)
	case !more:
		s.report.Ends++
	default:
		if s.sleeps {
			from.rest.concerns(s.met | from.ways.parts | w.Changed(from.world))
		}
		s.arrived(w, from)
	}
}

// arrived looks at a state that the way from the end of the path led to, or the first, and goes there if it is new.
func (s *Search) arrived(w *sim.World, from *frame) {
	depth := s.depth + 1
	if !s.o.Unreduced && w.OutOfOrder() {
		s.report.Pruned++
		if from != nil {
			from.rest.pruned = true
		}
		return
	}
	key := s.keyOf(w)
	s.report.Met++
	s.report.Encoding += uint64(len(s.encoded))
	switch s.table.visit(key, depth) {
	case metBefore:
		return
	case metRound:
		s.violated(sim.Failure{Property: Round, At: w.Now(), Event: int64(depth),
			Facts: []string{"this state was met before on the same path, so the world can go round forever"}}, depth)
		return
	}
	s.report.Depth = max(s.report.Depth, depth)
	if depth == s.bound {
		s.table.leave(key)
		s.cut = true
		return
	}
	s.depth = depth
	to := &s.path[depth]
	to.key = key
	if s.sleeps {
		to.rest.begin(w, from)
	}
}

func (s *Search) keyOf(w *sim.World) uint64 {
	s.encoded = w.AppendState(s.encoded[:0])
	return keyOf(s.encoded)
}

// violated ends the search with the path to a failure after that many events.
func (s *Search) violated(f sim.Failure, events int) {
	v := &Violation{Failure: f, Events: events}
	v.Event = int64(events)
	v.Picks = append(v.Picks, s.root.record.Picks...)
	for i := range events {
		v.Picks = append(v.Picks, s.path[i].ways.taken()...)
	}
	s.report.Violation = v
	s.report.Depth = max(s.report.Depth, events)
}

// guard makes a violation of a panic that the options know.
func (s *Search) guard() {
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
