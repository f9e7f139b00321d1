package generate

import (
	"fmt"

	"ticketing/model"
)

const (
	ms          = 1_000_000 // nanoseconds
	leaseMillis = 1_000
	waitMillis  = 60_000
	waitShort   = 40 // milliseconds; long enough for some, not for all
	shortShare  = 10 // percent of acquires that wait so
)

// play is the loop: a service that grants in turn, and callers that acquire, hold, release and rest.
type play struct {
	o       Options
	out     *model.Writer
	rng     random
	due     events
	keys    []lock
	callers []caller
	now     int64
	seq     int64
	token   uint64 // the last one granted
	started int    // operations
	written int
	plant   plant
}

// lock is one key as the service has it.
type lock struct {
	queue    []int32 // callers, first in line first
	holder   uint64  // token; zero if free
	returned uint64  // the highest token a caller was shown
	pinned   bool    // a release that will be answered has just ended the last tenure
}

// caller is one process with one operation open at most.
type caller struct {
	op      model.Op // open
	token   uint64   // granted, zero before
	until   int64    // end of its lease
	attempt uint64
	key     int32
	fate    fate // of its acquire, and then of its release
	queued  bool
	over    bool // it holds on beyond its lease
	acted   bool // its release freed the lock
}

type fate uint8

const (
	fateAnswered fate = iota
	fateLost          // acted or not, nobody hears
	fateNever         // lost before it reached the service
	fateLate          // of an acquire
	fateResent        // of a release
)

func newPlay(o Options, out *model.Writer) *play {
	p := &play{o: o, out: out, rng: random(o.Seed), keys: make([]lock, o.Keys), callers: make([]caller, o.Keys*o.Callers)}
	p.plant.what = o.Illegal
	for i := range p.callers {
		p.callers[i].key = int32(i % o.Keys)
		p.push(evCall, int32(i), 0, int64(p.rng.below(10*ms)))
	}
	return p
}

func (p *play) push(kind eventKind, c int32, token uint64, in int64) {
	p.due.push(event{at: p.now + in, kind: kind, caller: c, token: token})
}

// soon is a delay on the way to or from the service.
func (p *play) soon() int64 { return int64(1 + p.rng.below(ms)) }

// share is true in so many cases of a hundred.
func (p *play) share(percents int) bool { return p.rng.below(percent) < percents }

// run plays until enough operations were written and none is open.
func (p *play) run() error {
	for len(p.due.heap) > 0 {
		e := p.due.pop()
		p.now = e.at
		if err := p.happen(&e); err != nil {
			return err
		}
	}
	if p.o.Illegal != "" && !p.plant.done {
		return fmt.Errorf("generate: %s did not come about in %d operations", p.o.Illegal, p.o.Ops)
	}
	return nil
}

func (p *play) happen(e *event) error {
	c := &p.callers[e.caller]
	switch e.kind {
	case evCall:
		p.acquire(e.caller, c)
	case evTimeout:
		if c.queued && c.attempt == e.token {
			p.leave(e.caller, c)
			return p.end(e.caller, c, model.TimedOut)
		}
	case evReply:
		return p.reply(e.caller, c)
	case evTold:
		return p.end(e.caller, c, model.Indeterminate)
	case evRelease:
		p.release(e.caller, c)
	case evAct:
		p.act(e.caller, c)
	case evAnswer:
		return p.answer(e.caller, c)
	case evExpire:
		if k := &p.keys[c.key]; k.holder == e.token {
			p.free(k, c.key)
		}
	}
	return nil
}

func (p *play) stamp() model.Stamp {
	p.seq++
	return model.Stamp{Seq: p.seq, At: p.now}
}

// acquire opens an acquire, unless there are enough operations.
func (p *play) acquire(i int32, c *caller) {
	if p.started >= p.o.Ops {
		return
	}
	p.started++
	c.attempt++
	c.token, c.over, c.acted = 0, false, false
	c.op = model.Op{Kind: model.Acquire, Client: i, Key: c.key, Call: p.stamp(), Wait: waitMillis}
	switch dice := p.rng.below(percent); {
	case dice < p.o.LostAcquires/2:
		c.fate = fateNever
		p.push(evTold, i, 0, p.soon())
		return
	case dice < p.o.LostAcquires:
		c.fate = fateLost
	case dice < p.o.LostAcquires+p.o.LateAcquires:
		c.fate = fateLate
	default:
		c.fate = fateAnswered
		if p.share(shortShare) {
			c.op.Wait = waitShort
		}
		p.push(evTimeout, i, c.attempt, int64(c.op.Wait)*ms)
	}
	k := &p.keys[c.key]
	c.queued = true
	k.queue = append(k.queue, i)
	if k.holder == 0 {
		p.free(k, c.key)
	}
}

// leave takes a caller out of the queue.
func (p *play) leave(i int32, c *caller) {
	c.queued = false
	k := &p.keys[c.key]
	for at, q := range k.queue {
		if q == i {
			k.queue = append(k.queue[:at], k.queue[at+1:]...)
			return
		}
	}
}

// free ends a tenure and starts the next, if anybody waits.
func (p *play) free(k *lock, key int32) {
	k.holder = 0
	if len(k.queue) == 0 {
		return
	}
	i := k.queue[0]
	c := &p.callers[i]
	p.leave(i, c)
	c.token = p.next(k, c)
	k.pinned = false
	c.until = p.now + leaseMillis*ms
	k.holder = c.token
	switch c.fate {
	case fateLost:
		p.push(evTold, i, 0, p.soon())
		p.push(evExpire, i, c.token, leaseMillis*ms)
	case fateLate:
		p.push(evReply, i, 0, p.soon())
	default:
		if !p.planned(c) {
			c.over = p.share(p.o.Overheld)
		}
		if c.over {
			p.push(evExpire, i, c.token, leaseMillis*ms)
		}
		p.push(evReply, i, 0, p.soon())
		p.plantOverlap(k, c)
	}
}

// reply shows a grant to its caller.
func (p *play) reply(i int32, c *caller) error {
	c.op.Token, c.op.Lease = c.token, leaseMillis
	k := &p.keys[c.key]
	k.returned = max(k.returned, c.token)
	outcome, hold := model.Granted, p.soon()
	if c.fate == fateLate {
		outcome, hold = model.Indeterminate, 0
	}
	if c.over {
		hold = c.until - p.now + p.soon()
	}
	p.push(evRelease, i, 0, hold)
	return p.write(c, outcome)
}

// release opens the release of what the caller was shown; of what came late, the lane's.
func (p *play) release(i int32, c *caller) {
	if p.postpone(c) {
		p.push(evRelease, i, 0, leaseMillis*ms)
		return
	}
	if lane := c.fate == fateLate; !lane || !p.o.LaneUnrecorded {
		p.started++
	}
	c.op = model.Op{Kind: model.Release, Client: i, Key: c.key, Call: p.stamp(), Token: c.token, Tries: 1, Lane: c.fate == fateLate}
	switch dice := p.rng.below(percent); {
	case p.planned(c) || c.over:
		c.fate = fateAnswered
	case dice < p.o.LostReleases/2:
		c.fate = fateNever
	case dice < p.o.LostReleases:
		c.fate = fateLost
	case dice < p.o.LostReleases+p.o.ResentRelease:
		c.fate, c.op.Tries = fateResent, 2
	default:
		c.fate = fateAnswered
	}
	p.push(evAct, i, 0, p.soon())
}

// act is a release at the service.
func (p *play) act(i int32, c *caller) {
	k := &p.keys[c.key]
	switch {
	case c.fate == fateNever || p.plant.what == NotFoundWhileHeld && p.planned(c):
		p.push(evExpire, i, c.token, c.until-p.now) // nothing else will free it
	case k.holder == c.token:
		c.acted, k.pinned = true, c.fate == fateAnswered
		p.free(k, c.key)
	}
	p.push(evAnswer, i, 0, p.soon())
}

// answer ends a release.
func (p *play) answer(i int32, c *caller) error {
	outcome := model.NotFound
	switch {
	case c.fate == fateLost || c.fate == fateNever:
		outcome = model.Indeterminate
	case c.acted && c.fate != fateResent, p.lie(c):
		outcome = model.Released
	}
	if c.op.Lane && p.o.LaneUnrecorded {
		p.push(evCall, i, 0, p.soon())
		return nil
	}
	if err := p.end(i, c, outcome); err != nil {
		return err
	}
	return p.plantAfter(c)
}

// end closes the open operation and lets the caller rest before its next acquire.
func (p *play) end(i int32, c *caller, o model.Outcome) error {
	p.push(evCall, i, 0, p.soon())
	return p.write(c, o)
}

func (p *play) write(c *caller, o model.Outcome) error {
	c.op.Return, c.op.Outcome = p.stamp(), o
	p.written++
	return p.out.Op(&c.op)
}
