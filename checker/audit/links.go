package audit

import (
	"fmt"
	"slices"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// link is the connection that is dialling or open; gen is 0 where there is none.
type link struct {
	gen      demux.Generation
	addr     int
	open     bool
	hinted   bool // dialled by a hint
	calm     bool // dialled after the faults stopped
	proven   bool // a reply matched (proven)
	dead     bool // a closing frame or an unmatched reply was read: the rest does not count
	probed   bool // an acquire was handed over
	writing  bool
	farewell bool       // the write has releases of the lane
	rank     rank       // of the last frame of the write that is put together
	length   int        // bytes of the write that is not answered
	since    clock.Time // of the dial; of the write
	probe    clock.Time // when the probation ends in silence
	carried  []carried  // frames that wait for a reply
}

// carried is a request on a connection.
type carried struct {
	verb wire.Op
	key  int16
	id   uint64 // of the owner; the token
}

func carriedIn(f *sim.Fact) carried {
	if f.Verb == wire.OpAcquire {
		return carried{f.Verb, f.Key, f.Owner.N}
	}
	return carried{f.Verb, f.Key, f.Token}
}

func (d *desk) wrote(f *sim.Fact) {
	if d.link.gen == f.Gen && d.link.writing {
		d.link.writing, d.link.farewell = false, false
		d.step.torn = f.Flag || f.N < d.link.length
	}
}

// reply takes a frame that is read. What follows a closing frame, an unmatched reply or Close does not count
// (rest-dropped, shut-down).
func (c *Conduct) reply(f *sim.Fact, d *desk) {
	l := &d.link
	if l.gen != f.Gen || l.dead || d.shut {
		return
	}
	switch f.Verb {
	case wire.OpGranted, wire.OpTimedOut, wire.OpBusy:
		matched := f.Owner.Client == f.Client && l.take(carried{wire.OpAcquire, f.Key, f.Owner.N})
		if f.Verb == wire.OpGranted && !matched && f.Flag {
			c.strayed(f, d)
		}
		if f.Verb == wire.OpGranted && matched {
			c.holding(f, d)
		}
		d.proved(matched)
	case wire.OpReleased, wire.OpNotFound:
		matched := l.take(carried{wire.OpRelease, f.Key, f.Token})
		d.found(f)
		d.proved(matched)
	default:
		c.told(f, d)
		l.dead = f.Verb != wire.OpNotice
	}
}

// take removes a frame that waits for a reply. It says whether there was one.
func (l *link) take(what carried) bool {
	at := slices.Index(l.carried, what)
	if at < 0 {
		return false
	}
	l.carried = append(l.carried[:at], l.carried[at+1:]...)
	return true
}

// proved takes a reply that matched, or did not (proven).
func (d *desk) proved(matched bool) {
	if !matched {
		d.link.dead = true
		return
	}
	if !d.link.proven {
		d.link.proven = true
		d.pace.losses = [numDelays]uint8{}
		d.pace.turn = d.link.addr
	}
}

// gone takes the last fact of a connection.
func (c *Conduct) gone(f *sim.Fact, d *desk) {
	if d.link.gen != f.Gen {
		d.closing--
		return
	}
	c.parted(f, d, demux.ReasonLost)
}

// parted ends the current connection: what was sent on it is not under way any more, and the next dial waits.
func (c *Conduct) parted(f *sim.Fact, d *desk, reason demux.Reason) {
	gen := d.link.gen
	for i := range d.errands {
		if e := &d.errands[i]; e.kind == release && e.stage == sent && e.last == gen {
			e.stage = unsent
		}
	}
	for i := range d.strays {
		if d.strays[i].gen == gen {
			d.strays[i].gen = 0
		}
	}
	c.reached(f, d, reason)
	d.pace.lost(d, reason, &c.options)
	d.link = link{carried: d.link.carried[:0]}
}

// reached asks that a session begun after the faults stopped lead to the leader, or to one that does, within a round. A dial
// that fails says nothing; a session that the callers' own impatience ended, or a node that cannot take more, begins a new
// round.
func (c *Conduct) reached(f *sim.Fact, d *desk, reason demux.Reason) {
	switch {
	case !d.link.calm || !d.link.open:
		return
	case d.link.proven || reason == demux.ReasonFatal || reason == demux.ReasonCancel || reason == demux.ReasonDeadline || reason == demux.ReasonShut:
		d.vain = 0
		return
	}
	d.vain++
	if int(d.vain) > c.round {
		c.breaks(RuleReach, f, Reach, fmt.Sprintf("client %d connection %d to address %d ends: %v", f.Client, d.link.gen, d.link.addr, reason),
			fmt.Sprintf("since the faults stopped, %d sessions in a row have led to no reply", d.vain))
	}
}
