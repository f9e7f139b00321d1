package audit

import (
	"encoding/binary"

	"ticketing/sim"
	"ticketing/sim/clock"
)

// CopyFrom implements sim.Audit.
func (l *Ledger) CopyFrom(src sim.Audit) {
	from := src.(*Ledger)
	l.failure, l.now = from.failure, from.now
	for cap(l.clients) < len(from.clients) { // an account beyond the length keeps its memory
		l.clients = append(l.clients[:cap(l.clients)], account{})
	}
	l.clients = l.clients[:len(from.clients)]
	for i := range l.clients {
		a, b := &l.clients[i], &from.clients[i]
		a.calls = append(a.calls[:0], b.calls...)
		a.conns = append(a.conns[:0], b.conns...)
		a.held = append(a.held[:0], b.held...)
		a.orphans = append(a.orphans[:0], b.orphans...)
		a.owed = append(a.owed[:0], b.owed...)
		a.closed = b.closed
		a.lied = append(a.lied[:0], b.lied...)
	}
}

// AppendState implements sim.Audit. A ledger that has failed has one state.
func (l *Ledger) AppendState(_ clock.Time, dst []byte) []byte {
	if l.failure != nil {
		return append(dst, 1)
	}
	dst = append(dst, 0)
	for i := range l.clients {
		dst = l.clients[i].appendState(dst)
	}
	return dst
}

func (a *account) appendState(dst []byte) []byte {
	closed := byte(0)
	if a.closed {
		closed = 1
	}
	dst = binary.AppendUvarint(append(dst, closed), uint64(len(a.calls)))
	for i := range a.calls {
		c := &a.calls[i]
		flags := byte(c.kind) | byte(c.stage)<<2
		if c.touched {
			flags |= 1 << 4
		}
		if c.forged {
			flags |= 1 << 5
		}
		dst = append(dst, flags, byte(c.key), c.tries, byte(c.expect), byte(c.deny))
		for _, v := range [...]uint64{uint64(c.op), c.token, uint64(c.lease), uint64(c.wait), c.told.token, uint64(c.length), c.owner, uint64(c.gen)} {
			dst = binary.AppendUvarint(dst, v)
		}
	}
	dst = binary.AppendUvarint(dst, uint64(len(a.conns)))
	for i := range a.conns {
		c := &a.conns[i]
		flags := byte(c.must)
		for bit, on := range [...]bool{c.hello, c.closed, c.dead} {
			if on {
				flags |= 1 << (5 + bit)
			}
		}
		dst = binary.AppendUvarint(append(dst, flags), uint64(c.gen))
	}
	dst = binary.AppendUvarint(dst, uint64(len(a.held)))
	for _, g := range a.held {
		dst = binary.AppendUvarint(append(dst, byte(g.key)), g.token)
	}
	dst = binary.AppendUvarint(dst, uint64(len(a.orphans)))
	for _, o := range a.orphans {
		dst = binary.AppendUvarint(append(dst, byte(o.key)), o.token)
		dst = binary.AppendUvarint(dst, uint64(o.gen))
	}
	dst = binary.AppendUvarint(dst, uint64(len(a.lied)))
	for _, n := range a.lied {
		dst = binary.AppendUvarint(dst, n)
	}
	return dst
}

// CopyFrom implements sim.Audit.
func (o *Owners) CopyFrom(src sim.Audit) {
	from := src.(*Owners)
	o.failure, o.used = from.failure, append(o.used[:0], from.used...)
}

// AppendState implements sim.Audit.
func (o *Owners) AppendState(_ clock.Time, dst []byte) []byte {
	if o.failure != nil {
		return append(dst, 1)
	}
	dst = binary.AppendUvarint(append(dst, 0), uint64(len(o.used)))
	for _, u := range o.used {
		dst = binary.AppendUvarint(append(dst, byte(u.Client)), u.N)
	}
	return dst
}
