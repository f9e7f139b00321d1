package audit

import (
	"fmt"

	"ticketing/sim"
	"ticketing/sim/clock"
)

// owes asks that a request which was cancelled, is due, or whose client was closed, be settled; while its frame is being
// written, that waits (sent-per-frame).
func (c *Conduct) owes(f *sim.Fact, d *desk, e *errand) {
	if e.fresh && e.full && !d.shut {
		c.breaks(RuleBounds, f, OwnCapacity, e.text(f)+" is taken in", "its table was full")
	}
	e.fresh = false
	if e.stage == writing {
		e.overdue = e.overdue || e.due <= d.now
		return
	}
	switch {
	case e.cancelled:
		c.breaks(RuleDeadlines, f, Cancel, e.text(f)+" was cancelled", "the step is over, and it was told nothing")
	case e.overdue || e.due <= d.now:
		c.breaks(RuleDeadlines, f, Deadline, e.text(f)+" is open", "it was due "+spell(d.now-e.due)+" ago")
	case d.shut:
		c.breaks(RuleShut, f, ShutDown, e.text(f)+" is open", "its client was closed")
	}
}

// patience asks that a dial, or a write, not last longer than it may.
func (c *Conduct) patience(f *sim.Fact, d *desk) {
	l := &d.link
	what, end := "", clock.Never
	switch {
	case l.gen == 0:
		return
	case !l.open:
		what, end = "dial", l.since+clock.Time(c.options.DialTimeout)
	case l.writing:
		what, end = "write", l.since+clock.Time(c.options.WriteStall)
	}
	if end <= d.now {
		c.breaks(RuleDeadlines, f, Deadline, fmt.Sprintf("the %s of connection %d goes on", what, l.gen), "it was to end "+spell(d.now-end)+" ago")
	}
}
