package demux

import "encoding/binary"

// encoder appends the canonical form of a state. Times are relative to now: 0 once past.
type encoder struct {
	dst []byte
	now Time
	gen Generation // the newest: others are told by their distance to it
}

func (e *encoder) uint(v uint64) { e.dst = binary.AppendUvarint(e.dst, v) }

func (e *encoder) time(t Time) { e.uint(uint64(max(0, t-e.now))) }

func (e *encoder) bytes(b []byte) {
	e.uint(uint64(len(b)))
	e.dst = append(e.dst, b...)
}

func (e *encoder) string(s string) {
	e.uint(uint64(len(s)))
	e.dst = append(e.dst, s...)
}

// handed tells a connection by how many dials ago it was made, plus 1; zero: none.
func (e *encoder) handed(g Generation) {
	if g == 0 {
		e.uint(0)
		return
	}
	e.uint(uint64(e.gen-g) + 1)
}

func flags(bits ...bool) (v byte) {
	for i, b := range bits {
		if b {
			v |= 1 << i
		}
	}
	return v
}

// AppendState appends the canonical encoding of the state; see Core. What is empty costs a byte or nothing.
// The number of the newest dial is part of it only with Jitter, whose delays depend on it.
func (m *Machine) AppendState(now Time, dst []byte) []byte {
	e := encoder{dst: dst, now: max(now, m.now), gen: m.gen}
	e.dst = append(e.dst, flags(m.shut, m.o.Jitter != 0, m.held.len() > 0, len(m.lane.entries) > 0))
	if m.o.Jitter != 0 {
		e.uint(uint64(m.gen))
	}
	m.encodeRequests(&e)
	m.encodeConns(&e)
	if len(m.lane.entries) > 0 {
		m.lane.encode(&e)
	}
	if m.shut {
		e.uint(uint64(m.closeOp))
		if m.cur != 0 {
			e.time(m.closeAt)
		}
		return e.dst
	}
	e.uint(m.counter)
	e.dst = append(e.dst, byte(m.hint), byte(m.cursor))
	e.dst = append(e.dst, m.losses[:]...)
	e.time(m.gate)
	e.uint(m.held.mark)
	if m.held.len() > 0 {
		m.held.encode(&e)
	}
	return e.dst
}

func (m *Machine) encodeRequests(e *encoder) {
	for s := range numSides {
		e.uint(uint64(m.pending.all.len(s)))
		for slot := m.pending.all.head(s); slot != 0; slot = m.pending.all.next(slot) {
			m.pending.encode(e, slot)
		}
	}
}

func (p *pending) encode(e *encoder, slot int32) {
	r := &p.reqs[slot]
	e.dst = append(e.dst, byte(r.stage)|byte(r.giveUp)<<2|r.tries<<5)
	e.string(r.key)
	e.uint(r.id)
	if r.stage == writing {
		e.handed(r.gen)
		e.uint(uint64(r.start))
	}
	if r.timer != 0 { // always but after a giveUp
		e.time(p.due[r.timer-1].at)
	}
	if r.side == releases {
		for at := r.firstCall; at != 0; at = p.calls[at].next {
			e.uint(uint64(p.calls[at].op))
			e.dst = append(e.dst, flags(p.calls[at].cancelled, p.calls[at].next != 0))
		}
		return
	}
	e.uint(uint64(r.op))
	if r.stage != sent && r.giveUp == CauseNone {
		// It may yet be sent for the first time.
		e.time(r.waitEnd)
		e.time(after(r.waitEnd, r.grace))
		e.uint(uint64(r.grace))
		e.uint(uint64(r.lease))
	}
}

// encodeConns writes the connections from the newest on.
func (m *Machine) encodeConns(e *encoder) {
	e.uint(uint64(m.used))
	last := m.gen + 1
	for range m.used {
		newest := -1
		for i := range m.conns {
			c := &m.conns[i]
			if c.state != vacant && c.gen < last && (newest < 0 || c.gen > m.conns[newest].gen) {
				newest = i
			}
		}
		m.conns[newest].encode(e)
		last = m.conns[newest].gen
	}
}

func (c *conn) encode(e *encoder) {
	e.handed(c.gen)
	if c.state == closing {
		e.dst = append(e.dst, byte(closing)|flags(false, false, c.writing))
		return
	}
	e.dst = append(e.dst, byte(c.state)|flags(false, false, c.writing, c.hinted, c.proven, c.writing && c.farewell, c.probe != 0))
	e.uint(uint64(c.addr))
	if c.state == dialing {
		e.time(c.until)
		return
	}
	if c.writing {
		e.uint(uint64(c.length))
		e.time(c.until)
	}
	if !c.proven {
		e.time(c.probe)
	}
	e.bytes(c.carry)
}

func (l *lane) encode(e *encoder) {
	e.uint(uint64(len(l.entries)))
	from := 0
	for i := range l.entries {
		o := &l.entries[i]
		e.uint(o.token)
		e.time(o.until)
		e.handed(o.gen)
		e.bytes(l.keys[from : from+int(o.size)])
		from += int(o.size)
	}
}

func (h *held) encode(e *encoder) {
	e.uint(uint64(h.len()))
	for slot := h.order.head(heldSide); slot != 0; slot = h.order.next(slot) {
		g := &h.grants[slot]
		e.uint(g.token)
		e.time(g.until)
		e.string(g.key)
	}
}
