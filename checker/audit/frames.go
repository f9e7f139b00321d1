package audit

import (
	"fmt"
	"slices"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/sim"
)

// handed takes a frame that the core hands to its transport.
func (l *Ledger) handed(f *sim.Fact, a *account) {
	c := a.conn(f.Gen)
	if c == nil || c.closed {
		l.fail(Frame, fmt.Sprintf("%v is handed to connection %d, which is not open", f.Verb, f.Gen))
		return
	}
	if c.hello == (f.Verb == wire.OpHello) {
		l.fail(Frame, fmt.Sprintf("%v is handed to connection %d, and H was handed to it: %v", f.Verb, f.Gen, c.hello))
		return
	}
	switch {
	case f.Verb == wire.OpHello:
		c.hello = true
	case f.Verb == wire.OpAcquire:
		l.handedAcquire(f, a)
	case f.Verb == wire.OpRelease:
		l.handedRelease(f, a)
	default:
		l.fail(Frame, fmt.Sprintf("what is handed to connection %d is no request", f.Gen))
	}
}

func (l *Ledger) handedAcquire(f *sim.Fact, a *account) {
	c := a.find(sim.AcquireOp(f.Lease))
	switch {
	case c == nil || c.kind != acquire || c.key != f.Key || c.lease != f.Lease || f.Wait > c.wait:
		l.fail(Frame, fmt.Sprintf("connection %d is handed an acquire of key %d, owner %d, wait %d, lease %d", f.Gen, f.Key, f.Owner.N, f.Wait, f.Lease),
			"no acquire like that is open")
	case f.Owner.Client != l.now.Client || c.owner != 0 && c.owner != f.Owner.N:
		l.fail(Frame, fmt.Sprintf("%s is handed over with owner %d of client %d", l.name(c), f.Owner.N, f.Owner.Client))
	case c.stage != unsent:
		l.fail(Frame, fmt.Sprintf("%s is handed to connection %d", l.name(c), f.Gen), fmt.Sprintf("it is on connection %d already", c.gen))
	default:
		c.owner, c.stage, c.gen = f.Owner.N, writing, f.Gen
		c.forged = c.forged || slices.Contains(a.lied, f.Owner.N)
	}
}

func (l *Ledger) handedRelease(f *sim.Fact, a *account) {
	mine := false
	for i := range a.calls {
		c := &a.calls[i]
		if !c.carries(f) {
			continue
		}
		mine = true
		if c.stage != unsent && a.laned(f) {
			return
		}
		if c.stage != unsent {
			l.fail(Frame, fmt.Sprintf("%s is handed to connection %d", l.name(c), f.Gen), fmt.Sprintf("it is on connection %d already", c.gen))
			return
		}
		c.stage, c.gen = writing, f.Gen
	}
	if mine || a.laned(f) {
		return
	}
	l.fail(StrayRelease, fmt.Sprintf("client %d connection %d is handed R for key %d, token %d", f.Client, f.Gen, f.Key, f.Token),
		"no caller releases it, and it was not parsed for nobody")
}

// laned takes R as that of an orphan which is on no connection.
func (a *account) laned(f *sim.Fact) bool {
	for i := range a.orphans {
		if o := &a.orphans[i]; o.gen == 0 && o.grant == (grant{f.Key, f.Token}) {
			o.gen = f.Gen
			return true
		}
	}
	return false
}

// carries says whether this call's R is the frame of f.
func (c *call) carries(f *sim.Fact) bool {
	return c.kind == release && f.Verb == wire.OpRelease && c.key == f.Key && c.token == f.Token
}

// answered takes what the transport says of a frame.
func (l *Ledger) answered(f *sim.Fact, a *account) {
	for i := range a.calls {
		c := &a.calls[i]
		mine := c.carries(f) || c.kind == acquire && f.Verb == wire.OpAcquire && c.owner != 0 && c.owner == f.Owner.N
		if !mine || c.gen != f.Gen || c.stage != writing {
			continue
		}
		if f.Kind == sim.FactAccepted {
			c.stage, c.touched = sent, true
			c.tries++
			continue
		}
		c.stage, c.gen = unsent, 0
	}
	if !a.live(f.Gen) {
		a.parted(f.Gen) // it ended while this was being written, and the next dial need not wait for its last word
	}
}

// closing takes the core's close of a connection.
func (l *Ledger) closing(f *sim.Fact, a *account) {
	c := a.conn(f.Gen)
	if c == nil || c.closed {
		l.fail(CloseCause, fmt.Sprintf("connection %d is closed, and it is not open", f.Gen))
		return
	}
	c.closed = true
	switch f.Reason {
	case demux.ReasonMoved, demux.ReasonNoLeader, demux.ReasonNotActive, demux.ReasonAuth, demux.ReasonFatal, demux.ReasonUnmatched:
		if c.must != f.Reason {
			l.fail(CloseCause, fmt.Sprintf("connection %d is closed because of %v", f.Gen, f.Reason),
				fmt.Sprintf("what was read on it asks for %v", c.must))
		}
	default:
		if c.must != demux.ReasonNone {
			l.fail(MustClose, fmt.Sprintf("connection %d is closed because of %v", f.Gen, f.Reason),
				fmt.Sprintf("what was read on it first asks for %v", c.must))
		}
	}
	a.parted(f.Gen)
}

// gone takes the end of a connection.
func (a *account) gone(gen demux.Generation) {
	for i := range a.conns {
		if a.conns[i].gen == gen {
			a.conns = append(a.conns[:i], a.conns[i+1:]...)
			break
		}
	}
	a.parted(gen)
}

// parted frees the frames that were sent on a connection that ended. A release may go out again; what is still
// writing waits for the transport's word.
func (a *account) parted(gen demux.Generation) {
	for i := range a.calls {
		if c := &a.calls[i]; c.kind == release && c.gen == gen && c.stage == sent {
			c.stage, c.gen = unsent, 0
		}
	}
	for i := range a.orphans {
		if a.orphans[i].gen == gen {
			a.orphans[i].gen = 0
		}
	}
}

func (a *account) conn(gen demux.Generation) *conn {
	for i := range a.conns {
		if a.conns[i].gen == gen {
			return &a.conns[i]
		}
	}
	return nil
}

// live says whether a connection is neither closed nor gone.
func (a *account) live(gen demux.Generation) bool {
	c := a.conn(gen)
	return c != nil && !c.closed
}

func (a *account) find(op demux.OpID) *call {
	for i := range a.calls {
		if a.calls[i].op == op {
			return &a.calls[i]
		}
	}
	return nil
}
