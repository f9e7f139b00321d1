package audit

import (
	"fmt"

	"ticketing/client/wire"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// rank is the place of a frame in a write (order).
type rank uint8

const (
	rankHello rank = iota
	rankLane
	rankRelease
	rankAcquire
)

var rankNames = [...]string{"H", "a release of the lane", "a caller's release", "an acquire"}

// handed takes a frame that is handed to the transport.
func (c *Conduct) handed(f *sim.Fact, d *desk) {
	l := &d.link
	if l.gen != f.Gen {
		return // no connection of its own: another audit says so
	}
	r := rankHello
	switch f.Verb {
	case wire.OpAcquire:
		r = rankAcquire
		c.handedAcquire(f, d)
	case wire.OpRelease:
		r = c.handedRelease(f, d)
	}
	if r < l.rank {
		c.breaks(RuleWrites, f, Order, fmt.Sprintf("connection %d is handed %s", f.Gen, rankNames[r]), "it comes after "+rankNames[l.rank]+" in the same write")
	}
	if d.shut && r != rankLane {
		c.breaks(RuleShut, f, ShutDown, fmt.Sprintf("connection %d is handed %s", f.Gen, rankNames[r]), "its client was closed")
	}
	l.rank = r
	if r != rankHello {
		l.carried = append(l.carried, carriedIn(f))
	}
}

func (c *Conduct) handedAcquire(f *sim.Fact, d *desk) {
	l := &d.link
	if l.probed && !l.proven && d.now < l.probe {
		c.breaks(RuleWrites, f, Probation, fmt.Sprintf("connection %d is handed the acquire of owner %d", f.Gen, f.Owner.N),
			"it has carried one, nothing proves it, and its probation lasts another "+spell(l.probe-d.now))
	}
	if !l.probed {
		l.probed, l.probe = true, d.now+clock.Time(c.options.Probe)
	}
	op := sim.AcquireOp(f.Lease)
	first := true
	for i := range d.errands {
		e := &d.errands[i]
		switch {
		case e.op == op && e.kind == acquire:
			if !first || d.owed() != nil {
				c.breaks(RuleWrites, f, Order, e.text(f)+" is handed over", "an older acquire, or a release, is unsent")
			}
			if left := max(0, e.unsent-e.grace-d.now) / millisecond; clock.Time(f.Wait) != left {
				c.breaks(RuleDeadlines, f, Deadline, e.text(f)+fmt.Sprintf(" is handed over with a wait of %dms", f.Wait), fmt.Sprintf("%dms of its wait are left", left))
			}
			e.id, e.stage, e.last = f.Owner.N, writing, f.Gen
			e.due = d.now + clock.Time(f.Wait)*millisecond + e.grace
			return
		case e.stage == unsent:
			first = false
		}
	}
}

// handedRelease says whose R it is: the lane's, or a caller's. Where both might be, nothing of the client is judged any more
// (desk.muddled).
func (c *Conduct) handedRelease(f *sim.Fact, d *desk) rank {
	s := d.stray(f.Key, f.Token)
	mine := false
	for i := range d.errands {
		e := &d.errands[i]
		if !e.is(f) || e.stage != unsent {
			continue
		}
		mine = true
		if d.owed() != nil {
			c.breaks(RuleWrites, f, Order, e.text(f)+" is handed over", "a release of the lane is unsent")
		}
		if e.tries >= triesMax {
			c.breaks(RuleWrites, f, ReleaseAgain, e.text(f)+" is handed over", fmt.Sprintf("its R went out %d times", e.tries))
		}
		e.stage, e.last = writing, f.Gen
	}
	if mine {
		return rankRelease
	}
	c.handedStray(f, d, s)
	return rankLane
}

// prompt asks that what can go out has gone out, and that a dial does not wait longer than its pace demands.
func (c *Conduct) prompt(f *sim.Fact, d *desk) {
	l := &d.link
	if d.step.wrote && l.writing {
		c.full(f, d)
	}
	if d.shut || l.gen != 0 && (!l.open || l.writing) {
		return
	}
	quiet := l.gen == 0
	if quiet && (d.now < d.pace.latest || int(d.closing) >= c.options.MaxClosing) {
		return
	}
	held := !quiet && l.probed && !l.proven && d.now < l.probe
	for i := range d.errands {
		e := &d.errands[i]
		if e.stage != unsent || held && e.kind == acquire {
			continue
		}
		c.breaks(RuleWrites, f, Prompt, e.text(f)+" is unsent", fmt.Sprintf("the step is over; connection %d is free, and no pacing stands against a dial", l.gen))
		return
	}
	if s := d.owed(); s != nil {
		c.breaks(RuleWrites, f, Prompt, fmt.Sprintf("the release of the orphan %d is unsent", s.token), fmt.Sprintf("the step is over; connection %d is free, and no pacing stands against a dial", l.gen))
	}
}
