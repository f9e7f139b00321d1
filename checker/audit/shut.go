package audit

import (
	"fmt"

	"ticketing/sim"
	"ticketing/sim/clock"
)

// parting asks that a closed client part with its connection: at once, unless the lane has something to say, and within
// closeGrace (shut-down).
func (c *Conduct) parting(f *sim.Fact, d *desk) {
	if !d.shut || d.link.gen == 0 {
		return
	}
	if end := d.shutAt + clock.Time(c.options.CloseGrace); end <= d.now {
		c.breaks(RuleShut, f, ShutDown, fmt.Sprintf("connection %d is open", d.link.gen), "closeGrace was over "+spell(d.now-end)+" ago")
		return
	}
	if len(d.strays) == 0 && !d.link.farewell {
		c.breaks(RuleShut, f, ShutDown, fmt.Sprintf("connection %d is open", d.link.gen), "its client was closed, and no release of the lane is queued or being written")
	}
}

// tooSoon asks that a client which is closed let its lane finish: what is queued on an open connection goes out, and what is
// being written is waited for, until closeGrace is over.
func (c *Conduct) tooSoon(f *sim.Fact, d *desk) {
	l := &d.link
	left := d.shutAt + clock.Time(c.options.CloseGrace) - d.now
	if !d.shut || !l.open || left <= 0 {
		return
	}
	if l.writing && l.farewell || d.owed() != nil {
		c.breaks(RuleShut, f, ShutDown, fmt.Sprintf("connection %d is closed because of %v", f.Gen, f.Reason),
			"releases of the lane are queued or being written, and closeGrace lasts another "+spell(left))
	}
}
