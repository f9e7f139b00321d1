package demux

import (
	"slices"
)

// ownAddrs keeps the addresses from changing under a machine: it reuses old, which the machine shares with its
// clones and never writes to, if the addresses are the same.
func ownAddrs(old, addrs []string) []string {
	if slices.Equal(old, addrs) {
		return old
	}
	return slices.Clone(addrs)
}

// CopyFrom makes m equal to src, which is a *Machine, its counts apart. Data of a Write that src has
// outstanding stays with src.
func (m *Machine) CopyFrom(src Core) {
	s := src.(*Machine)
	m.o, m.now, m.counter = s.o, s.now, s.counter
	m.pending.copyFrom(&s.pending)
	for cap(m.conns) < len(s.conns) {
		m.conns = append(m.conns[:cap(m.conns)], conn{})
	}
	m.conns = m.conns[:len(s.conns)]
	for i := range m.conns {
		m.conns[i].copyFrom(&s.conns[i])
	}
	m.cur, m.used, m.gen = s.cur, s.used, s.gen
	m.lane.copyFrom(&s.lane)
	m.held.copyFrom(&s.held)
	m.hint, m.cursor, m.gate, m.losses = s.hint, s.cursor, s.gate, s.losses
	m.shut, m.closeOp, m.closeAt = s.shut, s.closeOp, s.closeAt
}

func (c *conn) copyFrom(src *conn) {
	if src.state == vacant {
		c.state = vacant
		return
	}
	frames, buf, carry := c.frames[:0], c.buf, c.carry[:0]
	*c = *src
	c.frames, c.buf, c.carry = append(frames, src.frames...), buf, append(carry, src.carry...)
}
