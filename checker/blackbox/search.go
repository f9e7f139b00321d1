package blackbox

import (
	"context"
	"math"
	"math/bits"

	"github.com/anishathalye/porcupine"

	"ticketing/model"
)

// search runs Porcupine over a normal history, a segment at a time. A segment is a run of consecutive
// grants of one key with every release of their tokens, wherever it lies in time: nothing else of the key
// bears on them but the end of the grant before. A search remembers what it tried as sets of operations,
// so its memory grows with the square of a segment and only linearly with their number.
type search struct {
	n       *normal
	grants  int   // a segment's, at most
	budget  int64 // steps a segment
	left    int64
	steps   int64
	pieces  int
	start   model.Lock
	inputs  []model.Step
	ops     []porcupine.Operation
	states  slab
	adapter porcupine.Model
}

func newSearch(n *normal, o Options) *search {
	s := &search{n: n, grants: o.SegmentGrants, budget: o.StepsMax}
	s.adapter = porcupine.Model{
		Init:        func() any { return s.states.put(s.start) },
		StepContext: s.step,
		Equal:       func(a, b any) bool { return *a.(*model.Lock) == *b.(*model.Lock) },
		Hash:        func(a any) uint64 { return hash(a.(*model.Lock)) },
	}
	return s
}

// step is the whole adapter: model.Lock decides. A spent budget refuses everything, which ends the search
// soon; steps are counted because a time-out would not be the same twice.
func (s *search) step(_ context.Context, state, input, _ any) (bool, any) {
	if s.left--; s.left < 0 {
		return false, state
	}
	next, ok := state.(*model.Lock).Step(input.(*model.Step))
	if !ok {
		return false, state
	}
	return true, s.states.put(next)
}

func hash(l *model.Lock) uint64 {
	const odd = 0x9e3779b97f4a7c15
	h := uint64(l.Now) * odd
	h = (bits.RotateLeft64(h, 29) ^ l.Token) * odd
	if l.Held {
		h = (bits.RotateLeft64(h, 29) ^ uint64(l.Until)) * odd
	}
	return h ^ h>>32
}

// run judges every key in turn and stops at the first that is not legal, with the first tenure of its
// segment; -1 where there is none. The tenures must be settled.
func (s *search) run() (Result, int32) {
	s.steps, s.pieces = 0, 0
	spent := int32(-1)
	for i := range s.n.chains {
		for at := s.n.chains[i].first; at >= 0; {
			from := at
			ok, whole := s.segment(&at)
			switch {
			case ok:
			case whole:
				return Illegal, from
			case spent < 0:
				spent = from
			}
			if past(s.n, i, at) {
				break // the greedy judge's ends mean nothing from here on
			}
		}
	}
	if spent >= 0 {
		return Inconclusive, spent
	}
	return Legal, -1
}

// past says whether the tenure at lies after the one that the greedy judge holds against key i.
func past(n *normal, i int, at int32) bool {
	bad := n.chains[i].bad
	return bad >= 0 && at > bad
}

// segment judges the tenures from *at on and moves it to the first that is left. It returns whether they
// are legal and whether the search was finished within its budget.
func (s *search) segment(at *int32) (legal, whole bool) {
	s.inputs, s.ops = s.inputs[:0], s.ops[:0]
	s.states.reset()
	s.start = model.Lock{Now: math.MinInt64}
	since := instant{math.MinInt64, math.MinInt64} // the end of the grant before
	if pred := s.n.tenures[*at].pred; pred >= 0 {
		p := &s.n.tenures[pred]
		s.start, since = model.Lock{Now: p.free.at, Token: p.token}, p.free
	}
	for range s.grants {
		if *at < 0 {
			break
		}
		t := &s.n.tenures[*at]
		s.tenure(t)
		*at = t.next
	}
	for i := range s.inputs {
		s.ops[i].Input = &s.inputs[i]
	}
	s.pieces++
	if s.n.h.Header.UncertaintyNanos == 0 {
		// The lock knows times alone. What came before at the same time is a matter of positions.
		first := &s.ops[0]
		if first.Call = max(first.Call, since.seq); first.Return < first.Call {
			return false, true
		}
	}
	s.left = s.budget
	legal = porcupine.CheckOperations(s.adapter, s.ops)
	s.steps += s.budget - max(s.left, 0)
	return legal, s.left >= 0
}

// tenure adds t's operations to the segment. Of its Indeterminate releases the one that was called first
// can do whatever the others can, and none can do anything once the token was Released.
func (s *search) tenure(t *tenure) {
	h := s.n.h
	pred := uint64(0)
	if t.pred >= 0 {
		pred = s.n.tenures[t.pred].token
	}
	s.add(s.n.opens(t), s.n.shuts(t), model.Step{Effect: model.Grant, Token: t.token, Pred: pred, Lease: s.n.lease(t)})
	first, last := never, instant{math.MinInt64, math.MinInt64}
	op := &h.Ops[t.grant]
	if op.Outcome == model.Indeterminate && !h.Header.LaneRecorded {
		first = told(&h.Header, op)
	}
	for _, r := range s.n.refs[t.from:t.to] {
		op := &h.Ops[r.index()]
		from, to := opens(&h.Header, op), shuts(&h.Header, op)
		switch {
		case op.Outcome == model.Indeterminate:
			if from.before(first) {
				first = from
			}
			continue
		case op.Outcome == model.Released:
			s.add(from, to, model.Step{Effect: model.Free, Token: t.token})
		case op.Tries > 1:
			s.add(from, to, model.Step{Effect: model.FreeOrGone, Token: t.token})
		default:
			s.add(from, to, model.Step{Effect: model.Gone, Token: t.token})
		}
		last = last.max(to)
	}
	if t.next >= 0 {
		last = last.max(s.n.shuts(&s.n.tenures[t.next]))
	}
	if t.freed < 0 && first.before(last) {
		s.add(first, last, model.Step{Effect: model.MayFree, Token: t.token})
	}
}

// add appends one operation. Positions order operations for Porcupine, which takes equal stamps for
// concurrent; where positions mean nothing, times do.
func (s *search) add(from, to instant, step model.Step) {
	step.From, step.To = from.at, to.at
	s.inputs = append(s.inputs, step)
	op := porcupine.Operation{Call: from.seq, Return: to.seq}
	if s.n.h.Header.UncertaintyNanos > 0 {
		op.Call, op.Return = from.at, to.at
	}
	s.ops = append(s.ops, op)
}

// slab hands out states without an allocation each. A search holds its states by pointer, so blocks
// are filled in turn and never moved.
type slab struct {
	blocks [][]model.Lock
	at     int // the block being filled
}

const (
	slabBlock  = 1 << 10 // states
	slabBlocks = 64      // kept for the next segment; most need one
)

func (s *slab) reset() {
	if len(s.blocks) > slabBlocks {
		clear(s.blocks[slabBlocks:])
		s.blocks = s.blocks[:slabBlocks]
	}
	for i := range s.blocks {
		s.blocks[i] = s.blocks[i][:0]
	}
	s.at = 0
}

func (s *slab) put(l model.Lock) *model.Lock {
	if s.at < len(s.blocks) && len(s.blocks[s.at]) == slabBlock {
		s.at++
	}
	if s.at == len(s.blocks) {
		s.blocks = append(s.blocks, make([]model.Lock, 0, slabBlock))
	}
	b := append(s.blocks[s.at], l)
	s.blocks[s.at] = b
	return &b[len(b)-1]
}
