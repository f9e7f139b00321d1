package audit

import (
	"fmt"

	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// triesMax is on how many connections an R may go out (release-again).
const triesMax = 3

// explainUnsent asks for the cause of NotSent.
func (c *Conduct) explainUnsent(f *sim.Fact, d *desk, e *errand) {
	ok := false
	switch f.Cause {
	case demux.CauseFull:
		ok = e.full
	case demux.CauseCancelled:
		ok = e.cancelled
	case demux.CauseDeadline:
		ok = e.overdue || e.due <= d.now
		c.late(f, d, e)
	case demux.CauseClosed:
		ok = d.shut
	}
	if !ok {
		c.breaks(RuleCauses, f, Cause, e.text(f)+fmt.Sprintf(" is told not-sent (%v)", f.Cause), e.standing(d))
	}
}

// explainUnknown asks for the cause of Indeterminate: the caller gave up, the reply is missing, the client was closed, or
// the connection ended; a release may end that way only when its tries are spent.
func (c *Conduct) explainUnknown(f *sim.Fact, d *desk, e *errand) {
	due := e.overdue || e.due <= d.now
	alone := e.kind == acquire || d.release(e.key, e.id) == nil
	switch {
	case e.cancelled || due:
		if !alone {
			break // others wait for the same R
		}
		if e.cancelled {
			d.step.cancel = e.last
		}
		if due {
			d.step.overdue = e.last
			c.late(f, d, e)
		}
	case d.shut:
	case e.kind == release && e.tries < triesMax:
		c.breaks(RuleCauses, f, Cause, e.text(f)+" is told indeterminate", e.standing(d), fmt.Sprintf("its R went out %d times", e.tries))
	default:
		d.step.orphan = e.last
	}
}

func (e *errand) standing(d *desk) string {
	return fmt.Sprintf("cancelled: %v; due in %s; its client closed: %v", e.cancelled, spell(e.due-d.now), d.shut)
}

// late asks that what is due be settled as soon as a timer can fire.
func (c *Conduct) late(f *sim.Fact, d *desk, e *errand) {
	if by := d.now - e.due; by > c.lag && e.stage != writing && !e.overdue && !e.cancelled && !d.shut && !d.excused {
		c.breaks(RuleDeadlines, f, Deadline, e.text(f)+fmt.Sprintf(" is told %v", f.Outcome), "that was due "+spell(by)+" ago")
	}
}

// closed takes the core's close of its connection. Why it closes is asked when the step is over.
func (c *Conduct) closed(f *sim.Fact, d *desk) {
	if d.link.gen != f.Gen {
		return // no connection of its own: another audit says so
	}
	l := &d.link
	since := clock.Time(0)
	switch f.Reason {
	case demux.ReasonDial:
		since = l.since + clock.Time(c.options.DialTimeout)
		if l.open || d.now < since {
			c.breaks(RuleCauses, f, Cause, fmt.Sprintf("connection %d is closed because of %v", f.Gen, f.Reason), fmt.Sprintf("open: %v; its dial may last another %s", l.open, spell(since-d.now)))
		}
	case demux.ReasonStall:
		since = l.since + clock.Time(c.options.WriteStall)
		if !l.writing || d.now < since {
			c.breaks(RuleCauses, f, Cause, fmt.Sprintf("connection %d is closed because of %v", f.Gen, f.Reason), fmt.Sprintf("writing: %v; its write may last another %s", l.writing, spell(since-d.now)))
		}
	case demux.ReasonShut:
		c.tooSoon(f, d)
	}
	if since != 0 && d.now-since > c.lag && !d.excused {
		c.breaks(RuleDeadlines, f, Deadline, fmt.Sprintf("connection %d is closed because of %v", f.Gen, f.Reason), "that was due "+spell(d.now-since)+" ago")
	}
	d.step.closed, d.step.on = f.Reason, f.Gen
	d.closing++
	c.parted(f, d, f.Reason)
}

// explain asks why the connection was closed in this step, and why acquires of one that was not are indeterminate.
func (c *Conduct) explain(f *sim.Fact, d *desk) {
	s := &d.step
	if s.closed != demux.ReasonNone {
		ok := true
		switch s.closed {
		case demux.ReasonCancel:
			ok = s.cancel == s.on
		case demux.ReasonDeadline:
			ok = s.overdue == s.on
		case demux.ReasonTorn:
			ok = s.torn
		case demux.ReasonShut:
			ok = d.shut
		case demux.ReasonLost:
			ok = false
		}
		if !ok {
			c.breaks(RuleCauses, f, Cause, fmt.Sprintf("client %d closes connection %d because of %v", f.Client, s.on, s.closed), "nothing that happened asks for that")
		}
		return
	}
	if d.link.gen == 0 {
		return
	}
	if s.orphan == d.link.gen {
		c.breaks(RuleCauses, f, Cause, fmt.Sprintf("an acquire sent on connection %d is told indeterminate", s.orphan), "nobody gave it up, it is not due, and the connection is open")
	}
	if s.cancel == d.link.gen || s.overdue == d.link.gen {
		c.breaks(RuleDeadlines, f, Cancel, fmt.Sprintf("a request sent on connection %d was given up", d.link.gen), "the step is over, and the connection is open")
	}
	if s.torn {
		c.breaks(RuleDeadlines, f, Torn, fmt.Sprintf("a write on connection %d failed or was short", d.link.gen), "the step is over, and the connection is open")
	}
}
