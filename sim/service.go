package sim

import (
	"ticketing/client/wire"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// service is the committed state: what a majority of the nodes agrees on, and what only a leader changes. A node's own
// view (who leads, which requests it holds) is its node.
type service struct {
	leader  int16 // the node that can commit, or -1
	changes uint32
	token   uint64 // the last one given out; Params.Service.FirstToken before that
	locks   []lock // by key
	waiters []waiter
}

// lock is the lock of one key.
type lock struct {
	held  bool
	lease uint32 // milliseconds
	owner Owner
	token uint64
	began clock.Time // world time of the grant
	ends  clock.Time // on the leader's clock
}

// waiter is a queued acquire. Waiters of all keys stand in one queue, in the order of their commits.
type waiter struct {
	key   int16
	lease uint32
	owner Owner
	reply address
	until clock.Time // on the leader's clock
}

// address is where an answer goes: a connection, in one of its lives.
type address struct {
	conn int16
	life uint32
}

// commit executes the request that the leader n took up first.
func (w *World) commit(n int16, p *proposal) {
	w.count(CountCommit)
	switch {
	case p.verb == wire.OpRelease:
		w.commitRelease(n, p)
	case p.refuse:
		w.deny(n, wire.OpBusy, p.key, p.owner, p.reply)
		w.keep(n, p.key, p.owner, p.lease, p.reply)
	default:
		w.commitAcquire(n, p)
	}
	w.armService()
}

func (w *World) commitAcquire(n int16, p *proposal) {
	s := &w.service
	l := &s.locks[p.key]
	queued := w.queued(p.key)
	switch {
	case !l.held && queued == 0:
		w.grant(n, p.key, p.owner, p.lease, p.reply)
	case p.wait == 0:
		w.deny(n, wire.OpTimedOut, p.key, p.owner, p.reply)
		w.keep(n, p.key, p.owner, p.lease, p.reply)
	case queued >= w.p.Service.QueueMax:
		w.deny(n, wire.OpBusy, p.key, p.owner, p.reply)
	default:
		w.count(CountQueued)
		w.movedOn(p.owner, p.lease, phaseQueued)
		until := w.nodes[n].clock.Local(w.q.Now()) + clock.Time(p.wait)*clock.Millisecond
		s.waiters = append(s.waiters, waiter{key: p.key, lease: p.lease, owner: p.owner, reply: p.reply, until: until})
	}
}

func (w *World) commitRelease(n int16, p *proposal) {
	l := &w.service.locks[p.key]
	if !l.held || l.token != p.token || w.breaks(BrokenMissing) {
		w.emit(Fact{Kind: FactMissing, Node: n, Key: p.key, Token: p.token})
		w.answer(n, p.reply, wire.AppendNotFound(w.scratch[:0], w.p.Keys[p.key], p.token))
		return
	}
	w.free(n, p.key, true)
	w.answer(n, p.reply, wire.AppendReleased(w.scratch[:0], w.p.Keys[p.key], p.token))
	w.next(n, p.key)
}

// grant gives the free lock of key to owner.
func (w *World) grant(n, key int16, owner Owner, lease uint32, reply address) {
	s := &w.service
	s.token += 1 + uint64(w.choose(labelTokenGap, 1+w.p.Chaos.TokenGapMax))
	w.movedOn(owner, lease, phaseGranted)
	lease = min(lease, w.p.Service.LeaseCap)
	now := w.q.Now()
	ends := w.nodes[n].clock.Local(now) + clock.Time(lease)*clock.Millisecond
	if w.breaks(BrokenEndless) {
		ends = clock.Never
	}
	s.locks[key] = lock{held: true, lease: lease, owner: owner, token: s.token, began: now, ends: ends}
	w.emit(Fact{Kind: FactGrant, Node: n, Key: key, Owner: owner, Token: s.token, Lease: lease})
	w.owner = w.appendOwner(w.owner[:0], owner)
	w.answer(n, reply, wire.AppendGranted(w.scratch[:0], w.p.Keys[key], w.owner, s.token, lease))
}

// deny ends an acquire that is never granted, with T or B.
func (w *World) deny(n int16, verb wire.Op, key int16, owner Owner, reply address) {
	w.emit(Fact{Kind: FactDeny, Node: n, Key: key, Owner: owner, Verb: verb})
	w.owner = w.appendOwner(w.owner[:0], owner)
	frame := w.scratch[:0]
	if verb == wire.OpBusy {
		frame = wire.AppendBusy(frame, w.p.Keys[key], w.owner)
	} else {
		frame = wire.AppendTimedOut(frame, w.p.Keys[key], w.owner)
	}
	w.answer(n, reply, frame)
}

// free ends the hold on key, by a release or by its lease.
func (w *World) free(n, key int16, released bool) {
	l := &w.service.locks[key]
	w.emit(Fact{Kind: FactFree, Node: n, Key: key, Token: l.token, Flag: released})
	*l = lock{}
}

// next grants the free lock of key to the waiter whose turn it is.
func (w *World) next(n, key int16) {
	for i := range w.service.waiters {
		if v := w.service.waiters[i]; v.key == key {
			w.unqueue(i)
			w.count(CountTurn)
			w.grant(n, key, v.owner, v.lease, v.reply)
			return
		}
	}
}

func (w *World) unqueue(i int) {
	s := &w.service
	s.waiters = append(s.waiters[:i], s.waiters[i+1:]...)
}

func (w *World) queued(key int16) int {
	n := 0
	for i := range w.service.waiters {
		if w.service.waiters[i].key == key {
			n++
		}
	}
	return n
}

// armService arms the leader's timer for the first lease or wait that ends.
func (w *World) armService() {
	s := &w.service
	first := clock.Never
	for i := range s.locks {
		if s.locks[i].held {
			first = min(first, s.locks[i].ends)
		}
	}
	for i := range s.waiters {
		first = min(first, s.waiters[i].until)
	}
	if s.leader < 0 || first == clock.Never {
		w.q.Clear(w.slot.service)
		return
	}
	at := w.nodes[s.leader].clock.World(first)
	w.q.Set(w.slot.service, at, at+w.p.Service.TimerLag)
}

// serviceTimer ends one lease or one wait that is due. Which of several is chosen: all orders of one instant happen.
func (w *World) serviceTimer() {
	s := &w.service
	now := w.nodes[s.leader].clock.Local(w.q.Now())
	due := 0
	for i := range s.locks {
		if s.locks[i].held && s.locks[i].ends <= now {
			due++
		}
	}
	for i := range s.waiters {
		if s.waiters[i].until <= now {
			due++
		}
	}
	if due > 0 {
		w.expire(w.choose(labelDue, due), now)
	}
	w.armService()
}

// expire ends the k-th lease or wait that is due.
func (w *World) expire(k int, now clock.Time) {
	s := &w.service
	n := s.leader
	for i := range s.locks {
		if s.locks[i].held && s.locks[i].ends <= now {
			if k == 0 {
				w.count(CountLeaseEnd)
				w.free(n, int16(i), false)
				w.next(n, int16(i))
				return
			}
			k--
		}
	}
	for i := range s.waiters {
		if v := s.waiters[i]; v.until <= now {
			if k == 0 {
				w.count(CountWaitEnd)
				w.unqueue(i)
				w.deny(n, wire.OpTimedOut, v.key, v.owner, v.reply)
				w.keep(n, v.key, v.owner, v.lease, v.reply)
				return
			}
			k--
		}
	}
}

// lead makes n the leader that commits.
func (w *World) lead(n int16) {
	s := &w.service
	s.leader = n
	s.changes++
	w.count(CountLeaderChange)
	w.emit(Fact{Kind: FactLeader, Node: n})
	w.restore()
	w.forget(n)
	now := w.q.Now()
	local := w.nodes[n].clock.Local(now)
	for i := range s.locks {
		l := &s.locks[i]
		if !l.held || l.ends == clock.Never {
			continue
		}
		full := clock.Time(l.lease) * clock.Millisecond
		left := full
		if !w.p.Service.LeaseRestarts {
			// No earlier than the lease on any clock within the bound: twice the drift for two clocks.
			left = max(0, full+full*clock.Time(2*w.p.DriftPPM)/1_000_000-(now-l.began))
		}
		l.ends = local + left
	}
	if w.p.Service.QueueLost {
		s.waiters = s.waiters[:0]
	}
	for i := range s.waiters {
		// The time that passed under the old leader is not known here: the wait starts again.
		s.waiters[i].until = local + clock.Time(w.p.Caller.WaitsMax)*clock.Millisecond
	}
	w.sayUnconfirmed(n)
	w.armService()
}

var (
	labelTokenGap = choice.Label{Stream: choice.Service, Name: "service.token-gap"}
	labelDue      = choice.Label{Stream: choice.Service, Name: "service.due"}
)
