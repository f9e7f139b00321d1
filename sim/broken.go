package sim

import (
	"ticketing/client/wire"
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
	"ticketing/sim/service"
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
	if s := &w.service; s.Token > w.p.Service.FirstToken && w.breaks(BrokenToken) {
		s.Token -= 1 + uint64(w.choose(labelBackup, int(min(s.Token-w.p.Service.FirstToken, 8))))
	}
}

// forget frees locks whose leases go on: the new leader n has not heard of their grants.
func (w *World) forget(n int16) {
	for key := range int32(w.service.Locks()) {
		if w.service.Lock(key).Held && w.breaks(BrokenLost) {
			w.service.Free(w.host(), n, key, false)
		}
	}
}

// jumpAhead moves the clock of the leader, beyond all bounds of drift.
func (w *World) jumpAhead() {
	n := w.service.Leader
	if n < 0 || !w.breaks(BrokenLease) {
		return
	}
	w.jumpNode(n, clock.Time(1+w.choose(labelAhead, 4))*clock.Second)
}

func (w *World) jumpNode(n int16, by clock.Time) {
	w.service.Nodes[n].Clock.Jump(w.q.Now(), by)
	w.emit(Fact{Kind: FactJump, Client: NoClient, Node: n, N: int(by)})
	w.armService()
}

// keep queues an acquire that has been denied.
func (w *World) keep(n int16, key int32, owner Owner, lease uint32, reply service.Address) {
	if w.service.Queued(key) >= w.p.Service.QueueMax || !w.breaks(BrokenFinal) {
		return
	}
	until := w.service.Nodes[n].Clock.Local(w.q.Now()) + clock.Time(w.p.Caller.WaitsMax)*clock.Millisecond
	w.service.Queue(key, owner, lease, reply, until)
}

// sayUnconfirmed makes leaders that are deposed and do not know it answer T to what n, which leads, has queued.
func (w *World) sayUnconfirmed(n int16) {
	if w.p.Service.Broken != BrokenUnconfirmed {
		return
	}
	for v := range w.service.Waiters() {
		s := &w.service.Sessions[v.Reply.Conn]
		if s.Open && s.Life == v.Reply.Life && s.Node != n && w.service.Nodes[s.Node].Leads && !w.nodeSleeps(s.Node) && w.breaks(BrokenUnconfirmed) {
			w.service.Deny(w.host(), s.Node, wire.OpTimedOut, v.Key, v.Owner, v.Reply)
		}
	}
}

// grantTwice makes node n, which is deposed and does not know it, grant what it took up first. It reports whether it did.
func (w *World) grantTwice(n int16) bool {
	s := &w.service
	p := s.Nodes[n].Proposals[0]
	if p.Verb != wire.OpAcquire || p.Refuse || !w.breaks(BrokenDouble) {
		return false
	}
	s.Drop(n)
	s.Token++
	lease := min(p.Lease, w.p.Service.LeaseCap)
	w.emit(Fact{Kind: FactGrant, Node: n, Key: int16(p.Key), Owner: p.Owner, Token: s.Token, Lease: lease})
	s.Answer(w.host(), n, p.Reply, s.GrantedFrame(w.host(), p.Key, p.Owner, s.Token, lease))
	return true
}

// executeCut executes the line that the end of c cut off, if it is one so far.
func (w *World) executeCut(c network.Conn, line []byte) {
	s := &w.service.Sessions[c]
	if w.p.Service.Broken != BrokenLine || !s.Hello || !w.service.Nodes[s.Node].Leads {
		return
	}
	var r wire.Request
	w.liar = append(append(w.liar[:0], line...), '\n')
	n, err := wire.ParseRequest(w.liar, &r)
	if err != nil || n != len(w.liar) || r.Op == wire.OpHello || w.keyOf(r.Key) < 0 || !w.breaks(BrokenLine) {
		return
	}
	f := w.beginRequest(c, &r)
	f.Flag = true
	w.tell()
	w.service.Propose(w.host(), int32(c), &service.Proposal{Verb: f.Verb, Key: int32(f.Key), Owner: f.Owner, Token: f.Token,
		Wait: f.Wait, Lease: f.Lease})
}

var (
	labelBroken = choice.Label{Stream: choice.Service, Name: "broken.now"}
	labelBackup = choice.Label{Stream: choice.Service, Name: "broken.backup"}
	labelAhead  = choice.Label{Stream: choice.Service, Name: "broken.ahead"}
)
