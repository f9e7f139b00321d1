package service

import (
	"ticketing/client/wire"
	"ticketing/sim/clock"
)

// Node is one server process: what it believes, and the requests that it holds.
//
//   - down: crashed; nobody listens.
//   - follower: !Leads. It sends clients away.
//   - leader: Leads, and Service.Leader is it.
//   - deposed: Leads, and Service.Leader is another, or nobody. It does not know: it takes requests in,
//     and can commit none.
type Node struct {
	Up        bool
	Leads     bool
	Knows     int16 // whom it takes for the leader, -1 for nobody
	Clock     clock.Local
	Proposals []Proposal
}

// Proposal is a request that a node holds until it can commit it.
type Proposal struct {
	Verb   wire.Op
	Refuse bool // the node was full: answer B once it is confirmed that it leads (a-final)
	Key    int32
	Owner  Owner
	Token  uint64
	Wait   uint32
	Lease  uint32
	Reply  Address
}

// Propose makes the node of session c hold a request until it can commit it. Where to answer, and whether to refuse it, is
// filled in.
func (s *Service) Propose(h Host, c int32, p *Proposal) {
	v := &s.Sessions[c]
	n := &s.Nodes[v.Node]
	// Twice the bound is where even refusing costs too much.
	if len(n.Proposals) >= 2*s.o.ProposalsMax && h.Ask(AskOverload) {
		s.Fail(h, c, "overloaded")
		return
	}
	full := len(n.Proposals) >= s.o.ProposalsMax
	n.Proposals = append(n.Proposals, *p)
	q := &n.Proposals[len(n.Proposals)-1]
	q.Refuse = p.Verb == wire.OpAcquire && full
	q.Reply = Address{c, v.Life}
	s.tell(h, Event{Kind: EventProposed, Node: v.Node})
}

// Drop takes back the proposal that node n took up first.
func (s *Service) Drop(n int16) Proposal {
	d := &s.Nodes[n]
	p := d.Proposals[0]
	d.Proposals = append(d.Proposals[:0], d.Proposals[1:]...)
	return p
}

// Work commits the proposal that node n took up first, or makes the node learn that it does not lead. It returns an acquire
// that it denied.
func (s *Service) Work(h Host, now clock.Time, n int16) (p Proposal, denied bool) {
	if s.Leader != n {
		s.Depose(h, n)
		return Proposal{}, false
	}
	p = s.Drop(n)
	return p, s.commit(h, now, n, &p)
}

// Depose makes node n learn that it does not lead: what it holds was never committed.
func (s *Service) Depose(h Host, n int16) {
	d := &s.Nodes[n]
	d.Leads, d.Knows, d.Proposals = false, s.Leader, d.Proposals[:0]
	s.tell(h, Event{Kind: EventDeposed, Node: n})
	// Clients that wait for an answer are sent away, or left to find out.
	for c := range s.Sessions {
		if v := &s.Sessions[c]; v.Open && v.Node == n && !h.Ask(AskStay) {
			s.redirect(h, int32(c))
		}
	}
}

// Vacate leaves the service without a leader.
func (s *Service) Vacate() { s.Leader = -1 }

// Lead makes n the leader that commits. It knows what was committed, but not what time the leader before it counted.
func (s *Service) Lead(h Host, now clock.Time, n int16) {
	s.Nodes[n].Leads, s.Nodes[n].Knows = true, n
	s.Leader = n
	s.Changes++
	local := s.local(n, now)
	for i := range s.locks {
		l := &s.locks[i]
		if !l.Held || s.Ends(int32(i)) == clock.Never {
			continue
		}
		full := clock.Time(l.Lease) * clock.Millisecond
		left := full
		if !s.o.LeaseRestarts {
			// No earlier than the lease on any clock within the bound: twice the drift for two clocks.
			left = max(0, full+full*clock.Time(2*s.o.DriftPPM)/1_000_000-(now-l.Began))
		}
		s.due.move(s, l.place, local+left)
	}
	if s.o.QueueLost {
		for s.waiters.all.first != 0 {
			v := s.unqueue(s.waiters.all.first)
			s.tell(h, Event{Kind: EventLost, Key: v.Key, Owner: v.Owner})
		}
	}
	for v := range s.Waiters() {
		// The time that passed under the old leader is not known here: the wait starts again.
		s.due.move(s, v.place, local+clock.Time(s.o.WaitRestart)*clock.Millisecond)
	}
}

// Notify makes node n say L to its clients, and returns to how many.
func (s *Service) Notify(h Host, n, leader int16) int {
	told := 0
	for c := range s.Sessions {
		if v := &s.Sessions[c]; v.Open && v.Hello && v.Node == n {
			told++
			s.write(h, int32(c), wire.AppendNotice(s.frame[:0], s.addrs[leader]))
		}
	}
	return told
}

// redirect sends a client away from a node that does not lead.
func (s *Service) redirect(h Host, c int32) {
	n := s.Sessions[c].Node
	knows := s.Nodes[n].Knows
	switch {
	case h.Ask(AskIdle):
		s.Fail(h, c, wire.CodeNotActive)
		return
	case knows < 0 || knows == n:
		s.Fail(h, c, wire.CodeNoLeader)
		return
	case h.Ask(AskNotice):
		s.write(h, c, wire.AppendNotice(s.frame[:0], s.addrs[knows]))
	}
	s.write(h, c, wire.AppendMoved(s.frame[:0], s.addrs[knows]))
	s.HangUp(h, c)
}
