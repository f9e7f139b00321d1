package reference

import "ticketing/client/demux"

const none = -1

// leader is what is known of where to dial next, and when.
type leader struct {
	hint   int // index of an address, or none (rule one-hint)
	cursor int // whose turn it is without a hint
	counts [classes]int
	ends   demux.Time // the last end of a connection
	delay  demux.Time // from there to the next dial; zero: none ended yet
}

// The classes of back-off (rule pacing), one for each field of demux.Backoffs.
const (
	classMoved = iota
	classNoLeader
	classNotActive
	classAuth
	classBroken
	classLost
	classOwn
	classes
)

func class(reason demux.Reason) int {
	switch reason {
	case demux.ReasonMoved:
		return classMoved
	case demux.ReasonNoLeader:
		return classNoLeader
	case demux.ReasonNotActive:
		return classNotActive
	case demux.ReasonAuth:
		return classAuth
	case demux.ReasonFatal, demux.ReasonUnmatched:
		return classBroken
	case demux.ReasonCancel, demux.ReasonDeadline:
		return classOwn
	}
	return classLost
}

func (c *Core) backoff(class int) demux.Backoff {
	b := c.o.Backoff
	return [classes]demux.Backoff{b.Moved, b.NoLeader, b.NotActive, b.Auth, b.Broken, b.Lost, b.Own}[class]
}

// prove is what a matched reply shows of its session: this is the leader (rule proven).
func (c *Core) prove(gen demux.Generation) {
	n := c.conn(gen)
	n.proven = true
	c.leader.cursor = n.addr
	c.leader.counts = [classes]int{}
}

// lost counts the end of a connection and sets the gate of the next dial.
func (c *Core) lost(n *conn, reason demux.Reason) {
	if n.byHint && !n.proven {
		c.leader.hint = none // one that the session gave itself too
	}
	k := class(reason)
	c.leader.counts[k]++
	c.leader.ends = c.now
	c.leader.delay = c.delay(c.backoff(k), c.leader.counts[k])
}

// delay is Base doubled count-1 times, at most Cap; with jitter, the upper half of it is left to chance.
func (c *Core) delay(b demux.Backoff, count int) demux.Time {
	d := demux.Time(b.Base)
	for i := 1; i < count && d < demux.Time(b.Cap); i++ {
		d *= 2
	}
	d = min(d, demux.Time(b.Cap))
	if c.o.Jitter == 0 {
		return d
	}
	return d/2 + demux.Time(mix(c.o.Jitter, uint64(c.dialled)+1)%uint64(d/2+1))
}

// mix is number n of the SplitMix64 sequence of seed.
func mix(seed, n uint64) uint64 {
	x := seed + n*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// gate is the earliest instant of the next dial (rule pacing).
func (c *Core) gate() demux.Time {
	gate := minTime
	if c.dialled > 0 {
		gate = plus(c.lastDial, demux.Time(c.o.DialSpacing))
	}
	if c.leader.delay > 0 {
		gate = max(gate, plus(c.leader.ends, c.leader.delay))
	}
	return gate
}

// wantsDial says whether a dial waits for nothing but its gate.
func (c *Core) wantsDial() bool {
	return !c.shut && c.current() == nil && len(c.conns) < c.o.MaxClosing && c.queued()
}

// queued says whether there is something to dial for: an unsent request or a lane entry.
func (c *Core) queued() bool {
	for _, a := range c.acquires {
		if a.place.phase == unsent {
			return true
		}
	}
	for _, r := range c.releases {
		if r.place.phase == unsent {
			return true
		}
	}
	return c.laneQueued()
}

func (c *Core) dial() {
	n := conn{gen: c.dialled + 1, since: c.now}
	if c.leader.hint != none {
		n.addr, n.byHint = c.leader.hint, true
		c.leader.hint = none // spent
	} else {
		n.addr = c.leader.cursor
		c.leader.cursor = (c.leader.cursor + 1) % len(c.o.Addrs)
	}
	c.dialled, c.lastDial = n.gen, c.now
	c.conns = append(c.conns[:len(c.conns):len(c.conns)], n)
	c.emit(demux.Effect{Kind: demux.EffectDial, Gen: n.gen, Addr: n.addr})
}

// configured is the index of addr on the allowlist, byte for byte, or none.
func (c *Core) configured(addr string) int {
	for i, a := range c.o.Addrs {
		if a == addr {
			return i
		}
	}
	return none
}

// moved takes M: perhaps a hint, and the end of the connection either way.
func (c *Core) moved(gen demux.Generation, addr string) {
	if i := c.configured(addr); i != none && i != c.conn(gen).addr {
		c.leader.hint = i
	}
	c.end(gen, demux.ReasonMoved)
}

// notice takes L: the connection stays. That it is the leader itself leaves nothing to hint at.
func (c *Core) notice(gen demux.Generation, addr string) {
	switch i := c.configured(addr); i {
	case none:
	case c.conn(gen).addr:
		c.leader.hint = none
	default:
		c.leader.hint = i
	}
}

// refused takes E (rules backoff, fatal).
func (c *Core) refused(gen demux.Generation, code string) {
	switch code {
	case "no_leader":
		c.leader.hint = none
		c.end(gen, demux.ReasonNoLeader)
	case "not_active":
		c.end(gen, demux.ReasonNotActive)
	case "auth_failed":
		c.end(gen, demux.ReasonAuth)
	default:
		c.end(gen, demux.ReasonFatal)
	}
}
