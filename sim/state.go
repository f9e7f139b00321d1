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
	w.dialers, w.silent = append(w.dialers[:0], src.dialers...), append(w.silent[:0], src.silent...)
	w.callers = append(w.callers[:0], src.callers...)
	w.mix.phases = append(w.mix.phases[:0], src.mix.phases...) // no part of the state, but of one size with it
	w.service.CopyFrom(&src.service)
	w.copyClients(src)
	for i := range w.audits {
		w.audits[i].CopyFrom(src.audits[i])
	}
}

// SetSource makes src answer from here on.
func (w *World) SetSource(src choice.Source) { w.src = src }

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
	e.dst = w.service.AppendState(e.now, e.dst)
	for i, c := range w.dialers {
		e.int(int64(c))
		e.bool(w.service.Sessions[i].Open && w.silent[i])
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
		e.uint(uint64(a.joins))
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
	e.bool(l.opened)
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
