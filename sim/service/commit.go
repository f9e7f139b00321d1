package service

import (
	"ticketing/client/wire"
	"ticketing/sim/clock"
)

// commit executes a request as the leader n.
func (s *Service) commit(h Host, now clock.Time, n int16, p *Proposal) (denied bool) {
	switch {
	case p.Verb == wire.OpRelease:
		s.commitRelease(h, now, n, p)
		return false
	case p.Refuse:
		s.Deny(h, n, wire.OpBusy, p.Key, p.Owner, p.Reply)
		return true
	}
	return s.commitAcquire(h, now, n, p)
}

func (s *Service) commitAcquire(h Host, now clock.Time, n int16, p *Proposal) (denied bool) {
	l := &s.locks[p.Key]
	switch {
	case !l.Held && l.count == 0:
		s.grant(h, now, n, p.Key, p.Owner, p.Lease, p.Reply, false)
	case l.Held && h.Ask(AskDouble):
		s.due.remove(s, l.place)
		s.grant(h, now, n, p.Key, p.Owner, p.Lease, p.Reply, false)
	case p.Wait == 0:
		s.Deny(h, n, wire.OpTimedOut, p.Key, p.Owner, p.Reply)
		return true
	case int(l.count) >= s.o.QueueMax || s.waiters.count >= s.o.WaitersMax:
		s.Deny(h, n, wire.OpBusy, p.Key, p.Owner, p.Reply)
		return true
	default:
		s.tell(h, Event{Kind: EventQueued, Node: n, Key: p.Key, Owner: p.Owner, Asked: p.Lease})
		s.Queue(p.Key, p.Owner, p.Lease, p.Reply, s.local(n, now)+clock.Time(p.Wait)*clock.Millisecond)
	}
	return false
}

func (s *Service) commitRelease(h Host, now clock.Time, n int16, p *Proposal) {
	l := &s.locks[p.Key]
	s.key = h.AppendKey(s.key[:0], p.Key)
	if !l.Held || l.Token != p.Token || h.Ask(AskMissing) {
		s.tell(h, Event{Kind: EventMissing, Node: n, Key: p.Key, Token: p.Token})
		s.answer(h, n, p.Reply, wire.AppendNotFound(s.frame[:0], s.key, p.Token))
		return
	}
	s.Free(h, n, p.Key, true)
	s.answer(h, n, p.Reply, wire.AppendReleased(s.frame[:0], s.key, p.Token))
	s.next(h, now, n, p.Key)
}

// grant gives the lock of key to owner.
func (s *Service) grant(h Host, now clock.Time, n int16, key int32, owner Owner, asked uint32, reply Address, waited bool) {
	s.Token += 1 + h.Gap()
	lease := min(asked, s.o.LeaseCap)
	ends := h.Term(s.Token, clock.Time(lease)*clock.Millisecond)
	if ends != clock.Never {
		ends += s.local(n, now)
	}
	l := &s.locks[key]
	l.Held, l.Lease, l.Owner, l.Token, l.Began = true, lease, owner, s.Token, now
	s.due.add(s, leaseOf(key), ends)
	frame := s.GrantedFrame(h, key, owner, s.Token, lease)
	s.tell(h, Event{Kind: EventGranted, Node: n, Key: key, Owner: owner, Asked: asked, Lease: lease, Token: s.Token, Flag: waited})
	s.answer(h, n, reply, frame)
}

// GrantedFrame is the A for a grant, until the next frame.
func (s *Service) GrantedFrame(h Host, key int32, owner Owner, token uint64, lease uint32) []byte {
	s.key, s.owner = h.AppendKey(s.key[:0], key), h.AppendOwner(s.owner[:0], owner)
	s.frame = wire.AppendGranted(s.frame[:0], s.key, s.owner, token, lease)
	return s.frame
}

// Deny ends an acquire that is never granted, with T or B.
func (s *Service) Deny(h Host, n int16, verb wire.Op, key int32, owner Owner, reply Address) {
	s.key, s.owner = h.AppendKey(s.key[:0], key), h.AppendOwner(s.owner[:0], owner)
	s.tell(h, Event{Kind: EventDenied, Node: n, Key: key, Owner: owner, Verb: verb})
	frame := s.frame[:0]
	if verb == wire.OpBusy {
		frame = wire.AppendBusy(frame, s.key, s.owner)
	} else {
		frame = wire.AppendTimedOut(frame, s.key, s.owner)
	}
	s.answer(h, n, reply, frame)
}

// Free ends the hold on a key, by a release or by its lease.
func (s *Service) Free(h Host, n int16, key int32, released bool) {
	l := &s.locks[key]
	token := l.Token
	s.due.remove(s, l.place)
	*l = Lock{queue: l.queue, count: l.count}
	s.tell(h, Event{Kind: EventFreed, Node: n, Key: key, Token: token, Flag: released})
}

// next grants the free lock of key to the waiter whose turn it is.
func (s *Service) next(h Host, now clock.Time, n int16, key int32) {
	first := s.locks[key].queue.first
	if first == 0 {
		s.tell(h, Event{Kind: EventIdle, Key: key})
		return
	}
	v := s.unqueue(first)
	s.grant(h, now, n, key, v.Owner, v.Lease, v.Reply, true)
}
