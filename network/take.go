package network

import (
	"fmt"

	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// Take does what the queue slot stands for, which was just taken, and returns what there is to tell: at most one
// event, which is valid until the next call.
func (n *Net) Take(q *clock.Queue, src choice.Source, slot int) *Event {
	c, i := Conn((slot-n.base)/slotsPerConn), (slot-n.base)%slotsPerConn
	k := &n.conns[c]
	n.at = c
	switch {
	case i == slotDialer && k.phase[Dialer] == coming:
		return n.answered(q, c)
	case i == slotDialer && k.phase[Dialer] == closing:
		return n.closed(q, c, Dialer, k.reset)
	case i == slotWrote && k.write.pending:
		return n.wrote(q, c)
	case i == slotBytes+int(Dialer) && k.hears(Acceptor):
		return n.arrive(q, src, c, Dialer)
	case i == slotBytes+int(Acceptor) && k.hears(Dialer):
		return n.arrive(q, src, c, Acceptor)
	case i == slotAcceptor && k.phase[Acceptor] == coming:
		return n.dialled(q, src, c)
	case i == slotAcceptor && k.phase[Acceptor] == closing:
		e := n.closed(q, c, Acceptor, false)
		n.pump(q, src, c)
		return e
	}
	panic(fmt.Sprintf("network: slot %d of connection %d was taken and stands for nothing", i, c))
}

// Whom is the host whose process Take would tell of what the queue slot stands for, or NoHost: a dial that arrives
// is answered by its host alone.
func (n *Net) Whom(slot int) Host {
	c, i := (slot-n.base)/slotsPerConn, (slot-n.base)%slotsPerConn
	k := &n.conns[c]
	switch i {
	case slotDialer, slotWrote, slotBytes + int(Acceptor):
		return k.host[Dialer]
	case slotAcceptor:
		if k.phase[Acceptor] == coming {
			return NoHost
		}
	}
	return k.host[Acceptor]
}

// arrive delivers what s wrote.
func (n *Net) arrive(q *clock.Queue, src choice.Source, c Conn, s Side) *Event {
	k := &n.conns[c]
	p := &k.pipe[s]
	if !p.hasBytes() {
		return n.arriveEnd(q, c, s)
	}
	if k.inFlight() {
		if way := n.ask(src, FaultReset, resetWays); way > 0 {
			n.reset(q, c, way)
			return n.nothing(c)
		}
	}
	if s == Dialer && k.phase[Acceptor] == open && n.ask(src, FaultHalfOpen, 1) > 0 {
		return n.halfOpen(q, src, c)
	}
	n.out = p.take(n.out[:0], n.piece(q.Now(), src, p), n.soon(q.Now()))
	n.armBytes(q, c, s)
	n.countReceived(k, s.other())
	e := n.event(EventReceived, c, s.other())
	e.Data = n.out
	if s == Dialer {
		n.pump(q, src, c)
	}
	return e
}

// piece decides how many of the bytes under way arrive together.
func (n *Net) piece(now clock.Time, src choice.Source, p *pipe) int {
	chunks := p.live()
	size := chunks[0].size
	if chunks[0].trickle {
		return 1
	}
	if way := n.ask(src, FaultSplit, n.places(size-1)); way > 0 {
		return 1 + n.place(way, size-1)
	}
	due := 0
	for _, c := range chunks[1:] {
		if c.at.earliest > now || c.trickle {
			break
		}
		due++
	}
	for _, c := range chunks[1 : 1+n.ask(src, FaultJoin, due)] {
		size += c.size
	}
	return size
}

func (n *Net) countReceived(k *conn, s Side) {
	if s == Dialer && k.write.pending {
		n.counts[CountEarlyReply]++
	}
	if s == Acceptor && k.phase[Dialer] == gone {
		n.counts[CountStale]++
	}
	if k.phase[s] == closing {
		n.counts[CountLateReceived]++
	}
}

// arriveEnd delivers the end of what s wrote. A dialer that has a write outstanding is told of that first.
func (n *Net) arriveEnd(q *clock.Queue, c Conn, s Side) *Event {
	k := &n.conns[c]
	p := &k.pipe[s]
	reset := p.end == endReset
	if s == Dialer || !k.write.pending {
		return n.closed(q, c, s.other(), reset)
	}
	p.end, p.hole = endNone, true
	k.phase[Dialer], k.reset = closing, reset
	n.settle(q, c)
	return n.nothing(c)
}

// halfOpen ends the acceptor behind the dialer's back.
func (n *Net) halfOpen(q *clock.Queue, src choice.Source, c Conn) *Event {
	n.conns[c].pipe[Acceptor].hole = true
	e := n.closed(q, c, Acceptor, true)
	n.pump(q, src, c)
	return e
}
