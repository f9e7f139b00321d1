package service

import (
	"encoding/binary"

	"ticketing/sim/clock"
)

// CopyFrom makes s equal to src, reusing the memory of s.
func (s *Service) CopyFrom(src *Service) {
	s.Leader, s.Changes, s.Token = src.Leader, src.Changes, src.Token
	s.o = src.o
	s.addrs = append(s.addrs[:0], src.addrs...)
	s.Nodes = resize(s.Nodes, len(src.Nodes))
	for i := range s.Nodes {
		keep := s.Nodes[i].Proposals
		s.Nodes[i] = src.Nodes[i]
		s.Nodes[i].Proposals = append(keep[:0], src.Nodes[i].Proposals...)
	}
	s.Sessions = resize(s.Sessions, len(src.Sessions))
	for i := range s.Sessions {
		keep := s.Sessions[i].Carry
		s.Sessions[i] = src.Sessions[i]
		s.Sessions[i].Carry = append(keep[:0], src.Sessions[i].Carry...)
	}
	s.locks = append(s.locks[:0], src.locks...)
	s.waiters.copyFrom(&src.waiters)
	s.due = append(s.due[:0], src.due...)
}

func (q *waiters) copyFrom(src *waiters) {
	q.slots = append(q.slots[:0], src.slots...)
	q.spare, q.all, q.count = src.spare, src.all, src.count
}

// AppendState appends the canonical encoding at now: services of equal options and equal encodings behave alike from here
// on, given the same answers.
func (s *Service) AppendState(now clock.Time, dst []byte) []byte {
	e := encoder{dst: dst, s: s, now: now}
	e.int(int64(s.Leader))
	e.uint(s.Token)
	for i := range s.locks {
		e.lock(int32(i))
	}
	e.uint(uint64(s.waiters.count))
	for v := range s.Waiters() {
		e.int(int64(v.Key))
		e.owner(v.Owner)
		e.uint(uint64(v.Lease))
		e.reply(v.Reply)
		e.leader(s.Until(v))
	}
	for i := range s.Nodes {
		e.node(&s.Nodes[i])
	}
	for i := range s.Sessions {
		v := &s.Sessions[i]
		e.bool(v.Open)
		if v.Open {
			e.bool(v.Hello)
			e.int(int64(v.Node))
			e.uint(uint64(len(v.Carry)))
			e.dst = append(e.dst, v.Carry...)
		}
	}
	return e.dst
}

// encoder appends values to a canonical encoding.
type encoder struct {
	dst []byte
	s   *Service
	now clock.Time
}

func (e *encoder) uint(v uint64) { e.dst = binary.AppendUvarint(e.dst, v) }
func (e *encoder) int(v int64)   { e.dst = binary.AppendVarint(e.dst, v) }

func (e *encoder) bool(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	e.dst = append(e.dst, b)
}

func (e *encoder) owner(o Owner) {
	e.int(int64(o.Client))
	e.uint(o.N)
}

func (e *encoder) lock(key int32) {
	l := &e.s.locks[key]
	e.bool(l.Held)
	if !l.Held {
		return
	}
	e.owner(l.Owner)
	e.uint(l.Token)
	e.uint(uint64(l.Lease))
	if !e.s.o.LeaseRestarts {
		e.int(int64(e.now - l.Began))
	}
	e.leader(e.s.Ends(key))
}

func (e *encoder) node(n *Node) {
	e.bool(n.Up)
	e.bool(n.Leads)
	e.int(int64(n.Knows))
	e.dst = n.Clock.AppendState(e.now, e.dst)
	e.uint(uint64(len(n.Proposals)))
	for i := range n.Proposals {
		p := &n.Proposals[i]
		e.uint(uint64(p.Verb))
		e.bool(p.Refuse)
		e.int(int64(p.Key))
		e.owner(p.Owner)
		e.uint(p.Token)
		e.uint(uint64(p.Wait))
		e.uint(uint64(p.Lease))
		e.reply(p.Reply)
	}
}

// leader encodes an instant on the leader's clock; without a leader nobody looks at it.
func (e *encoder) leader(t clock.Time) {
	if e.s.Leader < 0 {
		return
	}
	if t == clock.Never {
		e.int(-1)
		return
	}
	e.int(int64(max(0, t-e.s.local(e.s.Leader, e.now))))
}

// reply encodes where an answer goes, as far as it can still get there.
func (e *encoder) reply(a Address) {
	if !e.s.stands(a) {
		e.int(-1)
		return
	}
	e.int(int64(a.Conn))
}
