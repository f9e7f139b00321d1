package demux

import (
	"bytes"
	"errors"

	"ticketing/client/wire"
)

// received parses what came on a connection, frame by frame. A frame that closes is the last that counts
// (rule rest-dropped).
func (m *Machine) received(c *conn, data []byte) {
	if c.state == open && m.shut {
		m.count(CountShutDownUnread)
		return
	}
	var reply wire.Reply
	for len(data) > 0 {
		if c.state != open {
			m.count(CountRestDroppedAfterClose)
			return
		}
		head, used := c.gather(data)
		n, err := wire.ParseReply(head, &reply)
		switch {
		case err != nil:
			m.fatal(err)
		case n == 0:
			c.keep(data)
			return
		default:
			m.reply(c, &reply)
			if used == 0 {
				used = n
			}
		}
		c.carry = c.carry[:0]
		data = data[used:]
	}
}

// gather returns the bytes to parse: data itself, or, with used not zero, the carry and as much of data as may
// complete its frame.
func (c *conn) gather(data []byte) (head []byte, used int) {
	if len(c.carry) == 0 {
		return data, 0
	}
	used = bytes.IndexByte(data, '\n') + 1
	if used == 0 {
		used = len(data)
	}
	used = min(used, wire.MaxFrame-len(c.carry))
	c.carry = append(c.carry, data[:used]...)
	return c.carry, used
}

// keep stores the head of a frame, unless gather did.
func (c *conn) keep(data []byte) {
	if len(c.carry) == 0 {
		c.carry = append(c.carry, data...)
	}
}

// fatal closes for a frame that is none (rule fatal).
func (m *Machine) fatal(err error) {
	bad, _ := errors.AsType[*wire.Error](err) // unlike errors.As it allocates nothing
	m.count(CountFatalMalformed + Count(bad.Kind-wire.KindMalformed))
	m.closeCurrent(ReasonFatal)
}

func (m *Machine) reply(c *conn, r *wire.Reply) {
	switch r.Op {
	case wire.OpGranted, wire.OpTimedOut, wire.OpBusy:
		m.answerAcquire(c, r)
	case wire.OpReleased, wire.OpNotFound:
		m.answerRelease(c, r)
	case wire.OpMoved:
		m.moved(c, r.Addr)
	case wire.OpNotice:
		m.notice(c, r.Addr)
	case wire.OpError:
		m.errorFrame(r)
	}
}

// match finds the request that a reply belongs to, or 0. Op side, key and identifier must all agree, and the
// request must be writing or sent on this very connection (rule match). Arrival order has no say (rule
// no-fifo).
func (m *Machine) match(c *conn, s side, id uint64, reply *wire.Reply) int32 {
	for i := m.pending.byID.first(id); i >= 0; i = m.pending.byID.next(id, i) {
		slot := m.pending.byID.at(i)
		r := &m.pending.reqs[slot]
		if r.side != s {
			m.count(CountMatchOtherSide)
			continue
		}
		if r.gen != c.gen {
			m.count(CountMatchOtherConnection)
			continue
		}
		if s == acquires && !bytes.Equal(reply.Owner, m.owner(r.id)) {
			m.count(CountMatchOtherOwner)
			continue
		}
		if r.key != string(reply.Key) {
			m.count(CountMatchOtherKey)
			if reply.Op == wire.OpGranted {
				m.count(CountWrongKeyGranted)
			}
			continue
		}
		return slot
	}
	return 0
}

// counterOf reads the counter at the end of an owner. It only finds candidates: match compares the owner
// whole.
func counterOf(owner []byte) uint64 {
	i := len(owner)
	for i > 0 && '0' <= owner[i-1] && owner[i-1] <= '9' {
		i--
	}
	var v uint64
	for _, b := range owner[i:] {
		v = v*10 + uint64(b-'0')
	}
	return v
}

// answerAcquire settles an acquire by A, T or B: T is a result like the others (rule values), B is told at once and not
// tried again (rule busy). From here on a cancel comes too late (rule grant-wins). An A is passed on as it stands, its
// lease with it: when the grant began nobody here can know (rule lease-start).
func (m *Machine) answerAcquire(c *conn, reply *wire.Reply) {
	slot := m.match(c, acquires, counterOf(reply.Owner), reply)
	if slot == 0 {
		m.unmatchedAcquire(reply)
		return
	}
	m.prove(c)
	m.countMatched(slot)
	how := ending{}
	switch reply.Op {
	case wire.OpGranted:
		m.count(CountLeaseStartAsSaid)
		how = ending{outcome: Granted, token: reply.Token, lease: reply.Lease}
		m.hold(m.pending.reqs[slot].key, reply.Token, reply.Lease)
	case wire.OpTimedOut:
		m.count(CountValuesTimedOut)
		how.outcome = TimedOut
	case wire.OpBusy:
		m.count(CountBusyAtOnce)
		how.outcome = Busy
	}
	m.settle(slot, how)
}

// answerRelease settles a release by R or N, a caller's before the lane's. N is a result (rule values), which is told apart
// if an earlier try may have been what released the grant (rule resent-n).
func (m *Machine) answerRelease(c *conn, reply *wire.Reply) {
	slot := m.match(c, releases, reply.Token, reply)
	if slot == 0 {
		if m.lane.answer(m, c.gen, reply) {
			m.prove(c)
			return
		}
		m.count(CountUnmatchedRelease)
		m.closeCurrent(ReasonUnmatched)
		return
	}
	m.prove(c)
	m.countMatched(slot)
	r := &m.pending.reqs[slot]
	if r.stage == writing {
		// A matched reply proves sent (rule sent-per-frame).
		r.tries++
	}
	if reply.Op == wire.OpReleased {
		m.settle(slot, ending{outcome: Released})
		return
	}
	m.count(CountValuesNotFound)
	if r.tries > 1 {
		m.count(CountResentNMarked)
	}
	m.settle(slot, ending{outcome: NotFound})
}

// unmatchedAcquire closes for an A, T or B without a waiter; the token of an A may go to the lane (rules
// unmatched, held-grant, wrong-key).
func (m *Machine) unmatchedAcquire(reply *wire.Reply) {
	if reply.Op == wire.OpGranted {
		m.count(CountUnmatchedGranted)
		if m.mayRelease(reply) {
			m.count(CountOrphanLaned)
			m.lane.add(m, reply)
		}
	} else {
		m.count(CountUnmatchedAcquire)
	}
	m.closeCurrent(ReasonUnmatched)
}

func (m *Machine) countMatched(slot int32) {
	r := &m.pending.reqs[slot]
	m.count(CountMatchAcquire - Count(acquires-r.side))
	if older := m.pending.all.before(slot); older != 0 && m.pending.reqs[older].gen == r.gen {
		m.count(CountNoFifoOvertook)
	}
	if r.stage == writing {
		m.count(CountRegisterFirstBeforeWrote)
		if r.giveUp != CauseNone {
			m.count(CountGrantWinsOverRemembered)
		}
	}
}
