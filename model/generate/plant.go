package generate

import "ticketing/model"

// plant is the one contradiction of an illegal history.
type plant struct {
	what  string
	token uint64 // the grant it is about, zero before one was chosen
	spare uint64 // of token-order: the number left out
	after int64  // of token-order: the position from which an acquire may get it
	done  bool
}

// ripe says whether it is time to choose a grant.
func (p *play) ripe() bool {
	return p.plant.what != "" && p.plant.token == 0 && p.written >= p.o.Ops-p.o.Ops/10
}

// planned says whether c's grant is the chosen one.
func (p *play) planned(c *caller) bool { return p.plant.token != 0 && c.token == p.plant.token }

// known says whether the history itself shows that c's grant comes about now and no earlier. Of a caller
// that queued behind a lost grant it does not, and what the lease then forbids is uncertain too.
func (p *play) known(k *lock, c *caller) bool {
	return k.pinned || c.op.Call.At == p.now
}

// next returns the token of a new grant, and chooses c's for the contradiction when it is time.
func (p *play) next(k *lock, c *caller) uint64 {
	pl := &p.plant
	if pl.spare != 0 && pl.after != 0 && !pl.done && c.op.Call.Seq > pl.after && c.fate == fateAnswered {
		pl.done = true
		return pl.spare
	}
	if !p.ripe() || c.fate != fateAnswered || pl.what == TokenUnique && p.token == 0 {
		p.token++
		return p.token
	}
	switch pl.what {
	case TokenUnique:
		if k.returned != 0 { // by a reply that was not lost
			pl.token, pl.done = k.returned, true
			return k.returned
		}
	case TokenOrder:
		p.token++
		pl.spare = p.token
		pl.token = p.token + 1
	case Overlap:
		if p.known(k, c) && len(k.queue) > 0 && p.callers[k.queue[0]].fate == fateAnswered {
			pl.token = p.token + 1
		}
	case NotFoundWhileHeld:
		if p.known(k, c) {
			pl.token = p.token + 1
		}
	case StaleRelease, NotFoundThenReleased:
		c.over = true
		pl.token = p.token + 1
	default:
		pl.token = p.token + 1
	}
	p.token++
	return p.token
}

// plantOverlap gives the chosen lock to the next in line as well, at once and by a prompt reply.
func (p *play) plantOverlap(k *lock, c *caller) {
	if p.plant.what != Overlap || p.plant.done || !p.planned(c) {
		return
	}
	p.plant.done = true
	next := k.queue[0]
	d := &p.callers[next]
	p.leave(next, d)
	p.token++
	d.token, d.until = p.token, p.now+leaseMillis*ms
	k.holder = d.token
	p.push(evReply, next, 0, 0)
}

// postpone says whether the chosen holder must still wait for another to be granted its lock.
func (p *play) postpone(c *caller) bool {
	return p.plant.what == StaleRelease && p.planned(c) && p.keys[c.key].returned <= c.token && p.started < p.o.Ops
}

// lie says whether a release is answered Released though it found nothing.
func (p *play) lie(c *caller) bool {
	if !p.planned(c) {
		return false
	}
	switch p.plant.what {
	case StaleRelease:
		p.plant.done = p.keys[c.key].returned > c.token
		return p.plant.done
	case Overlap:
		return true
	}
	return false
}

// plantAfter follows the chosen release, which was just written.
func (p *play) plantAfter(c *caller) error {
	if !p.planned(c) || c.op.Kind != model.Release {
		return nil
	}
	switch p.plant.what {
	case TokenOrder:
		p.plant.after = p.seq
	case NotFoundWhileHeld:
		p.plant.done = c.op.Outcome == model.NotFound
	case DoubleRelease, NotFoundThenReleased:
		p.plant.done = true
		c.op.Call = p.stamp()
		return p.write(c, model.Released)
	}
	return nil
}
