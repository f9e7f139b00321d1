package reference

import (
	"cmp"
	"slices"

	"ticketing/client/demux"
)

const minTime demux.Time = -1 << 63

func millis(ms uint32) demux.Time { return demux.Time(ms) * 1_000_000 }

// plus and minus saturate: the driver picks the origin of time, and a caller's Deadline may lie anywhere.
func plus(t, d demux.Time) demux.Time {
	if d > 0 && t > demux.Never-d {
		return demux.Never
	}
	if d < 0 && t < minTime-d {
		return minTime
	}
	return t + d
}

func minus(t, u demux.Time) demux.Time {
	if u == minTime {
		return demux.Never
	}
	return plus(t, -u)
}

// timer is something that happens at an instant if nothing else happens before.
type timer struct {
	at   demux.Time
	fire func()
}

// timers lists them all, the connection's first. Building the list changes nothing.
func (c *Core) timers() []timer {
	var ts []timer
	for _, n := range c.conns {
		switch {
		case n.state == dialling:
			ts = append(ts, timer{plus(n.since, demux.Time(c.o.DialTimeout)), func() { c.end(n.gen, demux.ReasonDial) }})
		case n.state == open && n.writing:
			ts = append(ts, timer{plus(n.handed, demux.Time(c.o.WriteStall)), func() { c.end(n.gen, demux.ReasonStall) }})
		}
		if n.state == open && c.shut {
			ts = append(ts, timer{c.shutLimit, func() { c.end(n.gen, demux.ReasonShut) }})
		}
	}
	for _, a := range c.acquires {
		if a.doomed == demux.CauseNone {
			ts = append(ts, timer{a.limit, func() { c.giveUp(a, demux.CauseDeadline, demux.ReasonDeadline) }})
		}
	}
	for _, r := range c.releases {
		if r.allDoomed() == demux.CauseNone {
			ts = append(ts, timer{r.limit, func() { c.giveUpRelease(r, demux.CauseDeadline, demux.ReasonDeadline) }})
		}
	}
	for _, l := range c.lane {
		if l.place.phase == unsent {
			ts = append(ts, timer{l.until, c.expireLane})
		}
	}
	return ts
}

// fire runs the timers that are due, the earliest first, looking again after each: one may end what another
// was for, or bring one forward.
func (c *Core) fire() {
	for {
		ts := c.timers()
		slices.SortStableFunc(ts, func(a, b timer) int { return cmp.Compare(a.at, b.at) })
		if len(ts) == 0 || ts[0].at > c.now {
			return
		}
		ts[0].fire()
	}
}

// Deadline is the earliest instant at which time alone changes something.
func (c *Core) Deadline() demux.Time {
	at := demux.Never
	for _, t := range c.timers() {
		at = min(at, t.at)
	}
	if c.wantsDial() {
		at = min(at, c.gate())
	}
	if n := c.current(); n != nil && n.state == open && !n.writing && !c.mayAcquire(n) && c.acquireQueued() {
		at = min(at, n.probe)
	}
	return at
}

func (c *Core) acquireQueued() bool {
	for _, a := range c.acquires {
		if a.place.phase == unsent {
			return true
		}
	}
	return false
}

// pump dials if it may, or hands over a write.
func (c *Core) pump() {
	if c.wantsDial() && c.gate() <= c.now {
		c.dial()
		return
	}
	n := c.current()
	if n == nil || n.state != open || n.writing {
		return
	}
	if c.shut && !c.laneQueued() {
		c.end(n.gen, demux.ReasonShut)
		return
	}
	c.flush(n)
}
