package reference

import "ticketing/client/demux"

// maxTries bounds the connections on which one R has had a byte accepted (rule release-again).
const maxTries = 3

// release is one pending R and the calls that share it (rule one-release).
type release struct {
	serial  int
	key     string
	token   uint64
	callers []caller
	limit   demux.Time
	place   place
	tries   int
	doomed  demux.Cause // its deadline or Close met it while writing
}

// caller is one Release call.
type caller struct {
	op     demux.OpID
	doomed demux.Cause // its cancel, or what doomed the R, whichever was first
}

func (c *Core) release(in *demux.Input) {
	c.begin(in)
	c.letGo(in.Key, in.Token) // however this release ends
	calls := 0
	for _, r := range c.releases {
		calls += len(r.callers)
	}
	switch {
	case c.shut:
		c.notSent(in.Op, demux.CauseClosed)
		return
	case calls == c.o.MaxReleases:
		c.notSent(in.Op, demux.CauseFull)
		return
	}
	for i, r := range c.releases {
		if r.key == in.Key && r.token == in.Token {
			c.releases[i].callers = append(r.callers[:len(r.callers):len(r.callers)], caller{op: in.Op, doomed: r.doomed})
			return
		}
	}
	c.serial++
	c.releases = append(c.releases, release{
		serial:  c.serial,
		key:     in.Key,
		token:   in.Token,
		callers: []caller{{op: in.Op}},
		limit:   plus(c.now, demux.Time(c.o.Grace)),
	})
}

func (c *Core) setRelease(r release) {
	for i := range c.releases {
		if c.releases[i].serial == r.serial {
			c.releases[i] = r
		}
	}
}

func (c *Core) dropRelease(r release) {
	var rest []release
	for _, s := range c.releases {
		if s.serial != r.serial {
			rest = append(rest, s)
		}
	}
	c.releases = rest
}

// endRelease tells every caller the same.
func (c *Core) endRelease(r release, e demux.Effect) {
	c.dropRelease(r)
	for _, k := range r.callers {
		e.Kind, e.Op, e.Tries = demux.EffectComplete, k.op, uint8(r.tries)
		c.emit(e)
	}
}

// failRelease ends r by its bytes: once one was accepted on any connection it never ends NotSent.
func (c *Core) failRelease(r release, cause demux.Cause) {
	c.dropRelease(r)
	for _, k := range r.callers {
		c.failCaller(r, k, cause)
	}
}

func (c *Core) failCaller(r release, k caller, cause demux.Cause) {
	if k.doomed != demux.CauseNone {
		cause = k.doomed // the first reason counts
	}
	e := demux.Effect{Kind: demux.EffectComplete, Op: k.op, Tries: uint8(r.tries), Outcome: demux.Indeterminate}
	if r.tries == 0 {
		e.Outcome, e.Cause = demux.NotSent, cause
	}
	c.emit(e)
}

// cancelRelease settles one call alone; the last one takes the R, and if that was sent the connection, with it.
func (c *Core) cancelRelease(op demux.OpID) {
	for _, r := range c.releases {
		for i, k := range r.callers {
			if k.op == op {
				c.cancelCaller(r, i)
				return
			}
		}
	}
}

func (c *Core) cancelCaller(r release, i int) {
	if r.place.phase == writing {
		if r.callers[i].doomed == demux.CauseNone {
			r.callers[i].doomed = demux.CauseCancelled
		}
		return
	}
	if len(r.callers) > 1 {
		k := r.callers[i]
		var rest []caller
		for j, other := range r.callers {
			if j != i {
				rest = append(rest, other)
			}
		}
		r.callers = rest
		c.setRelease(r)
		c.failCaller(r, k, demux.CauseCancelled)
		return
	}
	c.giveUpRelease(r, demux.CauseCancelled, demux.ReasonCancel)
}

// giveUpRelease ends the whole R, or remembers to.
func (c *Core) giveUpRelease(r release, cause demux.Cause, reason demux.Reason) {
	switch r.place.phase {
	case unsent:
		c.failRelease(r, cause)
	case sent:
		c.failRelease(r, cause)
		c.end(r.place.gen, reason)
	case writing:
		if r.allDoomed() == demux.CauseNone {
			r.doomed = cause
		}
		for i, k := range r.callers {
			if k.doomed == demux.CauseNone {
				r.callers[i].doomed = cause
			}
		}
		c.setRelease(r)
	}
}

// releaseWrote settles what an R's bytes decide. It returns why the connection must go, if it must.
func (c *Core) releaseWrote(r release, accepted, ended bool) demux.Reason {
	if accepted {
		r.tries++
	}
	if cause := r.allDoomed(); cause != demux.CauseNone {
		c.failRelease(r, cause)
		if accepted {
			return reasonOf(cause)
		}
		return demux.ReasonNone
	}
	var rest []caller
	for _, k := range r.callers {
		if k.doomed != demux.CauseNone {
			c.failCaller(r, k, k.doomed)
			continue
		}
		rest = append(rest, k)
	}
	r.callers = rest
	switch {
	case accepted && !ended:
		r.place.phase = sent
		c.setRelease(r)
	case accepted:
		c.again(r)
	default:
		r.place = place{}
		c.setRelease(r)
	}
	return demux.ReasonNone
}

// allDoomed says why an R has nobody left who wants it.
func (r release) allDoomed() demux.Cause {
	if r.doomed != demux.CauseNone {
		return r.doomed
	}
	for _, k := range r.callers {
		if k.doomed == demux.CauseNone {
			return demux.CauseNone
		}
	}
	return demux.CauseCancelled
}

// again queues an R whose connection died, or ends it when its tries are used up (rule release-again).
func (c *Core) again(r release) {
	if r.tries >= maxTries {
		c.failRelease(r, demux.CauseNone)
		return
	}
	r.place = place{}
	c.setRelease(r)
}

// replyRelease settles the release that an R or N on gen answers, if there is one.
func (c *Core) replyRelease(gen demux.Generation, p reply) bool {
	for _, r := range c.releases {
		if !r.place.on(gen) || r.key != p.key || r.token != p.token {
			continue
		}
		if r.place.phase == writing {
			r.tries++ // the reply proves it sent, whatever InputWrote will say
		}
		if p.op == "R" {
			c.endRelease(r, demux.Effect{Outcome: demux.Released})
		} else {
			c.endRelease(r, demux.Effect{Outcome: demux.NotFound, Resent: r.tries > 1}) // rule resent-n
		}
		return true
	}
	return false
}
