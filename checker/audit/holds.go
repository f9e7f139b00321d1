package audit

import (
	"slices"

	"ticketing/sim"
	"ticketing/sim/clock"
)

// holding takes a grant that is told to a caller. The held that the client keeps are never more than these: it drops some
// without a release, and raises its mark to their tokens (held-grant). Which ones it may have dropped so far is known here.
func (c *Conduct) holding(f *sim.Fact, d *desk) {
	if len(d.holds) >= c.options.MaxHeld {
		for _, h := range d.holds {
			d.mark = max(d.mark, h.token)
		}
	}
	d.holds = append(d.holds, hold{grant{f.Key, f.Token}, d.now + clock.Time(f.Lease)*millisecond})
}

// letGo takes the call of a release: from here on its grant is not held.
func (d *desk) letGo(f *sim.Fact) {
	d.holds = slices.DeleteFunc(d.holds, func(h hold) bool {
		mine := h.grant == grant{f.Key, f.Token}
		if mine && h.until <= d.now {
			d.mark = max(d.mark, h.token)
		}
		return mine
	})
}

// forgotten is the greatest token that the client may have dropped from its held: an A at or below it may stay without an R.
func (d *desk) forgotten() uint64 {
	mark := d.mark
	for _, h := range d.holds {
		if h.until <= d.now {
			mark = max(mark, h.token)
		}
	}
	return mark
}
