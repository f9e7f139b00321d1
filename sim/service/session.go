package service

import (
	"bytes"

	"ticketing/client/wire"
)

// Session is a node's end of a connection.
type Session struct {
	Life  uint32 // how many connections this place has had
	Node  int16
	Open  bool
	Hello bool
	Carry []byte // a request that is not complete yet

	waits list // what it has queued
}

// Address is where an answer goes: a session, in one of its lives.
type Address struct {
	Conn int32
	Life uint32
}

// Begin gives place c of the sessions to a new connection to node n. It opens with Open.
func (s *Service) Begin(c int32, n int16) {
	v := &s.Sessions[c]
	v.Life++
	v.Node = n
}

// Open opens the session that began at place c.
func (s *Service) Open(c int32) {
	v := &s.Sessions[c]
	v.Open, v.Hello, v.Carry = true, false, v.Carry[:0]
}

// Receive takes what arrived at the node's end of c. It does not keep data.
func (s *Service) Receive(h Host, c int32, data []byte) {
	v := &s.Sessions[c]
	if !v.Open {
		return
	}
	v.Carry = append(v.Carry, data...)
	at := 0
	for v.Open {
		n, err := wire.ParseRequest(v.Carry[at:], &s.request)
		if err != nil {
			s.garbled(h, c, v.Carry[at:])
			break
		}
		if n == 0 {
			break
		}
		at += n
		s.take(h, c, &s.request)
	}
	v.Carry = v.Carry[:copy(v.Carry, v.Carry[min(at, len(v.Carry)):])]
}

// garbled ends a session that said what is no frame.
func (s *Service) garbled(h Host, c int32, data []byte) {
	s.tell(h, Event{Kind: EventGarbled, Node: s.Sessions[c].Node, Conn: c, Data: data})
	if h.Ask(AskMute) {
		s.HangUp(h, c)
		return
	}
	s.Fail(h, c, codeProtocol)
}

// take takes one request.
func (s *Service) take(h Host, c int32, r *wire.Request) {
	v := &s.Sessions[c]
	key, owner := h.Read(c, r)
	switch {
	case (r.Op == wire.OpHello) == v.Hello:
		s.Fail(h, c, codeProtocol)
	case r.Op == wire.OpHello:
		s.greet(h, c, r)
	case key < 0 && !s.o.AnyKey:
		s.Fail(h, c, "unknown_key")
	case h.Ask(AskLapse):
		s.Fail(h, c, wire.CodeAuthFailed)
	case !s.Nodes[v.Node].Leads:
		s.redirect(h, c)
	default:
		p := Proposal{Verb: r.Op, Key: key, Owner: owner, Token: r.Token, Wait: r.Wait, Lease: r.Lease}
		if !s.o.AnyKey || s.enter(h, c, r, &p) {
			s.Propose(h, c, &p)
		}
	}
}

func (s *Service) greet(h Host, c int32, r *wire.Request) {
	v := &s.Sessions[c]
	if string(r.Credential) != s.o.Credential || h.Ask(AskAuth) {
		s.tell(h, Event{Kind: EventRefused, Node: v.Node, Conn: c})
		s.Fail(h, c, wire.CodeAuthFailed)
		return
	}
	v.Hello = true
	s.tell(h, Event{Kind: EventGreeted, Node: v.Node, Conn: c})
}

// enter gives numbers to what an acquire names. A key that has none is held by nobody: its release is answered N, and where
// there are no more an acquire is answered B, at once.
func (s *Service) enter(h Host, c int32, r *wire.Request, p *Proposal) (entered bool) {
	v := &s.Sessions[c]
	if s.Leader != v.Node {
		s.Depose(h, v.Node) // nothing is said without the certainty that it leads (a-final)
		return false
	}
	if r.Op == wire.OpAcquire {
		p.Key, p.Owner, entered = h.Enter(r, p.Key)
		if entered {
			s.lock(p.Key)
			return true
		}
		s.tell(h, Event{Kind: EventDenied, Node: v.Node, Key: -1, Verb: wire.OpBusy})
		s.answer(h, v.Node, Address{c, v.Life}, wire.AppendBusy(s.frame[:0], r.Key, r.Owner))
		return false
	}
	if p.Key < 0 {
		s.tell(h, Event{Kind: EventMissing, Node: v.Node, Key: -1, Token: r.Token})
		s.answer(h, v.Node, Address{c, v.Life}, wire.AppendNotFound(s.frame[:0], r.Key, r.Token))
		return false
	}
	return true
}

const codeProtocol = "protocol"

// Fail sends E, after which an honest node hangs up.
func (s *Service) Fail(h Host, c int32, code string) {
	s.write(h, c, wire.AppendError(s.frame[:0], code, s.o.Text))
	s.HangUp(h, c)
}

// answer sends the reply of node n to a committed request, if its session still stands.
func (s *Service) answer(h Host, n int16, to Address, frame []byte) {
	s.frame = frame[:0]
	if !s.stands(to) || s.Sessions[to.Conn].Node != n {
		s.tell(h, Event{Kind: EventUnanswered, Node: n, Conn: to.Conn})
		return
	}
	h.Answer(to.Conn, frame)
}

// Answer sends the reply of node n to a request that the Host committed by itself.
func (s *Service) Answer(h Host, n int16, to Address, frame []byte) { s.answer(h, n, to, frame) }

// stands reports whether an answer can still get there.
func (s *Service) stands(to Address) bool {
	v := &s.Sessions[to.Conn]
	return v.Open && v.Life == to.Life
}

func (s *Service) write(h Host, c int32, frame []byte) {
	s.frame = frame[:0]
	if s.Sessions[c].Open {
		h.Write(c, frame)
	}
}

// HangUp closes the node's end of c.
func (s *Service) HangUp(h Host, c int32) {
	if s.Sessions[c].Open {
		h.Close(c)
		s.Over(h, c)
	}
}

// Over forgets the node's end of c; what waits for an answer on it may die with it.
func (s *Service) Over(h Host, c int32) {
	v := &s.Sessions[c]
	if !v.Open {
		return
	}
	v.Open = false
	// Where the node itself hangs up on a request, what it read is not carried over yet, and its lines are whole.
	if len(v.Carry) > 0 && bytes.IndexByte(v.Carry, '\n') < 0 {
		s.tell(h, Event{Kind: EventCut, Node: v.Node, Conn: c, Data: v.Carry})
	}
	v.Carry = v.Carry[:0]
	// The node that sees the end is the one that queued them; another leader cannot know.
	if s.o.QueueDies && v.Node == s.Leader {
		s.bury(h, c)
	}
	s.tell(h, Event{Kind: EventOver, Node: v.Node, Conn: c})
}

// bury forgets what session c has queued.
func (s *Service) bury(h Host, c int32) {
	life := s.Sessions[c].Life
	for i := s.Sessions[c].waits.first; i != 0; {
		after := s.waiters.slots[i].links[inSession].after
		if s.waiters.slots[i].Reply.Life == life {
			v := s.unqueue(i)
			s.tell(h, Event{Kind: EventDied, Key: v.Key, Owner: v.Owner, Conn: c})
		}
		i = after
	}
}
