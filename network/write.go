package network

import (
	"fmt"

	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// Write hands data to the transport; it is copied.
//
// A dialer has one write outstanding at most, which EventWrote answers; bytes that find no room wait. An
// acceptor's write has no answer, and one that finds no room resets the connection. Write panics if s was not
// told that the connection is up, was told that it is gone, or has a write outstanding.
func (n *Net) Write(q *clock.Queue, src choice.Source, c Conn, s Side, data []byte) {
	k := &n.conns[c]
	n.at = c
	if !k.hears(s) || s == Dialer && k.write.pending {
		panic(fmt.Sprintf("network: write on connection %d by a side that may not", c))
	}
	switch {
	case s == Dialer:
		n.writeDialer(q, src, c, data)
	case k.phase[s] == closing || len(data) == 0:
		return
	case k.pipe[s].size()+len(data) > n.o.Buffer && !k.swallows(s):
		n.counts[CountOverflow]++
		n.reset(q, c, 1)
		return
	default:
		n.accept(q, src, c, s, data)
	}
	if k.phase[s] == open && k.inFlight() {
		if way := n.ask(src, FaultReset, resetWays); way > 0 {
			n.reset(q, c, way)
		}
	}
}

func (n *Net) writeDialer(q *clock.Queue, src choice.Source, c Conn, data []byte) {
	k := &n.conns[c]
	w := &k.write
	w.pending = true
	if k.phase[Dialer] == closing {
		w.failed = true
		q.Clear(n.slot(c, slotDialer)) // the EventClosed comes after the EventWrote
		n.armOwn(q, c, slotWrote)
		return
	}
	granted := n.grant(src, w, len(data))
	if w.halted {
		granted = min(granted, n.room(c))
		w.n, w.held = granted, append(w.held[:0], data[granted:]...)
		n.accept(q, src, c, Dialer, data[:granted])
		return
	}
	w.held = append(w.held[:0], data[:granted]...)
	n.pump(q, src, c)
	if len(w.held) > 0 {
		n.counts[CountWait]++
	}
}

// grant decides how many of size bytes a write is to end with, and sets how it is to end.
func (n *Net) grant(src choice.Source, w *write, size int) int {
	if way := n.ask(src, FaultWriteError, n.places(size+1)); way > 0 {
		w.failed = true
		return n.place(way, size+1)
	}
	if way := n.ask(src, FaultShortWrite, n.places(size)); way > 0 {
		return n.place(way, size)
	}
	if way := n.ask(src, FaultZeroWindow, n.places(size)); way > 0 {
		w.halted = true
		return n.place(way, size)
	}
	return size
}

// places is how many of the numbers 0..total-1 are offered as an answer, and place is the number that answer way, from
// 1 on, stands for. With all of Cuts spent they are spread evenly, first and last included.
func (n *Net) places(total int) int {
	if n.o.Cuts > 0 {
		return min(n.o.Cuts, total)
	}
	return total
}

func (n *Net) place(way, total int) int {
	if n.o.Cuts == 0 || total <= n.o.Cuts || n.o.Cuts == 1 {
		return way - 1
	}
	return (way - 1) * (total - 1) / (n.o.Cuts - 1)
}

// room is how many bytes of the dialer find room.
func (n *Net) room(c Conn) int {
	k := &n.conns[c]
	if k.swallows(Dialer) {
		return n.o.Buffer
	}
	return n.o.Buffer - k.pipe[Dialer].size()
}

// pump accepts what the outstanding write holds and finds room, and arms its answer once that is all.
func (n *Net) pump(q *clock.Queue, src choice.Source, c Conn) {
	w := &n.conns[c].write
	if !w.pending || w.halted || q.Armed(n.slot(c, slotWrote)) {
		return
	}
	for room := n.room(c); room > 0 && len(w.held) > 0; room = n.room(c) {
		size := min(room, len(w.held))
		n.accept(q, src, c, Dialer, w.held[:size])
		w.n += size
		w.held = w.held[:copy(w.held, w.held[size:])]
	}
	if len(w.held) > 0 {
		return
	}
	at := window{q.Now(), q.Now() + n.o.WroteMax}
	if n.ask(src, FaultStallWrote, 1) > 0 {
		at = n.stalled(q.Now())
	}
	q.Set(n.slot(c, slotWrote), at.earliest, at.latest)
}

// settle ends the outstanding write soon, with what was accepted by now.
func (n *Net) settle(q *clock.Queue, c Conn) {
	w := &n.conns[c].write
	if !w.pending {
		return
	}
	w.failed = w.failed || len(w.held) > 0
	w.halted, w.held = false, w.held[:0]
	n.armOwn(q, c, slotWrote)
}

// wrote tells the dialer of its write.
func (n *Net) wrote(q *clock.Queue, c Conn) *Event {
	k := &n.conns[c]
	e := n.event(EventWrote, c, Dialer)
	e.N, e.Failed = k.write.n, k.write.failed
	k.write.clear()
	if k.phase[Dialer] == closing {
		n.armOwn(q, c, slotDialer)
	}
	return e
}

// accept puts bytes of s on their way.
func (n *Net) accept(q *clock.Queue, src choice.Source, c Conn, s Side, data []byte) {
	k := &n.conns[c]
	if len(data) == 0 {
		return
	}
	if k.pipe[Dialer].end == endNone && k.pipe[Acceptor].end == endNone {
		way := n.ask(src, FaultBlackHole, 3)
		k.pipe[s].hole = k.pipe[s].hole || way&1 != 0
		k.pipe[s.other()].hole = k.pipe[s.other()].hole || way&2 != 0
	}
	if k.swallows(s) {
		return
	}
	at := n.delay(q.Now(), src, FaultStall)
	p := &k.pipe[s]
	p.push(data, chunk{len(data), n.ask(src, FaultTrickle, 1) > 0, at}, n.o.Chunks)
	if len(p.live()) == 1 {
		n.armBytes(q, c, s)
	}
}
