package demux

import (
	"strconv"
	"time"

	"ticketing/client/wire"
)

const millisecond = Time(time.Millisecond)

// flush hands over one write: H, lane releases, callers' releases, acquires (rule order). Everything in it
// is registered before it leaves (rule register-first).
func (m *Machine) flush() {
	c := m.current()
	if c == nil || c.state != open || c.writing {
		return
	}
	c.buf = c.buf[:0]
	if !c.greeted {
		c.greeted = true
		c.buf = wire.AppendHello(c.buf, m.o.Credential)
	}
	lane := m.lane.queued > 0
	whole := m.flushLane(c) && m.flushReleases(c) && m.flushAcquires(c)
	if !whole {
		m.count(CountOrderWriteFull)
	}
	if len(c.buf) == 0 {
		return
	}
	if len(c.frames) > 1 {
		m.count(CountOrderCoalesced)
	}
	c.writing, c.farewell, c.length = true, lane, len(c.buf)
	c.until = after(m.now, Time(m.o.WriteStall))
	e := m.emit(EffectWrite)
	e.Gen, e.Data = c.gen, c.buf
}

// fits says whether the frame that begins at start may stay in the write, and takes it back if not.
func (m *Machine) fits(c *conn, start int) bool {
	if len(c.buf) > m.o.MaxWrite {
		c.buf = c.buf[:start]
		return false
	}
	return true
}

func (m *Machine) flushReleases(c *conn) bool {
	for m.pending.queue.len(releases) > 0 {
		slot := m.pending.queue.head(releases)
		r, start := &m.pending.reqs[slot], len(c.buf)
		c.buf = wire.AppendRelease(c.buf, r.key, r.id)
		if !m.fits(c, start) {
			return false
		}
		if r.tries > 0 {
			m.count(CountReleaseAgainWritten)
		}
		m.pending.take(slot, c.gen, start)
		c.frames = append(c.frames, frame{slot, r.seq})
	}
	return true
}

func (m *Machine) flushAcquires(c *conn) bool {
	for m.pending.queue.len(acquires) > 0 && m.carriesMore(c) {
		slot := m.pending.queue.head(acquires)
		r, start := &m.pending.reqs[slot], len(c.buf)
		left := max(0, r.waitEnd-m.now) / millisecond
		c.buf = wire.AppendAcquire(c.buf, r.key, m.owner(r.id), uint32(left), r.lease)
		if !m.fits(c, start) {
			return false
		}
		if c.probe == 0 {
			m.count(CountProbationFirst)
			c.probe = after(m.now, Time(m.o.Probe))
		}
		m.pending.take(slot, c.gen, start)
		m.pending.arm(slot, after(m.now, left*millisecond+r.grace))
		c.frames = append(c.frames, frame{slot, r.seq})
	}
	return true
}

// carriesMore says whether the connection may carry another acquire (rule probation).
func (m *Machine) carriesMore(c *conn) bool {
	switch {
	case c.proven || c.probe == 0:
		return true
	case c.probe <= m.now:
		m.count(CountProbationSilence)
		return true
	}
	m.count(CountProbationHeldBack)
	return false
}

// owner renders the owner of an acquire (rule owners). It is valid until the next call.
func (m *Machine) owner(counter uint64) []byte {
	m.scratch = append(append(m.scratch[:0], m.o.Prefix...), '-')
	m.scratch = strconv.AppendUint(m.scratch, counter, 10)
	return m.scratch
}

// wrote tells sent from unsent: a frame was sent if the transport took its first byte (rule
// sent-per-frame). A write that failed or was short closes (rule torn-stream). On a connection that ended, this settles
// what waited for it.
func (m *Machine) wrote(c *conn, n int, failed bool) {
	if !c.writing {
		m.count(CountGenerationsStale)
		return
	}
	c.writing = false
	var reason Reason
	moved := false
	for _, f := range c.frames {
		switch r := &m.pending.reqs[f.slot]; {
		case r.seq != f.seq:
			m.count(CountSentPerFrameAnsweredFirst)
		case n > int(r.start):
			back, why := m.accepted(f.slot, c.state == open)
			moved = moved || back
			if reason == ReasonNone {
				reason = why
			}
		default:
			moved = m.untouched(f.slot, c.state == open) || moved
		}
	}
	c.frames = c.frames[:0]
	if moved {
		m.pending.requeue()
	}
	if c.state != open {
		m.count(CountGenerationsLateWrote)
		return
	}
	if failed || n < c.length {
		m.countTorn(n, failed)
		reason = ReasonTorn
	}
	if reason != ReasonNone {
		m.closeCurrent(reason)
	}
}

func (m *Machine) countTorn(n int, failed bool) {
	switch {
	case n <= 0:
		m.count(CountTornStreamNothing)
	case failed:
		m.count(CountTornStreamFailed)
	default:
		m.count(CountTornStreamShort)
	}
}

// accepted handles a frame of which at least one byte was taken. It says whether the request returned to its
// queue, and for what the connection must close.
func (m *Machine) accepted(slot int32, alive bool) (moved bool, reason Reason) {
	r := &m.pending.reqs[slot]
	r.tries++
	m.count(CountSentPerFrameAccepted)
	if m.settleCancelled(slot) {
		return false, ReasonCancel
	}
	switch {
	case r.giveUp != CauseNone:
		m.count(CountSentPerFrameRememberedSent)
		// A Close has its own end for the connection, after the lane (rule shut-down).
		if r.giveUp != CauseClosed {
			reason = reasonOf(r.giveUp)
		}
		m.settle(slot, ending{outcome: Indeterminate})
		return false, reason
	case alive:
		r.stage = sent
		return false, ReasonNone
	case r.side == releases:
		return m.again(slot), ReasonNone
	}
	m.count(CountNoResendLateWrote)
	m.settle(slot, ending{outcome: Indeterminate})
	return false, ReasonNone
}

// untouched handles a frame of which no byte was taken. It says whether the request returned to its queue
// (rule unsent-moves).
func (m *Machine) untouched(slot int32, alive bool) bool {
	r := &m.pending.reqs[slot]
	m.count(CountSentPerFrameUntouched)
	if m.settleCancelled(slot) {
		return false
	}
	if r.giveUp != CauseNone {
		m.count(CountSentPerFrameRememberedUnsent)
		m.settleByBytes(slot, r.giveUp)
		return false
	}
	m.count(CountUnsentMovesReturned)
	if !alive {
		m.count(CountUnsentMovesLate)
	}
	m.pending.putBack(slot)
	if r.side == acquires {
		m.pending.arm(slot, after(r.waitEnd, r.grace))
	}
	return true
}
