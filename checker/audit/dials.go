package audit

import (
	"fmt"
	"slices"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// numDelays is how many back-offs a client has, each with a growth of its own.
const numDelays = 7

// pace is what decides when and whom the next dial is for.
type pace struct {
	soonest clock.Time // no dial before it: the jitter may halve a delay
	latest  clock.Time // no dial need wait any longer
	hint    int        // index of an address plus 1; 0: none (one-hint)
	turn    int        // whose turn it is without a hint
	losses  [numDelays]uint8
}

// delayOf is the back-off for the end of a connection, and which of them it is.
func delayOf(o *demux.Options, reason demux.Reason) (demux.Backoff, int) {
	switch reason {
	case demux.ReasonMoved:
		return o.Backoff.Moved, 0
	case demux.ReasonNoLeader:
		return o.Backoff.NoLeader, 1
	case demux.ReasonNotActive:
		return o.Backoff.NotActive, 2
	case demux.ReasonAuth:
		return o.Backoff.Auth, 3
	case demux.ReasonFatal, demux.ReasonUnmatched:
		return o.Backoff.Broken, 4
	case demux.ReasonCancel, demux.ReasonDeadline, demux.ReasonShut:
		return o.Backoff.Own, 5
	}
	return o.Backoff.Lost, 6
}

// lost makes the next dial wait after the end of a connection: base, doubled for each time in a row without a proof, at
// most the cap (pacing). A hint that led nowhere is spent, whatever was heard there (one-hint).
func (p *pace) lost(d *desk, reason demux.Reason, o *demux.Options) {
	if d.link.hinted && !d.link.proven {
		p.hint = 0
	}
	b, k := delayOf(o, reason)
	delay := clock.Time(b.Base)
	for range p.losses[k] {
		delay = min(2*delay, clock.Time(b.Cap))
	}
	if delay < clock.Time(b.Cap) {
		p.losses[k]++
	}
	least := delay
	if o.Jitter != 0 {
		least = delay / 2
	}
	p.soonest, p.latest = max(p.soonest, d.now+least), max(p.latest, d.now+delay)
}

// told takes M, L and E: who leads, as far as the list of addresses allows (moved, notice, backoff).
func (c *Conduct) told(f *sim.Fact, d *desk) {
	switch f.Verb {
	case wire.OpMoved, wire.OpNotice:
		at := -1
		for i, addr := range c.options.Addrs {
			if addr == string(f.Data) {
				at = i
			}
		}
		switch {
		case at >= 0 && at != d.link.addr:
			d.pace.hint = at + 1
		case at >= 0 && f.Verb == wire.OpNotice:
			d.pace.hint = 0 // the leader is here
		}
	case wire.OpError:
		if string(f.Data) == wire.CodeNoLeader {
			d.pace.hint = 0
		}
	}
}

// dialled takes a dial.
func (c *Conduct) dialled(f *sim.Fact, d *desk) {
	p := &d.pace
	what := ""
	say := func() string {
		if what == "" {
			what = fmt.Sprintf("client %d dials address %d", f.Client, f.N)
		}
		return what
	}
	hinted := p.hint != 0
	want := p.turn
	if hinted {
		want = p.hint - 1
	}
	switch {
	case f.N < 0 || f.N >= len(c.options.Addrs):
		c.breaks(RuleDials, f, Allowlist, say(), fmt.Sprintf("%d addresses are configured", len(c.options.Addrs)))
	case d.shut:
		c.breaks(RuleShut, f, ShutDown, say(), "it was closed")
	case int(d.closing) >= c.options.MaxClosing:
		c.breaks(RuleBounds, f, OwnCapacity, say(), fmt.Sprintf("%d connections are not gone, of at most %d", d.closing, c.options.MaxClosing))
	case !d.needs():
		c.breaks(RuleDials, f, Pacing, say(), "no request is unsent, and the lane is empty")
	case d.now < p.soonest:
		c.breaks(RuleDials, f, Pacing, say(), "that is "+spell(p.soonest-d.now)+" too early")
	case f.N != want:
		c.breaks(RuleDials, f, OneHint, say(), fmt.Sprintf("it is the turn of address %d, by a hint: %v", want, hinted))
	}
	p.hint = 0
	if !hinted && len(c.options.Addrs) > 0 {
		p.turn = (p.turn + 1) % len(c.options.Addrs)
	}
	p.soonest, p.latest = d.now+clock.Time(c.options.DialSpacing), d.now+clock.Time(c.options.DialSpacing)
	d.link = link{gen: f.Gen, addr: f.N, hinted: hinted, calm: c.healed, since: d.now, carried: d.link.carried[:0]}
}

// needs says whether anything waits for a connection.
func (d *desk) needs() bool {
	return slices.ContainsFunc(d.errands, func(e errand) bool { return e.stage == unsent }) ||
		slices.ContainsFunc(d.strays, func(s stray) bool { return s.gen == 0 && d.now < s.until })
}
