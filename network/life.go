package network

import (
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// Dial begins a connection. It reports false if every connection slot is taken. The dialer is answered by
// EventOpened or EventClosed, or never: then it ends by Close.
func (n *Net) Dial(q *clock.Queue, src choice.Source, from, to Host) (Conn, bool) {
	for i := range n.conns {
		k := &n.conns[i]
		if !k.free() {
			continue
		}
		c := Conn(i)
		n.at = c
		k.host = [2]Host{from, to}
		k.phase[Dialer] = coming
		if n.ask(src, FaultDialHole, 1) == 0 {
			k.phase[Acceptor] = coming
			n.armCrossing(q, c, Dialer, slotAcceptor, n.delay(q.Now(), src, FaultStall))
		}
		return c, true
	}
	return NoConn, false
}

// dialled is a dial that reached its host.
func (n *Net) dialled(q *clock.Queue, src choice.Source, c Conn) *Event {
	k := &n.conns[c]
	refused := n.listening>>k.host[Acceptor]&1 == 0
	if refused {
		n.counts[CountRefused]++
	} else {
		refused = n.ask(src, FaultRefuse, 1) > 0
	}
	k.phase[Acceptor], k.answer = open, answerOpened
	if refused {
		k.phase[Acceptor], k.answer = gone, answerRefused
	}
	n.armCrossing(q, c, Acceptor, slotDialer, n.soon(q.Now()))
	if refused {
		return n.nothing(c)
	}
	return n.event(EventAccepted, c, Acceptor)
}

// answered is an answer that reached the dialer.
func (n *Net) answered(q *clock.Queue, c Conn) *Event {
	k := &n.conns[c]
	refused := k.answer == answerRefused
	k.answer = answerNone
	if refused {
		e := n.closed(q, c, Dialer, false)
		e.Failed = true
		return e
	}
	k.phase[Dialer] = open
	n.armBytes(q, c, Acceptor)
	return n.event(EventOpened, c, Dialer)
}

// Close ends the connection for s, which gets its EventClosed soon (a dialer's outstanding write is answered before).
// The other side sees the end once it has received what was accepted before, unless a fault prevents it. A
// side that has ended already, or was not told of the connection yet, is left alone.
func (n *Net) Close(q *clock.Queue, src choice.Source, c Conn, s Side) {
	k := &n.conns[c]
	if !k.knows(s) || k.phase[s] == closing {
		return
	}
	n.at = c
	n.hangUp(q, c, s)
	k.phase[s] = closing
	p := &k.pipe[s]
	if k.phase[s.other()] != gone && p.end == endNone {
		if n.ask(src, FaultCloseReset, 1) > 0 {
			p.lose()
			n.finish(q, c, s, endReset)
		} else {
			n.finish(q, c, s, endFin)
		}
		if p.hasBytes() && n.ask(src, FaultLeftOver, 1) > 0 {
			p.headChunk().at = n.stalled(q.Now())
		}
		n.armBytes(q, c, s)
	}
	n.armClosed(q, c, s)
}

// hangUp takes back a dial of s that is still under way.
func (n *Net) hangUp(q *clock.Queue, c Conn, s Side) {
	k := &n.conns[c]
	if s == Acceptor || k.phase[Dialer] != coming {
		return
	}
	k.answer = answerNone
	q.Clear(n.slot(c, slotDialer))
	k.pipe[Acceptor].lose() // a dialer that was never told it is up is told no bytes either
	k.pipe[Acceptor].hole = true
	if k.phase[Acceptor] == coming {
		k.phase[Acceptor] = gone
		q.Clear(n.slot(c, slotAcceptor))
	}
}

// finish ends what s writes.
func (n *Net) finish(q *clock.Queue, c Conn, s Side, how ending) {
	p := &n.conns[c].pipe[s]
	p.end, p.endAt = how, n.soon(q.Now())
	if p.hole {
		n.abandon(q, c, s)
	}
}

// abandon makes what s writes a hole after which s itself is gone. An acceptor finds out by its own patience, for nobody
// else would ever end it and its connection slot would be lost; a dialer does not.
func (n *Net) abandon(q *clock.Queue, c Conn, s Side) {
	p := &n.conns[c].pipe[s]
	p.hole, p.end = true, endNone
	if s == Dialer {
		p.end, p.endAt = endReset, window{q.Now() + n.o.KeepAlive, q.Now() + 2*n.o.KeepAlive}
	}
}

// armClosed arms the EventClosed of s, which is closing. A dialer's write is answered first.
func (n *Net) armClosed(q *clock.Queue, c Conn, s Side) {
	if s == Acceptor {
		n.armOwn(q, c, slotAcceptor)
		return
	}
	if n.conns[c].write.pending {
		n.settle(q, c)
		return
	}
	n.armOwn(q, c, slotDialer)
}

// closed tells s of its end.
func (n *Net) closed(q *clock.Queue, c Conn, s Side, reset bool) *Event {
	e := n.event(EventClosed, c, s)
	e.Reset = reset
	n.remove(q, c, s)
	return e
}

// remove makes s gone, and the connection free if it was the last.
func (n *Net) remove(q *clock.Queue, c Conn, s Side) {
	k := &n.conns[c]
	k.phase[s] = gone
	k.pipe[s.other()].reset()
	q.Clear(n.slot(c, slotBytes+int(s.other())))
	if s == Dialer {
		k.write.clear()
		q.Clear(n.slot(c, slotDialer))
		q.Clear(n.slot(c, slotWrote))
	} else {
		q.Clear(n.slot(c, slotAcceptor))
	}
	if k.free() {
		k.clear()
	}
}

// Cut resets the connection now. What is in flight is lost, or that of one direction survives.
func (n *Net) Cut(q *clock.Queue, src choice.Source, c Conn) {
	if n.conns[c].free() {
		return
	}
	n.counts[CountCut]++
	n.reset(q, c, 1+src.Choose(labelCut, resetWays))
}

// The ways of a reset: 1 loses what is in flight, and these keep that of one side.
const (
	resetKeepsDialer   = 2 + int(Dialer)
	resetKeepsAcceptor = 2 + int(Acceptor)
	resetWays          = 3
)

func (n *Net) reset(q *clock.Queue, c Conn, way int) {
	k := &n.conns[c]
	if k.phase[Dialer] == coming && !k.hears(Acceptor) {
		k.phase[Acceptor], k.answer = gone, answerRefused
		q.Clear(n.slot(c, slotAcceptor))
		n.armCrossing(q, c, Acceptor, slotDialer, n.soon(q.Now()))
		return
	}
	for s, keep := range [2]int{resetKeepsDialer, resetKeepsAcceptor} {
		p := &k.pipe[s]
		if k.phase[Side(s).other()] == gone {
			continue
		}
		if way != keep {
			p.lose()
		}
		p.hole = false
		n.finish(q, c, Side(s), endReset)
		n.armBytes(q, c, Side(s))
	}
	n.settle(q, c)
}

// Crash ends every connection of h without telling it, and stops its listening. The other sides see a reset behind
// what h had in flight, or, by faults, no such bytes, or nothing at all. A dial on its way to h stays on its way.
func (n *Net) Crash(q *clock.Queue, src choice.Source, h Host) {
	n.SetListening(h, false)
	for i := range n.conns {
		for _, s := range [2]Side{Dialer, Acceptor} {
			k := &n.conns[i]
			if k.host[s] == h && k.knows(s) {
				n.crash(q, src, Conn(i), s)
			}
		}
	}
}

func (n *Net) crash(q *clock.Queue, src choice.Source, c Conn, s Side) {
	k := &n.conns[c]
	p := &k.pipe[s]
	n.counts[CountCrash]++
	n.at = c
	n.hangUp(q, c, s)
	if k.phase[s.other()] != gone {
		if p.hasBytes() && n.ask(src, FaultCrashLoss, 1) > 0 {
			p.lose()
		}
		switch {
		case p.end != endNone:
		case n.ask(src, FaultCrashHush, 1) > 0:
			n.abandon(q, c, s)
		default:
			n.finish(q, c, s, endReset)
		}
		n.armBytes(q, c, s)
	}
	n.remove(q, c, s)
	n.pump(q, src, c)
}

// event is what Take tells. There is one place for it: to hand copies on costs more than to make it.
func (n *Net) event(kind EventKind, c Conn, s Side) *Event {
	e := n.nothing(c)
	e.Kind, e.Side, e.Peer = kind, s, n.conns[c].host[s.other()]
	return e
}

func (n *Net) nothing(c Conn) *Event {
	n.told = Event{}
	n.told.Conn = c
	return &n.told
}
