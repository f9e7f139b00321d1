package audit

import (
	"fmt"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/sim"
)

// reply takes a frame that is complete in what the core is fed in this step.
func (l *Ledger) reply(f *sim.Fact, a *account) {
	c := a.conn(f.Gen)
	if c == nil || c.dead || c.closed || a.closed {
		return
	}
	switch f.Verb {
	case wire.OpNotice:
		return
	case wire.OpGranted, wire.OpTimedOut, wire.OpBusy:
		if a.expectAcquire(f) {
			return
		}
		c.must = demux.ReasonUnmatched
		if f.Verb == wire.OpGranted && f.Flag {
			a.orphaned(grant{f.Key, f.Token})
		}
	case wire.OpReleased, wire.OpNotFound:
		if a.expectRelease(f) {
			return
		}
		c.must = demux.ReasonUnmatched
	default:
		c.must = reasonIn(f)
	}
	c.dead = true
}

// reasonIn is the reason that a frame gives for the end of its connection.
func reasonIn(f *sim.Fact) demux.Reason {
	switch {
	case f.Verb == wire.OpMoved:
		return demux.ReasonMoved
	case f.Verb == wire.OpError && string(f.Data) == "no_leader":
		return demux.ReasonNoLeader
	case f.Verb == wire.OpError && string(f.Data) == "not_active":
		return demux.ReasonNotActive
	case f.Verb == wire.OpError && string(f.Data) == "auth_failed":
		return demux.ReasonAuth
	}
	return demux.ReasonFatal
}

func (a *account) expectAcquire(f *sim.Fact) bool {
	for i := range a.calls {
		c := &a.calls[i]
		waits := c.kind == acquire && c.stage != unsent && c.gen == f.Gen && c.expect == demux.OutcomeNone
		if !waits || f.Owner.Client != f.Client || c.owner != f.Owner.N || c.key != f.Key {
			continue
		}
		c.expect = verdictOf(f.Verb)
		if f.Verb == wire.OpGranted {
			c.told, c.length = grant{f.Key, f.Token}, f.Lease
		}
		return true
	}
	return false
}

func (a *account) expectRelease(f *sim.Fact) bool {
	found := false
	for i := range a.calls {
		c := &a.calls[i]
		waits := c.kind == release && c.stage != unsent && c.gen == f.Gen && c.expect == demux.OutcomeNone
		if !waits || c.key != f.Key || c.token != f.Token {
			continue
		}
		c.expect, found = verdictOf(f.Verb), true
		if c.stage == writing {
			c.tries++ // the reply proves it
		}
	}
	if found {
		return true
	}
	for i := range a.orphans {
		if o := &a.orphans[i]; o.gen == f.Gen && o.grant == (grant{f.Key, f.Token}) {
			a.orphans = append(a.orphans[:i], a.orphans[i+1:]...)
			return true
		}
	}
	return false
}

// orphaned remembers a token parsed for nobody, unless it is in use or being released here.
func (a *account) orphaned(g grant) {
	for _, h := range a.held {
		if h == g {
			return
		}
	}
	for i := range a.calls {
		// A release that was answered earlier in the same read is over.
		c := &a.calls[i]
		if c.kind == release && c.token == g.token && c.expect == demux.OutcomeNone || c.expect == demux.Granted && c.told == g {
			return
		}
	}
	for i := range a.orphans {
		if a.orphans[i].grant == g {
			return
		}
	}
	a.orphans = append(a.orphans, orphan{grant: g})
}

func verdictOf(verb wire.Op) demux.Outcome {
	switch verb {
	case wire.OpGranted:
		return demux.Granted
	case wire.OpTimedOut:
		return demux.TimedOut
	case wire.OpBusy:
		return demux.Busy
	case wire.OpReleased:
		return demux.Released
	}
	return demux.NotFound
}

// settle takes an outcome.
func (l *Ledger) settle(f *sim.Fact, a *account) {
	c := a.find(f.Op)
	if c == nil {
		l.fail(SettleOnce, fmt.Sprintf("client %d operation %d is told %v", f.Client, f.Op, f.Outcome), "it is not open: it was told before, or never called")
		return
	}
	switch {
	case c.expect != demux.OutcomeNone:
		l.settleDefinite(f, a, c)
	case f.Outcome == demux.NotSent && c.kind != shut:
		// A full table and a closed client turn a call away before it can share anything.
		turnedAway := c.fresh && (f.Cause == demux.CauseFull || f.Cause == demux.CauseClosed)
		if (c.touched || c.stage != unsent) && !turnedAway {
			l.fail(NotSent, l.name(c)+" is told not-sent", fmt.Sprintf("a byte was accepted: %v; handed over and not answered: %v", c.touched, c.stage == writing))
		}
	case f.Outcome == demux.Indeterminate && c.kind != shut:
		l.settleUnknown(a, c)
	case f.Outcome == demux.Closed && c.kind == shut:
		if len(a.calls) > 1 || len(a.conns) > 0 {
			l.fail(SettleOnce, fmt.Sprintf("client %d is told closed", f.Client), fmt.Sprintf("%d operations and %d connections are left", len(a.calls)-1, len(a.conns)))
		}
	default:
		l.fail(Match, fmt.Sprintf("%s is told %v", l.name(c), f.Outcome), "no reply to it was read")
	}
	for i := range a.calls {
		if &a.calls[i] == c {
			a.calls = append(a.calls[:i], a.calls[i+1:]...)
			return
		}
	}
}

func (l *Ledger) settleDefinite(f *sim.Fact, a *account, c *call) {
	switch {
	case f.Outcome != c.expect:
		l.fail(Definite, fmt.Sprintf("%s is told %v", l.name(c), f.Outcome), fmt.Sprintf("its reply says %v", c.expect))
	case f.Outcome == demux.Granted:
		if f.Token != c.told.token || f.Lease != c.length {
			l.fail(Definite, fmt.Sprintf("%s is told token %d, lease %d", l.name(c), f.Token, f.Lease), fmt.Sprintf("its reply says token %d, lease %d", c.told.token, c.length))
		}
		if !c.forged && c.token != f.Token {
			l.fail(Truth, fmt.Sprintf("%s is told that it was granted token %d", l.name(c), f.Token), fmt.Sprintf("the service committed token %d for it", c.token))
		}
		a.held = append(a.held, c.told)
	case f.Outcome == demux.TimedOut || f.Outcome == demux.Busy:
		if !c.forged && c.deny != f.Outcome {
			l.fail(Truth, fmt.Sprintf("%s is told %v", l.name(c), f.Outcome), fmt.Sprintf("the service answered %v for good", c.deny))
		}
	case f.Outcome == demux.NotFound && f.Flag != (c.tries > 1):
		l.fail(Resent, fmt.Sprintf("%s is told not-found, resent %v", l.name(c), f.Flag), fmt.Sprintf("%d R went out", c.tries))
	}
}

// settleUnknown checks that Indeterminate is the truth: a byte was accepted, and for an acquire the connection ends.
func (l *Ledger) settleUnknown(a *account, c *call) {
	if !c.touched {
		l.fail(Indeterminate, l.name(c)+" is told indeterminate", fmt.Sprintf("no byte of it was accepted; handed over and not answered: %v", c.stage == writing))
		return
	}
	if c.kind == acquire && c.stage == sent && a.live(c.gen) {
		a.owed = append(a.owed, c.gen)
	}
}

// stepped checks what a step owes.
func (l *Ledger) stepped(a *account) {
	for i := range a.calls {
		c := &a.calls[i]
		c.fresh = false
		if c.expect != demux.OutcomeNone {
			l.fail(Definite, fmt.Sprintf("a reply to %s was read: %v", l.name(c), c.expect), "the step is over, and it was told nothing")
			return
		}
	}
	for i := range a.conns {
		if c := &a.conns[i]; c.must != demux.ReasonNone && !c.closed {
			l.fail(MustClose, fmt.Sprintf("what was read on connection %d asks for its end: %v", c.gen, c.must), "the step is over, and it is open")
			return
		}
	}
	for _, gen := range a.owed {
		if a.live(gen) {
			l.fail(Indeterminate, fmt.Sprintf("an acquire sent on connection %d was told indeterminate", gen), "the step is over, and the connection is open")
			return
		}
	}
	a.owed = a.owed[:0]
}
