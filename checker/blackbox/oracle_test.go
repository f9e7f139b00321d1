package blackbox

import (
	"cmp"
	"slices"

	"ticketing/model"
)

// oracle decides a small history by playing the service in every possible way: time goes by in whole units,
// and at each instant any pending operation may act, any lease that is over may end, or nothing happens.
// It knows no order of tokens beyond "the next is higher", no normalisation and no earliest instants; it is
// slow and plain, and the judges are held against it. Every bound is a whole number of units, so nothing
// that is possible in between is impossible on the grid.
type oracle struct {
	ops    []part
	events []event
	called []uint32 // by number of events gone by: the operations that may act
	tried  set
}

// oracleUnit is half a millisecond, so that a lease shortened by half is whole.
const oracleUnit = 500_000 // nanoseconds

// part is an operation as the oracle plays it.
type part struct {
	role  byte // see below
	key   int
	token uint64
	lease int // units
}

const (
	roleGrant  = 'G' // takes a free lock with a token above the last
	roleHidden = 'H' // an acquire nobody heard of again: may take a free lock, for as long as it likes
	roleFree   = 'F' // must end the tenure of its token
	roleGone   = 'N' // must see its token granted and not holding
	roleTwice  = 'M' // the same, and may end the tenure before
	roleStray  = 'X' // may end the tenure of its token, at any time from its call
)

type event struct {
	at, order int
	op        int
	must      bool // the operation must have acted by now; otherwise it may act from now on
}

// state is packed into one word: the events gone by, the time, who acted, and who holds each key since when.
type state struct {
	event, now int
	done       uint32
	last       int // part that was granted last, plus one
	holder     [3]int
	since      [3]int
}

func (s *state) pack() uint64 {
	w := uint64(s.event)<<6 | uint64(s.now)
	w = w<<14 | uint64(s.done)
	w = w<<4 | uint64(s.last)
	for k := range s.holder {
		w = w<<10 | uint64(s.holder[k])<<6 | uint64(s.since[k])
	}
	return w
}

// legal says whether h is legal on key, or on all keys together with tokens that grow over all of them if
// key is negative.
func (o *oracle) legal(h *model.History, key int) bool {
	o.ops, o.events = o.ops[:0], o.events[:0]
	for i := range h.Ops {
		op := &h.Ops[i]
		tainted := slices.Contains(h.Taints, model.Taint{Token: op.Token, Key: op.Key})
		if key >= 0 && int(op.Key) != key || tainted {
			continue
		}
		o.add(h, op)
	}
	slices.SortFunc(o.events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
	})
	if len(o.events) == 0 {
		return true
	}
	base := o.events[0].at
	o.called = append(o.called[:0], 0)
	mask := uint32(0)
	for i := range o.events {
		e := &o.events[i]
		e.at -= base
		if !e.must {
			mask |= 1 << e.op
		}
		o.called = append(o.called, mask)
	}
	if len(o.ops) > 14 || len(o.events) > 31 || o.events[len(o.events)-1].at > 63 {
		panic("history too large for the oracle")
	}
	o.tried.reset()
	return o.play(state{})
}

func (o *oracle) add(h *model.History, op *model.Op) {
	p := part{key: int(op.Key), token: op.Token, lease: 2 * int(op.Lease) * int(1e6-h.Header.DriftPPM) / 1e6}
	must := true
	switch {
	case op.Kind == model.Acquire && op.Token != 0:
		p.role = roleGrant
	case op.Kind == model.Acquire && op.Outcome == model.Indeterminate:
		p.role, must = roleHidden, false
	case op.Outcome == model.Released:
		p.role = roleFree
	case op.Outcome == model.NotFound && op.Tries == 1:
		p.role = roleGone
	case op.Outcome == model.NotFound:
		p.role = roleTwice
	case op.Kind == model.Release && op.Outcome == model.Indeterminate:
		p.role, must = roleStray, false
	default:
		return // without effect
	}
	o.ops = append(o.ops, p)
	o.span(h, op.Call, -1, false)
	if must {
		o.span(h, op.Return, 1, true)
	}
	if p.role == roleGrant && op.Outcome == model.Indeterminate && !h.Header.LaneRecorded {
		o.ops = append(o.ops, part{role: roleStray, key: p.key, token: p.token})
		o.span(h, op.Return, -1, false)
	}
}

// span adds an event of the operation added last. Uncertain clocks move it outwards and order nothing.
func (o *oracle) span(h *model.History, s model.Stamp, sign int64, must bool) {
	e := event{at: int(s.At) / oracleUnit, order: int(s.Seq), op: len(o.ops) - 1, must: must}
	if u := h.Header.UncertaintyNanos; u > 0 {
		e.at, e.order = int(s.At+sign*u)/oracleUnit, int(sign)
	}
	o.events = append(o.events, e)
}

func (o *oracle) play(s state) bool {
	if s.event == len(o.events) {
		return true
	}
	if !o.tried.add(s.pack()) {
		return false
	}
	return o.pass(s) || o.act(s) || o.expire(s)
}

// pass lets an event or a unit of time go by.
func (o *oracle) pass(s state) bool {
	e := o.events[s.event]
	if s.now < e.at {
		s.now++
		return o.play(s)
	}
	if e.must && s.done&(1<<e.op) == 0 {
		return false
	}
	s.event++
	return o.play(s)
}

// act lets any one pending operation act.
func (o *oracle) act(s state) bool {
	for i := range o.ops {
		if o.called[s.event]&^s.done&(1<<i) == 0 {
			continue
		}
		p := &o.ops[i]
		held := s.holder[p.key] != 0
		mine := held && o.ops[s.holder[p.key]-1].token == p.token
		next := s
		next.done |= 1 << i
		switch p.role {
		case roleGrant:
			if held || s.last != 0 && o.ops[s.last-1].token >= p.token {
				continue
			}
			next.last, next.holder[p.key], next.since[p.key] = i+1, i+1, s.now
		case roleHidden:
			if held {
				continue
			}
			next.holder[p.key], next.since[p.key] = i+1, s.now
		case roleFree, roleStray:
			if !mine {
				continue
			}
			next.holder[p.key], next.since[p.key] = 0, 0
		case roleGone, roleTwice:
			if mine && p.role == roleTwice {
				next.done = s.done // an earlier try; the answer is still to come
				next.holder[p.key], next.since[p.key] = 0, 0
			} else if mine || !o.granted(s, p) {
				continue
			}
		}
		if o.play(next) {
			return true
		}
	}
	return false
}

func (o *oracle) granted(s state, p *part) bool {
	for i := range o.ops {
		if g := &o.ops[i]; g.role == roleGrant && g.key == p.key && g.token == p.token && s.done&(1<<i) != 0 {
			return true
		}
	}
	return false
}

// expire lets any one lease end that is over.
func (o *oracle) expire(s state) bool {
	for k, holder := range s.holder {
		if holder == 0 || s.now < s.since[k]+o.ops[holder-1].lease {
			continue
		}
		next := s
		next.holder[k], next.since[k] = 0, 0
		if o.play(next) {
			return true
		}
	}
	return false
}

// set is a set of words that empties in no time.
type set struct {
	words []uint64
	epoch []uint32
	now   uint32
	size  int
}

func (s *set) reset() {
	if s.words == nil {
		s.words, s.epoch = make([]uint64, 1<<12), make([]uint32, 1<<12)
	}
	s.now++
	s.size = 0
}

// add says whether w is new.
func (s *set) add(w uint64) bool {
	if 2*s.size > len(s.words) {
		s.grow()
	}
	mask := uint64(len(s.words) - 1)
	for i := (w * 0x9e3779b97f4a7c15) >> 20 & mask; ; i = (i + 1) & mask {
		if s.epoch[i] != s.now {
			s.words[i], s.epoch[i] = w, s.now
			s.size++
			return true
		}
		if s.words[i] == w {
			return false
		}
	}
}

func (s *set) grow() {
	words, epoch := s.words, s.epoch
	s.words, s.epoch, s.size = make([]uint64, 2*len(words)), make([]uint32, 2*len(words)), 0
	for i, e := range epoch {
		if e == s.now {
			s.add(words[i])
		}
	}
}
