package service

import (
	"ticketing/client/wire"
	"ticketing/sim/clock"
)

// schedule is a heap of the instants, on the leader's clock, at which leases and waits end. What they belong to knows its place.
type schedule []appointment

type appointment struct {
	at clock.Time
	of matter
}

// matter is what ends: the lease of a lock, or a wait.
type matter int32

func leaseOf(key int32) matter { return matter(key<<1 | 1) }
func waitOf(slot int32) matter { return matter(slot << 1) }

func (m matter) isLease() bool { return m&1 != 0 }
func (m matter) index() int32  { return int32(m >> 1) }

// put sets the appointment at place i.
func (d schedule) put(s *Service, i int, a appointment) {
	d[i] = a
	if a.of.isLease() {
		s.locks[a.of.index()].place = int32(i)
	} else {
		s.waiters.slots[a.of.index()].place = int32(i)
	}
}

func (d *schedule) add(s *Service, m matter, at clock.Time) {
	*d = append(*d, appointment{})
	d.up(s, len(*d)-1, appointment{at, m})
}

func (d *schedule) remove(s *Service, place int32) {
	last := len(*d) - 1
	a := (*d)[last]
	*d = (*d)[:last]
	if int(place) < last {
		d.settle(s, int(place), a)
	}
}

// move changes the instant of the appointment at a place.
func (d schedule) move(s *Service, place int32, at clock.Time) {
	d.settle(s, int(place), appointment{at, d[place].of})
}

// settle puts a where place i is free, up or down from there.
func (d schedule) settle(s *Service, i int, a appointment) {
	if i > 0 && a.at < d[(i-1)/2].at {
		d.up(s, i, a)
		return
	}
	for {
		child := 2*i + 1
		if child >= len(d) {
			break
		}
		if child+1 < len(d) && d[child+1].at < d[child].at {
			child++
		}
		if a.at <= d[child].at {
			break
		}
		d.put(s, i, d[child])
		i = child
	}
	d.put(s, i, a)
}

func (d schedule) up(s *Service, i int, a appointment) {
	for i > 0 && a.at < d[(i-1)/2].at {
		d.put(s, i, d[(i-1)/2])
		i = (i - 1) / 2
	}
	d.put(s, i, a)
}

// count is how many appointments at place i or below are due.
func (d schedule) count(i int, now clock.Time) int {
	if i >= len(d) || d[i].at > now {
		return 0
	}
	return 1 + d.count(2*i+1, now) + d.count(2*i+2, now)
}

// Ends is when the lease of a key that is held ends, on the leader's clock.
func (s *Service) Ends(key int32) clock.Time { return s.due[s.locks[key].place].at }

// Until is when a wait ends, on the leader's clock.
func (s *Service) Until(v *Waiter) clock.Time { return s.due[v.place].at }

// Deadline is the instant at which the first lease or wait ends, or clock.Never. Without a leader nothing ends.
func (s *Service) Deadline() clock.Time {
	if s.Leader < 0 || len(s.due) == 0 || s.due[0].at == clock.Never {
		return clock.Never
	}
	return s.Nodes[s.Leader].Clock.World(s.due[0].at)
}

// Due is how many leases and waits are over. Somebody leads.
func (s *Service) Due(now clock.Time) int { return s.due.count(0, s.local(s.Leader, now)) }

// Ended is what Expire ended.
type Ended struct {
	Lease  bool
	Waiter Waiter // whose wait it was, else
}

// Expire ends the k-th lease or wait that is over, k below Due: leases come first, by key, then waits in the order of their
// commits.
func (s *Service) Expire(h Host, now clock.Time, k int) Ended {
	local := s.local(s.Leader, now)
	for i := range s.locks {
		if s.locks[i].Held && s.Ends(int32(i)) <= local {
			if k == 0 {
				return s.end(h, now, leaseOf(int32(i)))
			}
			k--
		}
	}
	for i := s.waiters.all.first; i != 0; i = s.waiters.slots[i].links[inAll].after {
		if s.Until(&s.waiters.slots[i]) <= local {
			if k == 0 {
				return s.end(h, now, waitOf(i))
			}
			k--
		}
	}
	panic("service: an end beyond those that are due")
}

// ExpireAll ends all that is over, the first one first.
func (s *Service) ExpireAll(h Host, now clock.Time) {
	if s.Leader < 0 {
		return
	}
	for local := s.local(s.Leader, now); len(s.due) > 0 && s.due[0].at <= local; {
		s.end(h, now, s.due[0].of)
	}
}

func (s *Service) end(h Host, now clock.Time, m matter) Ended {
	n := s.Leader
	if m.isLease() {
		s.Free(h, n, m.index(), false)
		s.next(h, now, n, m.index())
		return Ended{Lease: true}
	}
	v := s.unqueue(m.index())
	s.Deny(h, n, wire.OpTimedOut, v.Key, v.Owner, v.Reply)
	return Ended{Waiter: v}
}
