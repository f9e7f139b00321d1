package audit

import (
	"fmt"
	"slices"

	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// stray is a token that was parsed for nobody and may be in the client's lane.
type stray struct {
	key   int16
	token uint64
	sure  bool             // it must be: there was room, and nobody here can have held it
	sent  bool             // its R went out
	hazy  bool             // until is the latest of several that it may be
	gen   demux.Generation // where its R is under way; 0: nowhere
	until clock.Time       // it is not sent any more from here on (lane-end)
}

// lives says whether the lane still has it: what is on no connection leaves when its time is over.
func (s *stray) lives(now clock.Time) bool { return s.gen != 0 || now < s.until }

// owed is an orphan that must be in the lane, is on no connection and not over; or nil.
func (d *desk) owed() *stray {
	for i := range d.strays {
		if s := &d.strays[i]; s.sure && s.gen == 0 && d.now < s.until {
			return s
		}
	}
	return nil
}

// straysPerLane bounds the strays that are followed, in lanes. Only a service that lies makes more than one lane of them.
const straysPerLane = 4

func (d *desk) stray(key int16, token uint64) *stray {
	for i := range d.strays {
		if s := &d.strays[i]; s.key == key && s.token == token {
			return s
		}
	}
	return nil
}

// strayed takes an A for nobody that the client may release: nobody here holds it or is releasing it (orphan, held-grant). Its
// lane drops the newest when it is full, and takes nothing that it may have forgotten holding: these books have more than the
// lane, never less.
func (c *Conduct) strayed(f *sim.Fact, d *desk) {
	used := slices.ContainsFunc(d.errands, func(e errand) bool { return e.kind == release && e.id == f.Token && !e.replied }) ||
		slices.ContainsFunc(d.holds, func(h hold) bool { return h.grant == grant{f.Key, f.Token} })
	until := d.now + clock.Time(f.Lease)*millisecond + clock.Time(c.options.LaneSlack)
	sure, known, twin := 0, (*stray)(nil), false
	for i := range d.strays {
		s := &d.strays[i]
		if s.sure && s.lives(d.now) {
			sure++
			used = used || s.token == f.Token
		}
		twin = twin || s.token == f.Token
		if s.token == f.Token && s.key == f.Key {
			known = s
		}
	}
	switch {
	case used || sure >= c.options.MaxLane:
		return // not taken in, or the lane is full
	case known != nil:
		// Of two that name one token the lane has one, and which is not known.
		known.hazy, known.sure, known.until = true, false, max(known.until, until)
		return
	case len(d.strays) >= straysPerLane*c.options.MaxLane:
		d.blurred = true
		return
	}
	// The lane takes a token in once, whatever its key.
	certain := len(d.strays) < c.options.MaxLane && f.Token > d.forgotten() && !twin
	d.strays = append(d.strays, stray{key: f.Key, token: f.Token, sure: certain, until: until})
}

// handedStray takes an R of the lane.
func (c *Conduct) handedStray(f *sim.Fact, d *desk, s *stray) {
	switch {
	case s == nil && d.blurred:
		return
	case s == nil:
		c.breaks(RuleLane, f, Lane, fmt.Sprintf("connection %d is handed R for key %d, token %d", f.Gen, f.Key, f.Token), "nobody releases it, and it is in no lane")
		return
	case s.gen != 0:
		c.breaks(RuleLane, f, Lane, fmt.Sprintf("connection %d is handed R for the orphan %d", f.Gen, f.Token), fmt.Sprintf("it is under way on connection %d", s.gen))
	case s.until <= d.now:
		c.breaks(RuleLane, f, Lane, fmt.Sprintf("connection %d is handed R for the orphan %d", f.Gen, f.Token), "its lease and the slack were over "+spell(d.now-s.until)+" ago")
	}
	s.gen, s.sent, d.link.farewell = f.Gen, true, true
	n := 0
	for i := range d.strays {
		if s := &d.strays[i]; s.sent && s.lives(d.now) && (s.gen != 0 || !s.hazy) {
			n++
		}
	}
	if n > c.options.MaxLane {
		c.breaks(RuleLane, f, Lane, fmt.Sprintf("connection %d is handed R for the orphan %d", f.Gen, f.Token), fmt.Sprintf("the lane holds %d releases, of at most %d", n, c.options.MaxLane))
	}
}

// found takes the answer to an R of the lane.
func (d *desk) found(f *sim.Fact) {
	mine := false
	for i := range d.errands {
		if e := &d.errands[i]; e.kind == release && e.key == f.Key && e.id == f.Token && e.stage != unsent && e.last == f.Gen {
			e.replied, mine = true, true
		}
	}
	if mine {
		return // a caller's
	}
	for i := range d.strays {
		if s := &d.strays[i]; s.key == f.Key && s.token == f.Token && s.gen == f.Gen {
			d.strays = append(d.strays[:i], d.strays[i+1:]...)
			return
		}
	}
}

// prune forgets the orphans that are not sent any more.
func (d *desk) prune() {
	kept := d.strays[:0]
	for _, s := range d.strays {
		if s.gen != 0 || d.now < s.until && !(d.shut && d.link.gen == 0) {
			kept = append(kept, s)
		}
	}
	d.strays = kept
}
