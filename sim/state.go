package sim

import (
	"encoding/binary"

	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// CopyFrom makes w equal to src, which runs cores and audits of the same types. It reuses the memory of w. Hash, counts,
// trace and history are no part of the state: w keeps its own. The clone asks the same source as src until SetSource.
func (w *World) CopyFrom(src *World) {
	w.p, w.slot, w.healed = src.p, src.slot, src.healed
	w.addrs = append(w.addrs[:0], src.addrs...)
	w.p.Core.Addrs = w.addrs
	w.src, w.chaos, w.nap = src.src, src.chaos, src.nap
	w.q.CopyFrom(&src.q)
	w.net.CopyFrom(&src.net)
	w.dialers = append(w.dialers[:0], src.dialers...)
	w.callers = append(w.callers[:0], src.callers...)
	w.mix.phases = append(w.mix.phases[:0], src.mix.phases...) // no part of the state, but of one size with it
	w.copyService(src)
	w.copyClients(src)
	for i := range w.audits {
		w.audits[i].CopyFrom(src.audits[i])
	}
}

// SetSource makes src answer from here on.
func (w *World) SetSource(src choice.Source) { w.src = src }

func (w *World) copyService(src *World) {
	w.nodes = resize(w.nodes, len(src.nodes))
	for i := range w.nodes {
		keep := w.nodes[i].proposals
		w.nodes[i] = src.nodes[i]
		w.nodes[i].proposals = append(keep[:0], src.nodes[i].proposals...)
	}
	w.sessions = resize(w.sessions, len(src.sessions))
	for i := range w.sessions {
		keep := w.sessions[i].carry
		w.sessions[i] = src.sessions[i]
		w.sessions[i].carry = append(keep[:0], src.sessions[i].carry...)
	}
	locks, waiters := w.service.locks, w.service.waiters
	w.service = src.service
	w.service.locks = append(locks[:0], src.service.locks...)
	w.service.waiters = append(waiters[:0], src.service.waiters...)
}

func (w *World) copyClients(src *World) {
	w.clients = resize(w.clients, len(src.clients))
	for i := range w.clients {
		core, links := w.clients[i].core, w.clients[i].links
		w.clients[i] = src.clients[i]
		if core == nil {
			core = w.makeCore(i)
		}
		core.CopyFrom(src.clients[i].core)
		links = resize(links, len(src.clients[i].links))
		for k := range links {
			l := &src.clients[i].links[k]
			frames, carry := links[k].frames, links[k].carry
			links[k] = *l
			links[k].frames = append(frames[:0], l.frames...)
			links[k].carry = append(carry[:0], l.carry...)
		}
		w.clients[i].core, w.clients[i].links = core, links
	}
}

// AppendState appends the canonical encoding of the world: worlds of equal parameters and equal encodings behave alike
// from here on, given the same answers.
func (w *World) AppendState(dst []byte) []byte {
	e := encoder{dst: dst, now: w.q.Now()}
	e.bool(w.healed)
	e.dst = w.q.AppendState(e.dst)
	e.dst = w.net.AppendState(e.now, e.dst)
	w.appendService(&e)
	w.appendClients(&e)
	for _, a := range w.audits {
		e.dst = a.AppendState(e.now, e.dst)
	}
	return e.dst
}

func (w *World) appendService(e *encoder) {
	s := &w.service
	e.int(int64(s.leader))
	e.uint(s.token)
	for i := range s.locks {
		l := &s.locks[i]
		e.bool(l.held)
		if l.held {
			e.owner(l.owner)
			e.uint(l.token)
			e.uint(uint64(l.lease))
			if !w.p.Service.LeaseRestarts {
				e.since(l.began)
			}
			e.leader(w, l.ends)
		}
	}
	e.uint(uint64(len(s.waiters)))
	for i := range s.waiters {
		v := &s.waiters[i]
		e.int(int64(v.key))
		e.owner(v.owner)
		e.uint(uint64(v.lease))
		e.reply(w, v.reply)
		e.leader(w, v.until)
	}
	for i := range w.nodes {
		w.nodes[i].append(w, e)
	}
	for i := range w.sessions {
		v := &w.sessions[i]
		e.bool(v.open)
		if v.open {
			e.bool(v.hello)
			e.bool(v.silent)
			e.int(int64(v.node))
			e.bytes(v.carry)
		}
		e.int(int64(w.dialers[i]))
	}
	c := &w.chaos
	e.uint(uint64(c.left))
	if w.p.Service.Hostile.Budget > 0 {
		e.uint(uint64(c.lies))
	}
	e.int(int64(c.down))
	e.bool(c.blocked)
	if c.blocked {
		e.uint(uint64(c.from)<<8 | uint64(c.to))
	}
	e.int(int64(w.nap.host))
	if w.nap.host >= 0 {
		e.uint(uint64(max(0, w.nap.until-e.now)))
	}
}

func (n *node) append(w *World, e *encoder) {
	e.bool(n.up)
	e.bool(n.leads)
	e.int(int64(n.knows))
	e.dst = n.clock.AppendState(e.now, e.dst)
	e.uint(uint64(len(n.proposals)))
	for i := range n.proposals {
		p := &n.proposals[i]
		e.uint(uint64(p.verb))
		e.bool(p.refuse)
		e.int(int64(p.key))
		e.owner(p.owner)
		e.uint(p.token)
		e.uint(uint64(p.wait))
		e.uint(uint64(p.lease))
		e.reply(w, p.reply)
	}
}

func (w *World) appendClients(e *encoder) {
	for i := range w.clients {
		cl := &w.clients[i]
		e.dst = cl.clock.AppendState(e.now, e.dst)
		e.uint(uint64(max(0, cl.seen-w.local(i))))
		e.uint(uint64(cl.life))
		e.dst = cl.core.AppendState(w.local(i), e.dst)
		e.uint(uint64(cl.refused))
		e.bool(cl.shut)
		e.bool(cl.over)
		e.uint(uint64(cl.calm))
		for k := range cl.links {
			cl.links[k].append(e)
		}
	}
	for i := range w.callers {
		a := &w.callers[i]
		e.uint(uint64(a.state))
		e.uint(uint64(a.left))
		e.uint(uint64(a.open))
		e.bool(a.again)
		e.bool(a.spent)
		e.bool(a.twice)
		if a.state == holding || a.state == releasing {
			e.int(int64(a.key))
			e.uint(a.token)
		}
	}
}

func (l *link) append(e *encoder) {
	e.uint(uint64(l.gen))
	if l.gen == 0 {
		return
	}
	e.int(int64(l.conn))
	e.bool(l.closed)
	e.bool(l.deaf)
	e.bool(l.writing)
	e.bytes(l.carry)
	e.uint(uint64(len(l.frames)))
	for i := range l.frames {
		f := &l.frames[i]
		e.uint(uint64(f.verb))
		e.int(int64(f.key))
		e.int(int64(f.end))
		e.uint(uint64(f.wait))
		e.uint(uint64(f.lease))
		e.owner(f.owner)
		e.uint(f.token)
	}
}

// encoder appends values to a canonical encoding.
type encoder struct {
	dst []byte
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

func (e *encoder) bytes(b []byte) {
	e.uint(uint64(len(b)))
	e.dst = append(e.dst, b...)
}

func (e *encoder) owner(o Owner) {
	e.int(int64(o.Client))
	e.uint(o.N)
}

// since encodes a world time that has passed.
func (e *encoder) since(t clock.Time) { e.int(int64(e.now - t)) }

// leader encodes an instant on the leader's clock; without a leader nobody looks at it.
func (e *encoder) leader(w *World, t clock.Time) {
	if w.service.leader < 0 {
		return
	}
	if t == clock.Never {
		e.int(-1)
		return
	}
	e.int(int64(max(0, t-w.nodes[w.service.leader].clock.Local(e.now))))
}

// reply encodes where an answer goes, as far as it can still get there.
func (e *encoder) reply(w *World, a address) {
	s := &w.sessions[a.conn]
	if !s.open || s.life != a.life {
		e.int(-1)
		return
	}
	e.int(int64(a.conn))
}
