package service

import (
	"iter"

	"ticketing/sim/clock"
)

// Waiter is a queued acquire.
type Waiter struct {
	Key   int32
	Lease uint32 // milliseconds
	Owner Owner
	Reply Address

	place int32 // in the schedule
	links [numLists]link
}

// A waiter stands in three lists, each in the order of the commits: of all, of its key, and of its session.
const (
	inAll = iota
	inKey
	inSession
	numLists
)

// list is a list of waiters, threaded through them.
type list struct{ first, last int32 }

type link struct{ before, after int32 }

// waiters are the waiters by their places, which begin with 1: 0 is nobody, so that an empty list is zero.
type waiters struct {
	slots []Waiter
	spare int32 // the first of those that are free, threaded as inAll
	all   list
	count int
}

func (q *waiters) reset() {
	q.slots = append(q.slots[:0], Waiter{})
	q.spare, q.all, q.count = 0, list{}, 0
}

// take is the place of a new waiter.
func (q *waiters) take(v Waiter) int32 {
	i := q.spare
	if i == 0 {
		i = int32(len(q.slots))
		q.slots = append(q.slots, Waiter{})
	} else {
		q.spare = q.slots[i].links[inAll].after
	}
	q.slots[i] = v
	q.count++
	return i
}

// free gives a place back.
func (q *waiters) free(i int32) {
	q.slots[i].links[inAll].after = q.spare
	q.spare = i
	q.count--
}

// push puts a waiter at the end of a list.
func (q *waiters) push(l *list, in int, i int32) {
	q.slots[i].links[in] = link{before: l.last}
	if l.last == 0 {
		l.first = i
	} else {
		q.slots[l.last].links[in].after = i
	}
	l.last = i
}

// pull takes a waiter out of a list.
func (q *waiters) pull(l *list, in int, i int32) {
	at := q.slots[i].links[in]
	if at.before == 0 {
		l.first = at.after
	} else {
		q.slots[at.before].links[in].after = at.after
	}
	if at.after == 0 {
		l.last = at.before
	} else {
		q.slots[at.after].links[in].before = at.before
	}
}

// Waiters are those who are queued, for all keys, in the order of their commits. The loop must not change the service.
func (s *Service) Waiters() iter.Seq[*Waiter] {
	return func(yield func(*Waiter) bool) {
		for i := s.waiters.all.first; i != 0; i = s.waiters.slots[i].links[inAll].after {
			if !yield(&s.waiters.slots[i]) {
				return
			}
		}
	}
}

// Queued is how many wait for a key.
func (s *Service) Queued(key int32) int { return int(s.locks[key].count) }

// Queue queues an acquire until an instant of the leader's clock.
func (s *Service) Queue(key int32, o Owner, lease uint32, reply Address, until clock.Time) {
	q := &s.waiters
	i := q.take(Waiter{Key: key, Lease: lease, Owner: o, Reply: reply})
	l := &s.locks[key]
	q.push(&q.all, inAll, i)
	q.push(&l.queue, inKey, i)
	q.push(&s.Sessions[reply.Conn].waits, inSession, i)
	l.count++
	s.due.add(s, waitOf(i), until)
}

// unqueue forgets a waiter, and returns what it was.
func (s *Service) unqueue(i int32) Waiter {
	q := &s.waiters
	v := q.slots[i]
	l := &s.locks[v.Key]
	q.pull(&q.all, inAll, i)
	q.pull(&l.queue, inKey, i)
	q.pull(&s.Sessions[v.Reply.Conn].waits, inSession, i)
	l.count--
	s.due.remove(s, v.place)
	q.free(i)
	return v
}
