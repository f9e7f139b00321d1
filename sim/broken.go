package sim

import (
	"ticketing/client/wire"
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// Broken is an assumption of the protocol (its §1) that a service breaks on purpose, and how. The facts tell what such a
// service does; the client is not to blame for it.
type Broken uint8

// The ways. Beside each: the assumption.
const (
	BrokenNothing     Broken = iota
	BrokenToken              // a-token: a new leader counts on from a backup, below tokens that were given out
	BrokenLease              // a-lease: the leader's clock jumps ahead, and leases end early
	BrokenEndless            // a-lease: a lease that never ends
	BrokenFinal              // a-final: an owner that was answered T or B is queued all the same
	BrokenMissing            // a-final: N for a grant that is held, and stays so
	BrokenUnconfirmed        // a-final: a deposed leader says T for acquires that its successor has queued
	BrokenLine               // a-line: a line that a connection cut off is executed as it stands
	BrokenDouble             // a-lease: a deposed leader grants what its successor grants too
	BrokenLost               // a-lease: a new leader has lost committed grants, and their locks are free
)

// breaks asks whether the service breaks its assumption here, given that it is how.
func (w *World) breaks(how Broken) bool {
	if w.p.Service.Broken != how || w.healed || !w.chance(labelBroken, w.p.Service.BrokenOdds) {
		return false
	}
	w.count(CountBroken)
	return true
}

// restore sets the last token back to what a backup may have.
func (w *World) restore() {
	if s := &w.service; s.token > w.p.Service.FirstToken && w.breaks(BrokenToken) {
		s.token -= 1 + uint64(w.choose(labelBackup, int(min(s.token-w.p.Service.FirstToken, 8))))
	}
}

// forget frees locks whose leases go on: the new leader n has not heard of their grants.
func (w *World) forget(n int16) {
	for i := range w.service.locks {
		if w.service.locks[i].held && w.breaks(BrokenLost) {
			w.free(n, int16(i), false)
		}
	}
}

// jumpAhead moves the clock of the leader, beyond all bounds of drift.
func (w *World) jumpAhead() {
	n := w.service.leader
	if n < 0 || !w.breaks(BrokenLease) {
		return
	}
	w.jumpNode(n, clock.Time(1+w.choose(labelAhead, 4))*clock.Second)
}

func (w *World) jumpNode(n int16, by clock.Time) {
	w.nodes[n].clock.Jump(w.q.Now(), by)
	w.emit(Fact{Kind: FactJump, Client: NoClient, Node: n, N: int(by)})
	w.armService()
}

// keep queues an acquire that has been denied.
func (w *World) keep(n, key int16, owner Owner, lease uint32, reply address) {
	if w.queued(key) >= w.p.Service.QueueMax || !w.breaks(BrokenFinal) {
		return
	}
	until := w.nodes[n].clock.Local(w.q.Now()) + clock.Time(w.p.Caller.WaitsMax)*clock.Millisecond
	w.service.waiters = append(w.service.waiters, waiter{key: key, lease: lease, owner: owner, reply: reply, until: until})
}

// sayUnconfirmed makes leaders that are deposed and do not know it answer T to what n, which leads, has queued.
func (w *World) sayUnconfirmed(n int16) {
	if w.p.Service.Broken != BrokenUnconfirmed {
		return
	}
	for i := range w.service.waiters {
		v := w.service.waiters[i]
		s := &w.sessions[v.reply.conn]
		if s.open && s.life == v.reply.life && s.node != n && w.nodes[s.node].leads && !w.nodeSleeps(s.node) && w.breaks(BrokenUnconfirmed) {
			w.deny(s.node, wire.OpTimedOut, v.key, v.owner, v.reply)
		}
	}
}

// grantTwice makes node n, which is deposed and does not know it, grant what it took up first. It reports whether it did.
func (w *World) grantTwice(n int16) bool {
	p := w.nodes[n].proposals[0]
	if p.verb != wire.OpAcquire || p.refuse || !w.breaks(BrokenDouble) {
		return false
	}
	w.nodes[n].proposals = append(w.nodes[n].proposals[:0], w.nodes[n].proposals[1:]...)
	w.service.token++
	lease := min(p.lease, w.p.Service.LeaseCap)
	w.emit(Fact{Kind: FactGrant, Node: n, Key: p.key, Owner: p.owner, Token: w.service.token, Lease: lease})
	w.owner = w.appendOwner(w.owner[:0], p.owner)
	w.answer(n, p.reply, wire.AppendGranted(w.scratch[:0], w.p.Keys[p.key], w.owner, w.service.token, lease))
	w.armNode(n)
	return true
}

// executeCut executes the line that the end of c cut off, if it is one so far.
func (w *World) executeCut(c network.Conn) {
	s := &w.sessions[c]
	if w.p.Service.Broken != BrokenLine || len(s.carry) == 0 || !s.hello || !w.nodes[s.node].leads {
		return
	}
	var r wire.Request
	w.liar = append(append(w.liar[:0], s.carry...), '\n')
	n, err := wire.ParseRequest(w.liar, &r)
	if err != nil || n != len(w.liar) || r.Op == wire.OpHello || w.keyOf(r.Key) < 0 || !w.breaks(BrokenLine) {
		return
	}
	f := w.requestFact(c, &r)
	f.Flag = true
	w.emit(f)
	w.propose(c, &f)
}

var (
	labelBroken = choice.Label{Stream: choice.Service, Name: "broken.now"}
	labelBackup = choice.Label{Stream: choice.Service, Name: "broken.backup"}
	labelAhead  = choice.Label{Stream: choice.Service, Name: "broken.ahead"}
)
