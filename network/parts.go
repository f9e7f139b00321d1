package network

// Parts is a set of the parts of one connection. What concerns its life concerns all of them.
type Parts uint8

// The parts.
const (
	PartFromDialer   Parts = 1 << iota // what the dialer wrote
	PartFromAcceptor                   // what the acceptor wrote
	PartWrite                          // the outstanding write
	PartsAll         Parts = 1<<iota - 1
)

// Concerns says which connection, and which of its parts, a queue slot that is armed is about: all that Take reads there or
// changes, but for the budgets of the faults.
func (n *Net) Concerns(slot int) (Conn, Parts) {
	c, i := Conn((slot-n.base)/slotsPerConn), (slot-n.base)%slotsPerConn
	k := &n.conns[c]
	switch {
	case n.o.Faults != (Faults{}): // a reset looks at both directions and ends both
	case i == slotWrote && k.phase[Dialer] == open:
		return c, PartWrite
	case i == slotBytes+int(Dialer) && k.pipe[Dialer].hasBytes():
		return c, PartFromDialer | PartWrite // there may be room now for what the write holds
	case i == slotBytes+int(Acceptor) && k.pipe[Acceptor].hasBytes():
		return c, PartFromAcceptor
	}
	return c, PartsAll
}

// Free reports whether the slot of a connection is free for a dial.
func (n *Net) Free(c Conn) bool { return n.conns[c].free() }
