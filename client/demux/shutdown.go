package demux

// shutDown handles InputClose: every request is settled, or remembered while it is writing, and the lane gets
// a last write on the current connection (rule shut-down).
func (m *Machine) shutDown(op OpID) {
	if m.shut {
		m.count(CountShutDownAgain)
		return
	}
	m.mustBeNew(op)
	m.shut, m.closeOp = true, op
	m.closeAt = after(m.now, Time(m.o.CloseGrace))
	for s := range numSides {
		for slot := m.pending.all.head(s); slot != 0; {
			next := m.pending.all.next(slot)
			m.shutRequest(slot)
			slot = next
		}
	}
	m.held.reset()
	c := m.current()
	switch {
	case c == nil:
		m.count(CountShutDownIdle)
		m.lane.endConnection(m, 0)
	case c.state == dialing:
		m.count(CountShutDownDialing)
	case m.lane.queued > 0:
		m.count(CountShutDownLaneWrite)
	default:
		m.count(CountShutDownOpen)
	}
	m.part()
}

func (m *Machine) shutRequest(slot int32) {
	switch m.pending.reqs[slot].stage {
	case sent:
		m.settle(slot, ending{outcome: Indeterminate})
	default:
		m.abandon(slot, CauseClosed)
	}
}

// finish closes the current connection once nothing must be written on it any more, and settles InputClose
// once nothing is left.
func (m *Machine) finish() {
	if !m.shut {
		return
	}
	m.part()
	// A request that is left is being written, on a connection that is left too.
	if m.closeOp == 0 || m.used > 0 {
		return
	}
	e := m.emit(EffectComplete)
	e.Op, e.Outcome = m.closeOp, Closed
	m.closeOp = 0
}

// part closes the current connection unless lane entries are queued for it or being written.
func (m *Machine) part() {
	if c := m.current(); c != nil && !(c.state == open && m.farewells(c)) {
		m.closeCurrent(ReasonShut)
	}
}

// farewells says whether lane entries are queued, or in the write that is outstanding.
func (m *Machine) farewells(c *conn) bool {
	return m.lane.queued > 0 || (c.writing && c.farewell)
}
