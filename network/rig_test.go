package network

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

var labelOp = choice.Label{Stream: choice.Callers, Name: "test.op"}

// rig drives a Net at random, and holds it to its contract. What it does next depends on the Net and the source
// alone, so that two rigs whose Nets behave alike do the same.
type rig struct {
	t    testing.TB
	n    Net
	q    clock.Queue
	src  choice.Seeded
	conn []ledger
	log  []byte // what happened, times relative
	data []byte
}

// ledger is what the rig knows of a connection.
type ledger struct {
	opened, accepted bool
	ended            [2]bool // was told, or its host crashed
	writing          bool
	pending          []byte    // of the outstanding write
	sent             [2][]byte // accepted from each side; of the acceptor: handed over
	got              [2][]byte // received from each side
}

func newRig(t testing.TB, o Options, seed uint64) *rig {
	r := &rig{t: t}
	r.reset(o, seed)
	return r
}

func (r *rig) reset(o Options, seed uint64) {
	r.src.Reset(seed)
	r.n.Reset(o, 3)
	r.q.Reset(3 + r.n.Slots())
	r.conn = make([]ledger, r.n.o.Conns)
	for h := range r.n.o.Hosts {
		r.n.SetListening(Host(h), true)
	}
}

func (r *rig) pick(n int) int { return r.src.Choose(labelOp, n) }

func (r *rig) copyFrom(src *rig) {
	r.n.CopyFrom(&src.n)
	r.q.CopyFrom(&src.q)
	r.src = src.src
	r.conn = nil
	for _, l := range src.conn {
		l.pending = bytes.Clone(l.pending)
		for s := range 2 {
			l.sent[s], l.got[s] = bytes.Clone(l.sent[s]), bytes.Clone(l.got[s])
		}
		r.conn = append(r.conn, l)
	}
}

func (r *rig) state() []byte { return r.q.AppendState(r.n.AppendState(r.q.Now(), nil)) }

// step does one thing to the network and lets one thing happen.
func (r *rig) step(calm bool) {
	op := r.pick(40)
	c := Conn(r.pick(r.n.o.Conns))
	s := Side(r.pick(2))
	h := Host(r.pick(r.n.o.Hosts))
	g := Host(r.pick(r.n.o.Hosts))
	switch {
	case op < 8:
		r.dial(h, g)
	case op < 26:
		r.write(c, s)
	case op < 30 && r.n.conns[c].phase[s] != gone:
		r.n.Close(&r.q, &r.src, c, s)
	case op == 31 && !calm:
		r.crash(h)
	case op == 32 && !calm:
		r.n.Cut(&r.q, &r.src, c)
	case op == 33 && !calm:
		r.n.Block(&r.q, h, g, r.pick(3) == 0)
	case op == 34:
		r.n.SetListening(h, r.pick(8) > 0)
	}
	r.take()
}

func (r *rig) dial(from, to Host) {
	c, ok := r.n.Dial(&r.q, &r.src, from, to)
	if !ok {
		require.Equal(r.t, NoConn, c)
		return
	}
	l := &r.conn[c]
	require.True(r.t, l.sent[0] == nil && l.got[0] == nil && l.sent[1] == nil && l.got[1] == nil, "a slot was used again while in use")
}

func (r *rig) write(c Conn, s Side) {
	k := &r.n.conns[c]
	if !k.hears(s) || k.write.pending && s == Dialer {
		return
	}
	r.data = r.data[:0]
	for range r.pick(r.n.o.Buffer * 3 / 2) {
		r.data = append(r.data, byte(r.pick(256)))
	}
	l := &r.conn[c]
	if s == Dialer {
		l.writing, l.pending = true, bytes.Clone(r.data)
	} else {
		l.sent[s] = append(l.sent[s], r.data...)
	}
	r.n.Write(&r.q, &r.src, c, s, r.data)
	clear(r.data) // it was copied
}

func (r *rig) crash(h Host) {
	for c := range r.conn {
		for s := range r.conn[c].ended {
			k := &r.n.conns[c]
			if k.host[s] == h && k.knows(Side(s)) {
				r.conn[c].ended[s] = true
				if Side(s) == Dialer {
					l := &r.conn[c] // any part of its write may have been accepted
					l.sent[s] = append(l.sent[s], l.pending...)
					l.writing, l.pending = false, nil
				}
			}
		}
	}
	r.n.Crash(&r.q, &r.src, h)
	r.sweep()
}

// sweep forgets the connections whose slots are free.
func (r *rig) sweep() {
	for c := range r.conn {
		if r.n.conns[c].free() {
			r.conn[c] = ledger{}
			for i := range slotsPerConn {
				require.False(r.t, r.q.Armed(r.n.slot(Conn(c), i)), "a free connection has something armed")
			}
		}
	}
}

func (r *rig) take() {
	before := r.q.Now()
	slot, ok := r.q.Take(&r.src)
	if !ok {
		return
	}
	e := r.n.Take(&r.q, &r.src, slot)
	r.log = fmt.Appendf(r.log, "%d %d %v %q\n", r.q.Now()-before, slot, e.Kind, e.Data)
	r.check(e)
	r.sweep()
}

func (r *rig) check(e *Event) {
	l := &r.conn[e.Conn]
	require.False(r.t, e.Kind != EventNone && l.ended[e.Side], "an event after the end")
	switch e.Kind {
	case EventOpened:
		require.False(r.t, l.opened)
		l.opened = true
	case EventAccepted:
		require.False(r.t, l.accepted)
		l.accepted = true
	case EventReceived:
		r.checkReceived(e, l)
	case EventWrote:
		require.True(r.t, l.writing)
		require.LessOrEqual(r.t, e.N, len(l.pending))
		l.sent[Dialer] = append(l.sent[Dialer], l.pending[:e.N]...)
		l.writing, l.pending = false, nil
		require.True(r.t, bytes.HasPrefix(l.sent[Dialer], l.got[Dialer]), "more arrived than was accepted")
	case EventClosed:
		require.False(r.t, e.Side == Dialer && l.writing, "a write was not answered before the end")
		require.True(r.t, e.Side == Dialer || l.accepted)
		l.ended[e.Side] = true
	}
}

func (r *rig) checkReceived(e *Event, l *ledger) {
	from := e.Side.other()
	require.NotEmpty(r.t, e.Data)
	require.True(r.t, e.Side == Acceptor && l.accepted || e.Side == Dialer && l.opened)
	l.got[from] = append(l.got[from], e.Data...)
	sent := l.sent[from]
	if from == Dialer && l.writing {
		sent = append(bytes.Clone(sent), l.pending...)
	}
	require.True(r.t, bytes.HasPrefix(sent, l.got[from]), "what arrived is not what was sent")
}

func allFaults(odds uint16) (f Faults) {
	for i := range f {
		f[i] = odds
	}
	return f
}

var smallOptions = Options{Hosts: 3, Conns: 4, Buffer: 20, Chunks: 3}
