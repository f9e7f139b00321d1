package reference

import "ticketing/client/demux"

// shutDown settles what can be settled now and closes the connection, unless queued lane releases can still
// be written on it (rule shut-down).
func (c *Core) shutDown(in *demux.Input) {
	if c.shut {
		return
	}
	c.begin(in)
	c.shut, c.shutOp = true, in.Op
	c.shutLimit = plus(c.now, demux.Time(c.o.CloseGrace))
	for _, a := range c.acquires {
		if a.place.phase == sent {
			c.endAcquire(a, demux.Effect{Outcome: demux.Indeterminate})
		} else {
			c.giveUp(a, demux.CauseClosed, demux.ReasonShut)
		}
	}
	for _, r := range c.releases {
		if r.place.phase == sent {
			c.failRelease(r, demux.CauseClosed)
		} else {
			c.giveUpRelease(r, demux.CauseClosed, demux.ReasonShut)
		}
	}
	if n := c.current(); n != nil && (n.state == dialling || !c.lanePartsWith(n)) {
		c.end(n.gen, demux.ReasonShut)
	}
}

// lanePartsWith says whether lane releases are queued, or in the write that is outstanding.
func (c *Core) lanePartsWith(n *conn) bool {
	for _, f := range n.write {
		if f.orphan != 0 {
			return true
		}
	}
	return c.laneQueued()
}

// settleClose ends the client: without a connection the lane has no way out, and once every request is settled
// and every generation had its InputClosed, nothing is left.
func (c *Core) settleClose() {
	if !c.shut {
		return
	}
	if c.current() == nil {
		c.lane = nil
	}
	if c.shutOp != 0 && len(c.acquires) == 0 && len(c.releases) == 0 && len(c.conns) == 0 {
		c.emit(demux.Effect{Kind: demux.EffectComplete, Op: c.shutOp, Outcome: demux.Closed})
		c.shutOp = 0
	}
}
