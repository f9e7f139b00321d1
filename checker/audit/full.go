package audit

import (
	"fmt"

	"ticketing/client/demux"
	"ticketing/sim"
)

// full asks that a write leave out nothing that fits (prompt). What waits is taken in the order of its ranks, and the longest
// of one rank stands for all of it: which of them is next is the client's to say.
func (c *Conduct) full(f *sim.Fact, d *desk) {
	lane, releases, acquires := 0, 0, 0
	for i := range d.strays {
		if s := &d.strays[i]; s.gen == 0 && d.now < s.until {
			lane = max(lane, c.sizeOfRelease(s.key, s.token))
		}
	}
	for i := range d.errands {
		switch e := &d.errands[i]; {
		case e.stage != unsent:
		case e.kind == release:
			releases = max(releases, c.sizeOfRelease(e.key, e.id))
		default:
			acquires = max(acquires, c.sizeOfAcquire(e.key))
		}
	}
	l := &d.link
	room := c.options.MaxWrite - l.length
	switch {
	case d.blurred || lane > room:
		return
	case d.owed() != nil:
		c.unfilled(f, d, rankLane)
	case releases > room:
	case releases > 0:
		c.unfilled(f, d, rankRelease)
	case acquires > 0 && acquires <= room && !(l.probed && !l.proven && d.now < l.probe):
		c.unfilled(f, d, rankAcquire)
	}
}

func (c *Conduct) unfilled(f *sim.Fact, d *desk, r rank) {
	c.breaks(RuleWrites, f, Prompt, fmt.Sprintf("%s is unsent, and there is room for it in the write", rankNames[r]),
		fmt.Sprintf("connection %d was handed %d bytes, of at most %d", d.link.gen, d.link.length, c.options.MaxWrite))
}

// sizeOfRelease is the length of an R. One for a key that is none has any length.
func (c *Conduct) sizeOfRelease(key int16, token uint64) int {
	if key < 0 {
		return c.options.MaxWrite + 1
	}
	size := len("R  \n") + len(c.names[key]) + 1
	for ; token > 9; token /= 10 {
		size++
	}
	return size
}

// sizeOfAcquire is the greatest length of an A.
func (c *Conduct) sizeOfAcquire(key int16) int {
	return len("A    \n") + len(c.names[key]) + demux.MaxPrefix + len("-18446744073709551615") + 2*len("2147483647")
}
