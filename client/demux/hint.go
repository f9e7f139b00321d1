package demux

// nextAddr picks the address of a dial: the hint if there is one, which this spends, else whose turn it is
// (rule one-hint).
func (m *Machine) nextAddr() (addr int32, hinted bool) {
	if m.hint != 0 {
		m.count(CountOneHintDialled)
		addr, m.hint = m.hint-1, 0
		return addr, true
	}
	m.count(CountOneHintTurn)
	addr = m.cursor
	m.cursor = (m.cursor + 1) % int32(len(m.o.Addrs))
	return addr, false
}

// allowed returns the index of a configured address that equals addr byte for byte, or -1.
func (m *Machine) allowed(addr []byte) int32 {
	for i, a := range m.o.Addrs {
		if a == string(addr) {
			return int32(i)
		}
	}
	return -1
}

// moved handles M (rule moved).
func (m *Machine) moved(c *conn, addr []byte) {
	switch i := m.allowed(addr); i {
	case -1:
		m.count(CountMovedOffList)
	case c.addr:
		m.count(CountMovedSelf)
	default:
		m.count(CountMovedHint)
		m.hint = i + 1
	}
	m.closeCurrent(ReasonMoved)
}

// notice handles L (rule notice): it chooses the next dial, and changes nothing on this connection.
func (m *Machine) notice(c *conn, addr []byte) {
	switch i := m.allowed(addr); i {
	case -1:
		m.count(CountNoticeOffList)
	case c.addr:
		// The leader is where we are: an older hint is out of date.
		m.count(CountNoticeSelf)
		m.hint = 0
	default:
		m.count(CountNoticeHint)
		m.hint = i + 1
	}
}

// prove notes that a reply matched a waiter: nothing else proves a session good (rule proven).
func (m *Machine) prove(c *conn) {
	if c.proven {
		return
	}
	m.count(CountProvenFirst)
	c.proven = true
	m.cursor = c.addr
	m.losses = [numClasses]uint8{}
}
