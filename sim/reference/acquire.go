package reference

import (
	"strconv"

	"ticketing/client/demux"
)

// acquire is a pending acquire.
type acquire struct {
	op    demux.OpID
	key   string
	owner string
	lease uint32

	waitEnd demux.Time // call + wait: what is left of the wait is counted from here
	limit   demux.Time // unsent, NotSent; writing or sent, missing (rule deadline)
	grace   demux.Time

	place place
	// doomed is the cancel, deadline or Close that met it while writing (rule sent-per-frame). The first counts.
	doomed demux.Cause
}

func (c *Core) acquire(in *demux.Input) {
	c.begin(in)
	switch {
	case c.shut:
		c.notSent(in.Op, demux.CauseClosed)
		return
	case len(c.acquires) == c.o.MaxAcquires:
		c.notSent(in.Op, demux.CauseFull) // rule own-capacity: never Busy
		return
	}
	grace := plus(demux.Time(c.o.Grace), millis(in.Wait)/1000)
	wait := millis(in.Wait)
	if in.Deadline != 0 {
		wait = max(0, min(wait, minus(minus(in.Deadline, c.now), grace)))
	}
	c.owners++
	c.acquires = append(c.acquires, acquire{
		op:      in.Op,
		key:     in.Key,
		owner:   c.o.Prefix + "-" + strconv.Itoa(c.owners),
		lease:   in.Lease,
		waitEnd: plus(c.now, wait),
		limit:   plus(plus(c.now, wait), grace),
		grace:   grace,
	})
}

// handOver is the wire form of a, now, and a as it is after that.
func (c *Core) handOver(a acquire, gen demux.Generation) (string, acquire) {
	left := max(0, minus(a.waitEnd, c.now)) / millis(1)
	a.place = place{writing, gen}
	a.limit = plus(plus(c.now, left*millis(1)), a.grace)
	return frameAcquire(a.key, a.owner, int64(left), a.lease), a
}

// unsentLimit is the limit of an acquire that has left no byte anywhere.
func (a acquire) unsentLimit() demux.Time { return plus(a.waitEnd, a.grace) }

func (c *Core) endAcquire(a acquire, e demux.Effect) {
	e.Kind, e.Op = demux.EffectComplete, a.op
	c.emit(e)
	var rest []acquire
	for _, b := range c.acquires {
		if b.op != a.op {
			rest = append(rest, b)
		}
	}
	c.acquires = rest
}

func (c *Core) setAcquire(a acquire) {
	for i := range c.acquires {
		if c.acquires[i].op == a.op {
			c.acquires[i] = a
		}
	}
}

// cancelAcquire withdraws an unsent request, remembers a writing one, and gives up a sent one together with
// its connection (rule cancel).
func (c *Core) cancelAcquire(op demux.OpID) {
	for _, a := range c.acquires {
		if a.op == op {
			c.giveUp(a, demux.CauseCancelled, demux.ReasonCancel)
			return
		}
	}
}

func (c *Core) giveUp(a acquire, cause demux.Cause, reason demux.Reason) {
	switch a.place.phase {
	case unsent:
		c.endAcquire(a, demux.Effect{Outcome: demux.NotSent, Cause: cause})
	case writing:
		if a.doomed == demux.CauseNone {
			a.doomed = cause
			c.setAcquire(a)
		}
	case sent:
		c.endAcquire(a, demux.Effect{Outcome: demux.Indeterminate})
		c.end(a.place.gen, reason)
	}
}

// acquireWrote settles what an acquire's bytes decide, once they are known. It returns why the connection
// must go, if it must.
func (c *Core) acquireWrote(a acquire, gen demux.Generation, accepted, ended bool) demux.Reason {
	switch {
	case accepted && a.doomed != demux.CauseNone:
		c.endAcquire(a, demux.Effect{Outcome: demux.Indeterminate})
		return reasonOf(a.doomed)
	case accepted && ended:
		c.endAcquire(a, demux.Effect{Outcome: demux.Indeterminate}) // rule ends-sent
	case accepted:
		a.place.phase = sent
		c.setAcquire(a)
	case a.doomed != demux.CauseNone:
		c.endAcquire(a, demux.Effect{Outcome: demux.NotSent, Cause: a.doomed})
	default:
		a.place = place{} // rule unsent-moves
		a.limit = a.unsentLimit()
		c.setAcquire(a)
	}
	return demux.ReasonNone
}

// reasonOf is why a connection goes for a frame that was doomed while writing, and then had a byte accepted.
// Close has a rule of its own for connections (shut-down).
func reasonOf(cause demux.Cause) demux.Reason {
	switch cause {
	case demux.CauseCancelled:
		return demux.ReasonCancel
	case demux.CauseDeadline:
		return demux.ReasonDeadline
	}
	return demux.ReasonNone
}

// replyAcquire settles the acquire that an A, T or B on gen answers, if there is one.
func (c *Core) replyAcquire(gen demux.Generation, r reply) bool {
	for _, a := range c.acquires {
		if !a.place.on(gen) || a.key != r.key || a.owner != r.owner { // rule match: all three
			continue
		}
		switch r.op {
		case "A": // a cancel remembered meanwhile changes nothing (rule grant-wins)
			c.endAcquire(a, demux.Effect{Outcome: demux.Granted, Token: r.token, Lease: r.lease})
			c.hold(r)
		case "T":
			c.endAcquire(a, demux.Effect{Outcome: demux.TimedOut})
		case "B": // rule busy
			c.endAcquire(a, demux.Effect{Outcome: demux.Busy})
		}
		return true
	}
	return false
}
