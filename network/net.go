package network

import (
	"encoding/binary"

	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// The queue slots of a connection, from base + slotsPerConn * its number on.
const (
	slotDialer   = iota // the answer to its dial, or its own end
	slotWrote           // its write ended
	slotBytes           // + Side: what that side wrote, and its end
	_                   // (the second of these)
	slotAcceptor        // the dial, or its own end
	slotsPerConn
)

// Net is the network between the hosts of a world. The zero Net has no hosts; Reset gives it some.
type Net struct {
	o         Options
	base      int
	healed    bool
	listening uint64   // one bit a host
	blocked   []uint64 // by sending host: one bit a receiving one
	conns     []conn
	left      Budgets // what remains of the budgets that o has
	told      Event   // by the last Take; not part of the state
	out       []byte  // nor is its Data
	counts    Counts  // nor are these
	met       uint32  // nor this: the faults since Met
	at        Conn    // the connection of the last of them
}

// Reset makes n a calm network with nothing on it: no host listens. It uses the Slots queue slots from base on, which
// are idle. It panics if the options are wrong; see Options.WithDefaults.
func (n *Net) Reset(o Options, base int) {
	o, err := o.WithDefaults()
	if err != nil {
		panic(err.Error())
	}
	n.o, n.base, n.healed, n.listening = o, base, false, 0
	n.counts, n.left = Counts{}, o.Budgets
	n.met, n.at = 0, NoConn
	n.resize(o.Hosts, o.Conns)
	clear(n.blocked)
	for i := range n.conns {
		n.conns[i].clear()
	}
}

func (n *Net) resize(hosts, conns int) {
	if cap(n.blocked) < hosts {
		n.blocked = make([]uint64, hosts)
	}
	n.blocked = n.blocked[:hosts]
	for cap(n.conns) < conns {
		n.conns = append(n.conns[:cap(n.conns)], conn{})
	}
	n.conns = n.conns[:conns]
}

// Slots is how many queue slots n uses.
func (n *Net) Slots() int { return n.o.Conns * slotsPerConn }

// Counts are the counts since Reset. CopyFrom leaves them alone: each Net counts what happened on it.
func (n *Net) Counts() *Counts { return &n.counts }

// Met returns the faults that happened since the last call, a bit each, and the connection that was touched last.
func (n *Net) Met() (faults uint32, c Conn) {
	faults, n.met = n.met, 0
	return faults, n.at
}

// SetListening says whether dials to h are accepted.
func (n *Net) SetListening(h Host, up bool) {
	n.listening &^= 1 << h
	if up {
		n.listening |= 1 << h
	}
}

// Block holds back, or no longer holds back, everything on its way from one host to another. Nothing is lost by it.
func (n *Net) Block(q *clock.Queue, from, to Host, on bool) {
	if n.isBlocked(from, to) == on {
		return
	}
	n.blocked[from] ^= 1 << to
	for c := range n.conns {
		k := &n.conns[c]
		for _, s := range [2]Side{Dialer, Acceptor} {
			if !k.free() && k.host[s] == from && k.host[s.other()] == to {
				n.armFrom(q, Conn(c), s)
			}
		}
	}
}

// roomy is the buffer of a network without faults.
const roomy = 1 << 16

func (n *Net) isBlocked(from, to Host) bool { return n.blocked[from]>>to&1 != 0 }

// Heal ends the faults for good: none is asked about again, partitions and stalls are over, halted writes go on, and there
// is room for what is in flight.
// A connection that is already dead without a word (a black hole, a half-open one, a dial never answered) stays
// so until an end closes it.
func (n *Net) Heal(q *clock.Queue) {
	n.healed = true
	n.o.Faults = Faults{}
	// An acceptor whose buffer is full resets its connection: with one smaller than its answers it would do so for ever.
	n.o.Buffer = max(n.o.Buffer, roomy)
	clear(n.blocked)
	now := q.Now()
	for i := range n.conns {
		c, k := Conn(i), &n.conns[i]
		if k.free() {
			continue
		}
		k.pipe[Dialer].calm(now, now+n.o.DelayMax)
		k.pipe[Acceptor].calm(now, now+n.o.DelayMax)
		n.armFrom(q, c, Dialer)
		n.armFrom(q, c, Acceptor)
		if slot := n.slot(c, slotWrote); q.Armed(slot) {
			q.Set(slot, now, now+n.o.WroteMax)
		}
		k.write.halted = false
		n.pump(q, nil, c) // no odds are left, so nothing is asked
	}
}

// CopyFrom makes n equal to src, but for its Counts. It reuses the memory of n, and copies live bytes only.
func (n *Net) CopyFrom(src *Net) {
	n.o, n.base, n.healed, n.listening, n.left = src.o, src.base, src.healed, src.listening, src.left
	n.resize(len(src.blocked), len(src.conns))
	copy(n.blocked, src.blocked)
	for i := range n.conns {
		n.conns[i].copyFrom(&src.conns[i])
	}
}

// AppendState appends the canonical encoding of n: of two Nets with the same options and base, whose queues have equal
// encodings too, equal encodings behave alike.
func (n *Net) AppendState(now clock.Time, dst []byte) []byte {
	dst = append(dst, flag(n.healed, 1))
	if n.o.Budgets != (Budgets{}) {
		dst = append(dst, n.left[:]...)
	}
	dst = binary.AppendUvarint(dst, n.listening)
	for _, b := range n.blocked {
		dst = binary.AppendUvarint(dst, b)
	}
	for i := range n.conns {
		dst = n.conns[i].appendState(now, dst)
	}
	return dst
}

func (n *Net) slot(c Conn, i int) int { return n.base + int(c)*slotsPerConn + i }

// soon is when something sent now arrives.
func (n *Net) soon(now clock.Time) window { return window{now + n.o.DelayMin, now + n.o.DelayMax} }

// stalled is when something sent now arrives that stalls.
func (n *Net) stalled(now clock.Time) window { return window{now + n.o.StallMin, now + n.o.StallMax} }

// delay is soon, or stalled if f is the case.
func (n *Net) delay(now clock.Time, src choice.Source, f Fault) window {
	if n.ask(src, f, 1) > 0 {
		return n.stalled(now)
	}
	return n.soon(now)
}

// armFrom arms anew what is under way from s.
func (n *Net) armFrom(q *clock.Queue, c Conn, s Side) {
	k := &n.conns[c]
	if s == Dialer && k.phase[Acceptor] == coming {
		n.armCrossing(q, c, s, slotAcceptor, n.soon(q.Now()))
	}
	if s == Acceptor && k.answer != answerNone {
		n.armCrossing(q, c, s, slotDialer, n.soon(q.Now()))
	}
	n.armBytes(q, c, s)
}

// armBytes arms the next thing under way from s.
func (n *Net) armBytes(q *clock.Queue, c Conn, s Side) {
	k := &n.conns[c]
	p := &k.pipe[s]
	switch {
	case k.hears(s.other()) && p.hasBytes():
		n.armCrossing(q, c, s, slotBytes+int(s), p.headChunk().at)
	case k.hears(s.other()) && p.end != endNone && p.hole:
		// The survivor's own patience ends it; a partition has no part in that.
		q.Set(n.slot(c, slotBytes+int(s)), p.endAt.earliest, p.endAt.latest)
	case k.hears(s.other()) && p.end != endNone:
		n.armCrossing(q, c, s, slotBytes+int(s), p.endAt)
	default:
		q.Clear(n.slot(c, slotBytes+int(s)))
	}
}

// armCrossing arms what crosses the network from s, or not while a partition is in its way.
func (n *Net) armCrossing(q *clock.Queue, c Conn, s Side, slot int, at window) {
	k := &n.conns[c]
	if n.isBlocked(k.host[s], k.host[s.other()]) {
		n.counts[CountBlocked]++
		q.Clear(n.slot(c, slot))
		return
	}
	q.Set(n.slot(c, slot), at.earliest, at.latest)
}

// armOwn arms what a side is to be told by its own host.
func (n *Net) armOwn(q *clock.Queue, c Conn, slot int) {
	q.Set(n.slot(c, slot), q.Now(), q.Now()+n.o.WroteMax)
}
