package service

import (
	"fmt"

	"ticketing/client/wire"
	"ticketing/sim/clock"
)

// Owner names one acquire attempt by numbers of the Host: the client process that made it, and its number there.
type Owner struct {
	Client int16
	N      uint64
}

// Options are the bounds and habits of a service. None has a default.
type Options struct {
	Addrs      []string // one a node, as clients are told
	Credential string   // what an H must show
	Text       string   // of every E

	Conns        int // sessions at once
	Keys         int // numbers of keys, at most Most
	ProposalsMax int // requests that a node holds; more are answered B
	QueueMax     int // waiters of one key; more are answered B
	WaitersMax   int // waiters of all keys, at most Most; more are answered B

	AnyKey        bool   // any key names a lock, as long as there are numbers; else those that Read knows
	LeaseCap      uint32 // milliseconds; a longer lease is shortened to it
	QueueDies     bool   // a queued acquire dies with its connection
	QueueLost     bool   // a new leader starts with an empty queue
	LeaseRestarts bool   // a new leader restarts the leases in full
	WaitRestart   uint32 // milliseconds that a wait has left under a new leader
	DriftPPM      int64  // bound of the drift of the nodes' clocks
	FirstToken    uint64 // tokens are greater
}

// Service is nodes with their sessions, and the committed state: what a majority of the nodes agrees on, and what only a
// leader changes.
//
// Leader, Changes, Nodes and Sessions are there to be read. What a driver may change, for faults of its own, is Token, and
// what a node is and believes (Up, Knows, Leads, Clock). Token is the last one given out.
type Service struct {
	Leader   int16 // the node that can commit, or -1
	Changes  uint32
	Token    uint64
	Nodes    []Node
	Sessions []Session

	o       Options
	addrs   []string
	locks   []Lock
	waiters waiters
	due     schedule

	request wire.Request
	event   Event
	frame   []byte
	key     []byte
	owner   []byte
}

// Lock is the lock of one key.
type Lock struct {
	Held  bool
	Lease uint32 // milliseconds
	Owner Owner
	Token uint64
	Began clock.Time // the grant

	queue list
	count int32 // of queue
	place int32 // in the schedule, while it is held
}

// Most bounds Options.Keys and Options.WaitersMax.
const Most = 1 << 24

// Reset makes the service new: all nodes up with clocks that show the time, no sessions, and nobody leads. It panics on
// options out of bounds.
func (s *Service) Reset(o *Options) {
	if len(o.Addrs) == 0 || o.Conns < 0 || o.Keys < 0 || o.ProposalsMax < 0 || o.QueueMax < 0 || o.WaitersMax < 0 ||
		o.Keys > Most || o.WaitersMax > Most {
		panic(fmt.Sprintf("service: options out of bounds: %d nodes, %d connections, %d keys, %d proposals, %d waiters of %d",
			len(o.Addrs), o.Conns, o.Keys, o.ProposalsMax, o.QueueMax, o.WaitersMax))
	}
	s.addrs = append(s.addrs[:0], o.Addrs...)
	s.o = *o
	s.o.Addrs = nil
	s.Leader, s.Changes, s.Token = -1, 0, o.FirstToken
	s.Nodes = resize(s.Nodes, len(o.Addrs))
	for i := range s.Nodes {
		s.Nodes[i] = Node{Up: true, Knows: -1, Proposals: s.Nodes[i].Proposals[:0]}
	}
	s.Sessions = resize(s.Sessions, o.Conns)
	for i := range s.Sessions {
		s.Sessions[i] = Session{Carry: s.Sessions[i].Carry[:0]}
	}
	s.locks = s.locks[:0]
	for !o.AnyKey && len(s.locks) < o.Keys {
		s.locks = append(s.locks, Lock{})
	}
	s.waiters.reset()
	s.due = s.due[:0]
}

// resize returns v with length n. What it held stays where it was, for its memory.
func resize[E any](v []E, n int) []E {
	if n <= cap(v) {
		return v[:n]
	}
	return append(v[:cap(v)], make([]E, n-cap(v))...)
}

// Lock is the lock of a key, as it is.
func (s *Service) Lock(key int32) Lock {
	if int(key) >= len(s.locks) {
		return Lock{}
	}
	return s.locks[key]
}

// Locks is how many numbers of keys have been used.
func (s *Service) Locks() int { return len(s.locks) }

// lock is the lock of a key, which gets one if it has none.
func (s *Service) lock(key int32) *Lock {
	if int(key) >= s.o.Keys {
		panic(fmt.Sprintf("service: key %d of %d", key, s.o.Keys))
	}
	for int(key) >= len(s.locks) {
		s.locks = append(s.locks, Lock{})
	}
	return &s.locks[key]
}

// local is what the clock of node n shows.
func (s *Service) local(n int16, now clock.Time) clock.Time { return s.Nodes[n].Clock.Local(now) }

// tell tells the host, in one place for all, so that nothing escapes.
func (s *Service) tell(h Host, e Event) {
	s.event = e
	h.Tell(&s.event)
}
