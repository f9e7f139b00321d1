package audit

import (
	"fmt"

	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// woken asks that the client be woken in time: what is due while nothing else happens is done by its timer alone.
func (c *Conduct) woken(f *sim.Fact, d *desk) {
	if f.N == 0 {
		return // not said
	}
	at := clock.Time(f.N)
	if what, due := c.next(d); due < at {
		c.breaks(RuleWake, f, Wake, fmt.Sprintf("client %d wants to be woken %s", f.Client, d.when(at)), fmt.Sprintf("%s is due %s", what, d.when(due)))
	}
	if d.over && at != clock.Time(demux.Never) {
		c.breaks(RuleWake, f, ShutDown, fmt.Sprintf("client %d wants to be woken %s", f.Client, d.when(at)), "it was closed, and nothing is left")
	}
	if at <= d.now {
		c.breaks(RuleWake, f, Wake, fmt.Sprintf("client %d wants to be woken at once", f.Client), "it has just stepped, and what was due is done")
	}
}

func (d *desk) when(at clock.Time) string {
	if at == clock.Time(demux.Never) {
		return "never"
	}
	return "in " + spell(at-d.now)
}

// next is what is due first if nothing happens, and when. What is being written waits for the transport's word, and what is
// queued in the lane need not leave it on the instant.
func (c *Conduct) next(d *desk) (what string, due clock.Time) {
	l := &d.link
	what, due = "nothing", clock.Never
	first := func(name string, at clock.Time) {
		if at < due {
			what, due = name, at
		}
	}
	acquires, needs := false, false
	for i := range d.errands {
		e := &d.errands[i]
		if e.stage != writing {
			first("a request", e.due)
		}
		needs = needs || e.stage == unsent
		acquires = acquires || e.stage == unsent && e.kind == acquire
	}
	switch {
	case l.gen == 0:
		if !d.shut && int(d.closing) < c.options.MaxClosing && (needs || d.owed() != nil) {
			first("a dial", d.pace.latest)
		}
		return what, due
	case !l.open:
		first("the end of a dial", l.since+clock.Time(c.options.DialTimeout))
	case l.writing:
		first("the end of a write", l.since+clock.Time(c.options.WriteStall))
	case acquires && l.probed && !l.proven:
		first("the end of a probation", l.probe)
	}
	if d.shut {
		first("the end of closeGrace", d.shutAt+clock.Time(c.options.CloseGrace))
	}
	return what, due
}
