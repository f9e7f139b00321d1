package reference

import "ticketing/client/demux"

// conn is one connection, from its dial until its InputClosed.
type conn struct {
	gen    demux.Generation
	addr   int
	byHint bool
	state  state
	since  demux.Time // of the dial

	proven bool
	probed bool       // its first acquire was handed over
	probe  demux.Time // when the probe interval ends, once probed

	read string // what was received and is not a whole frame yet

	greeted bool    // H was handed over
	writing bool    // a write is outstanding
	written []byte  // its bytes, which the driver may read until it is answered
	write   []frame // what is in it
	handed  demux.Time
}

// state is how far a connection got.
type state int

const (
	dialling state = iota
	open
	closing // ended; it only reports its write and its InputClosed (rule generations)
)

// frame is a frame's place in a write and what it belongs to: an acquire by its owner, a release or a lane
// entry by its serial; nothing, for H. An OpID would not do: a settled one may be used again.
type frame struct {
	start   int
	owner   string
	release int
	orphan  int
}

func (c *Core) conn(gen demux.Generation) *conn {
	for i := range c.conns {
		if c.conns[i].gen == gen {
			return &c.conns[i]
		}
	}
	return nil
}

// current is the one connection that dials or is open, or nil.
func (c *Core) current() *conn {
	for i := range c.conns {
		if c.conns[i].state != closing {
			return &c.conns[i]
		}
	}
	return nil
}

func (c *Core) opened(gen demux.Generation) {
	if n := c.conn(gen); n != nil && n.state == dialling {
		n.state = open
	}
}

// end gives a connection up for a reason of ours.
func (c *Core) end(gen demux.Generation, reason demux.Reason) {
	n := c.conn(gen)
	if n == nil || n.state == closing {
		return // the first reason counts
	}
	c.emit(demux.Effect{Kind: demux.EffectClose, Gen: gen, Reason: reason})
	c.ended(n, reason)
}

// ended is what the end of a connection means, whoever ended it.
func (c *Core) ended(n *conn, reason demux.Reason) {
	n.state = closing
	n.read = "" // rule rest-dropped
	c.lost(n, reason)
	for _, a := range c.acquires {
		if a.place == (place{sent, n.gen}) { // rule ends-sent
			c.endAcquire(a, demux.Effect{Outcome: demux.Indeterminate})
		}
	}
	for _, r := range c.releases {
		if r.place == (place{sent, n.gen}) {
			c.again(r)
		}
	}
	c.endLane(n.gen)
}

// closed is the last that is heard of a connection. A write without an answer counts as accepted: nothing
// shows that it was not.
func (c *Core) closed(gen demux.Generation) {
	n := c.conn(gen)
	if n == nil {
		return
	}
	if n.state != closing {
		c.ended(n, demux.ReasonLost)
	}
	if n.writing {
		c.settleWrite(n, len(n.written))
	}
	var rest []conn
	for _, m := range c.conns {
		if m.gen != gen {
			rest = append(rest, m)
		}
	}
	c.conns = rest
}

// wrote takes the transport's answer to the outstanding write.
func (c *Core) wrote(gen demux.Generation, count int, failed bool) {
	n := c.conn(gen)
	if n == nil || !n.writing {
		return
	}
	count = min(max(count, 0), len(n.written))
	if failed || count < len(n.written) {
		c.end(gen, demux.ReasonTorn) // rule torn-stream: none accepted is torn too
	}
	reason := c.settleWrite(c.conn(gen), count)
	if reason != demux.ReasonNone {
		c.end(gen, reason)
	}
}

// settleWrite tells neighbours in one write apart: a frame is sent if its first byte was accepted. It
// returns the first reason that a frame gives to close.
func (c *Core) settleWrite(n *conn, count int) demux.Reason {
	frames, ended := n.write, n.state == closing
	n.writing, n.write, n.written = false, nil, nil
	gen, first := n.gen, demux.ReasonNone
	for _, f := range frames {
		reason := c.settleFrame(f, gen, count > f.start, ended)
		if first == demux.ReasonNone {
			first = reason
		}
	}
	return first
}

// settleFrame does nothing for a frame that a reply settled meanwhile, nor for one that moved on: a lane entry
// does not wait for its write.
func (c *Core) settleFrame(f frame, gen demux.Generation, accepted, ended bool) demux.Reason {
	for _, a := range c.acquires {
		if a.owner == f.owner {
			return c.acquireWrote(a, gen, accepted, ended)
		}
	}
	for _, r := range c.releases {
		if r.serial == f.release {
			return c.releaseWrote(r, accepted, ended)
		}
	}
	for i, l := range c.lane {
		if l.serial == f.orphan && l.place == (place{writing, gen}) {
			c.lane[i].place.phase = sent
		}
	}
	return demux.ReasonNone
}

// flush hands one write to the open connection: H, lane releases, callers' releases, acquires, each in order of
// arrival (rule order). What does not fit ends it: whatever is behind waits for the next write.
func (c *Core) flush(n *conn) {
	w := &flushing{room: c.o.MaxWrite}
	if !n.greeted {
		w.add(frameHello(c.o.Credential), frame{})
	}
	for i, l := range c.lane {
		if l.place.phase == unsent && w.add(frameRelease(l.key, l.token), frame{orphan: l.serial}) {
			c.lane[i].place = place{writing, n.gen}
		}
	}
	for i, r := range c.releases {
		if r.place.phase == unsent && w.add(frameRelease(r.key, r.token), frame{release: r.serial}) {
			c.releases[i].place = place{writing, n.gen}
		}
	}
	for i, a := range c.acquires {
		if a.place.phase != unsent || !c.mayAcquire(n) {
			continue
		}
		line, handed := c.handOver(a, n.gen)
		if w.add(line, frame{owner: a.owner}) {
			c.acquires[i] = handed
			c.probing(n)
		}
	}
	if len(w.frames) == 0 {
		return
	}
	n.greeted, n.writing, n.handed = true, true, c.now
	n.write, n.written = w.frames, []byte(w.bytes)
	c.emit(demux.Effect{Kind: demux.EffectWrite, Gen: n.gen, Data: n.written})
}

// flushing is a write that is being put together.
type flushing struct {
	room   int
	full   bool
	bytes  string
	frames []frame
}

func (w *flushing) add(line string, f frame) bool {
	w.full = w.full || len(w.bytes)+len(line) > w.room
	if w.full {
		return false
	}
	f.start = len(w.bytes)
	w.bytes += line
	w.frames = append(w.frames, f)
	return true
}

// mayAcquire says whether rule probation lets another acquire onto n: any number once it is proven or the
// probe interval passed, one before.
func (c *Core) mayAcquire(n *conn) bool {
	return n.proven || !n.probed || n.probe <= c.now
}

func (c *Core) probing(n *conn) {
	if !n.probed {
		n.probed, n.probe = true, plus(c.now, demux.Time(c.o.Probe))
	}
}
