package demux

// conn is one slot for a connection, from its dial to its InputClosed. At most one is dialing or open.
//
//   - vacant: the slot is free.
//   - dialing: waits for InputOpened.
//   - open: carries requests.
//   - closing: ended, by us or by the peer; only its outstanding write may still be answered.
type conn struct {
	gen     Generation
	state   connState
	addr    int32
	hinted  bool // dialled by a hint
	proven  bool // a reply matched (rule proven)
	greeted bool // H was handed over

	writing  bool    // one write is outstanding
	farewell bool    // it holds lane releases
	length   int     // its bytes
	frames   []frame // the requests in it
	buf      []byte  // its Data; never read here again

	until Time   // dialing: end of the dial; writing: end of the stall
	probe Time   // end of the probation by silence; zero: no acquire yet
	carry []byte // the head of a frame whose rest has not come, less than wire.MaxFrame bytes
}

type connState uint8

const (
	vacant connState = iota
	dialing
	open
	closing
)

// frame names a request in a write. The slot may have been settled and reused since: seq tells.
type frame struct {
	slot int32
	seq  uint64
}

// current is the connection that is dialing or open, or nil.
func (m *Machine) current() *conn {
	if m.cur == 0 {
		return nil
	}
	return &m.conns[m.cur-1]
}

// connection finds a generation, or nil if it is not one that lives (rule generations).
func (m *Machine) connection(gen Generation) *conn {
	if c := m.current(); c != nil && c.gen == gen {
		return c
	}
	for i := range m.conns {
		if c := &m.conns[i]; c.state != vacant && c.gen == gen {
			return c
		}
	}
	m.count(CountGenerationsStale)
	return nil
}

// wantsDial says whether something waits for a connection and a slot is free for one (rule pacing).
func (m *Machine) wantsDial() bool {
	if m.cur != 0 || m.shut || !m.wantsConnection() {
		return false
	}
	return m.used < len(m.conns)
}

func (m *Machine) wantsConnection() bool {
	return m.pending.queue.len(releases) > 0 || m.pending.queue.len(acquires) > 0 || m.lane.queued > 0
}

func (m *Machine) dial() {
	if !m.wantsDial() {
		if m.cur == 0 && !m.shut && m.used == len(m.conns) {
			m.count(CountGenerationsNoSlot)
		}
		return
	}
	if m.now < m.gate {
		m.count(CountPacingWaits)
		return
	}
	i := 0
	for m.conns[i].state != vacant {
		i++
	}
	m.gen++
	c := &m.conns[i]
	c.reset()
	c.gen, c.state = m.gen, dialing
	c.addr, c.hinted = m.nextAddr()
	c.until = after(m.now, Time(m.o.DialTimeout))
	m.cur, m.used = i+1, m.used+1
	m.gate = after(m.now, Time(m.o.DialSpacing))
	e := m.emit(EffectDial)
	e.Gen, e.Addr = c.gen, int(c.addr)
}

func (c *conn) reset() {
	*c = conn{frames: c.frames[:0], buf: c.buf[:0], carry: c.carry[:0]}
}

func (m *Machine) opened(c *conn) {
	if c.state != dialing {
		m.count(CountGenerationsStale)
		return
	}
	c.state = open
}

// closeCurrent closes the current connection for a reason of ours.
func (m *Machine) closeCurrent(reason Reason) {
	c := m.current()
	e := m.emit(EffectClose)
	e.Gen, e.Reason = c.gen, reason
	m.end(c, reason)
}

// closed handles the last input of a generation.
func (m *Machine) closed(c *conn) {
	if c == m.current() {
		if len(c.carry) > 0 {
			m.count(CountRestDroppedMidFrame)
		}
		m.end(c, ReasonLost)
	}
	if c.writing {
		m.wrote(c, c.length, true)
	}
	c.reset()
	m.used--
}

// end is what happens to a connection's work however it ended: sent acquires are Indeterminate (rule
// ends-sent), releases and lane entries go on elsewhere (rules release-again, lane), and what is writing
// waits for the answer to its write. Grants that callers hold are left alone (rule close-proves-nothing).
func (m *Machine) end(c *conn, reason Reason) {
	m.cur = 0
	c.state = closing
	if m.held.len() > 0 {
		m.count(CountCloseProvesNothingHeld)
	}
	moved := false
	for s := range numSides {
		for slot := m.pending.all.head(s); slot != 0; {
			next := m.pending.all.next(slot)
			if r := &m.pending.reqs[slot]; r.gen == c.gen && r.stage == sent {
				moved = m.endSent(slot) || moved
			}
			slot = next
		}
	}
	if moved {
		m.pending.requeue()
	}
	m.lane.endConnection(m, c.gen)
	m.account(c, reason)
}

// endSent says whether the request returned to its queue.
func (m *Machine) endSent(slot int32) bool {
	if m.pending.reqs[slot].side == releases {
		return m.again(slot)
	}
	m.count(CountEndsSentAcquire)
	m.settle(slot, ending{outcome: Indeterminate})
	return false
}

// expireConnection fires the first timer of the current connection that is due by an instant.
func (m *Machine) expireConnection(by Time) {
	c := m.current()
	if c == nil {
		return
	}
	first, why, counted := Never, ReasonNone, CountDeadlineDial
	switch {
	case c.state == dialing:
		first, why = c.until, ReasonDial
	case c.writing:
		first, why, counted = c.until, ReasonStall, CountDeadlineStall
	}
	if m.shut && m.closeAt < first {
		first, why, counted = m.closeAt, ReasonShut, CountShutDownGrace
	}
	if first <= by {
		m.count(counted)
		m.closeCurrent(why)
	}
}
