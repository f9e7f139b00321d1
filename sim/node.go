package sim

import (
	"ticketing/client/wire"
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// node is one server process: what it believes, and the requests that it holds.
//
//   - down: crashed; nobody listens.
//   - follower: !leads. It sends clients away.
//   - leader: leads, and service.leader is it.
//   - deposed: leads, and service.leader is another, or nobody. It does not know: it takes requests in,
//     and can commit none.
type node struct {
	up        bool
	leads     bool
	knows     int16 // whom it takes for the leader, -1 for nobody
	clock     clock.Local
	proposals []proposal
}

// proposal is a request that a node holds until it can commit it.
type proposal struct {
	verb   wire.Op
	refuse bool // the node was full: answer B once it is confirmed that it leads (a-final)
	key    int16
	owner  Owner
	token  uint64
	wait   uint32
	lease  uint32
	reply  address
}

// session is the node's end of a connection.
type session struct {
	life  uint32 // how many connections this slot has had
	node  int16
	open  bool
	hello bool
	// silent is set where the node reads nothing, and says nothing.
	silent bool
	carry  []byte // a request that is not complete yet
}

func (w *World) accepted(c network.Conn) {
	s := &w.sessions[c]
	s.open, s.hello, s.silent, s.carry = true, false, false, s.carry[:0]
	switch {
	case w.chance(labelSlam, w.p.Service.SlamOdds):
		w.count(CountSlam)
		w.hangUp(c)
	case w.chance(labelSilent, w.p.Service.SilentOdds):
		w.count(CountSilent)
		s.silent = true
	}
}

// readRequests takes what arrived at the node's end of c.
func (w *World) readRequests(c network.Conn, data []byte) {
	s := &w.sessions[c]
	if !s.open || s.silent {
		return
	}
	s.carry = append(s.carry, data...)
	at := 0
	for s.open {
		var r wire.Request
		n, err := wire.ParseRequest(s.carry[at:], &r)
		if err != nil {
			w.emit(Fact{Kind: FactGarbled, Node: s.node, Conn: int16(c), Data: s.carry[at:]})
			w.hangUp(c)
			break
		}
		if n == 0 {
			break
		}
		at += n
		w.request(c, &r)
	}
	s.carry = s.carry[:copy(s.carry, s.carry[min(at, len(s.carry)):])]
}

// request takes one request.
func (w *World) request(c network.Conn, r *wire.Request) {
	s := &w.sessions[c]
	f := w.requestFact(c, r)
	w.emit(f)
	switch {
	case (r.Op == wire.OpHello) == s.hello:
		w.answerError(c, "protocol")
	case r.Op == wire.OpHello:
		w.hello(c, r)
	case f.Key < 0:
		w.answerError(c, "unknown_key")
	case w.chance(labelLapse, w.p.Service.LapseOdds):
		w.count(CountLapse)
		w.answerError(c, "auth_failed")
	case !w.nodes[s.node].leads:
		w.redirect(c)
	default:
		w.propose(c, &f)
	}
}

func (w *World) requestFact(c network.Conn, r *wire.Request) Fact {
	f := Fact{Kind: FactFrame, Node: w.sessions[c].node, Conn: int16(c), Verb: r.Op, Key: -1, Token: r.Token, Wait: r.Wait, Lease: r.Lease}
	if r.Op != wire.OpHello {
		f.Key = w.keyOf(r.Key)
	}
	if r.Op == wire.OpAcquire {
		f.Owner = w.ownerOf(r.Owner)
	}
	return f
}

func (w *World) hello(c network.Conn, r *wire.Request) {
	s := &w.sessions[c]
	if string(r.Credential) != w.p.Core.Credential || w.chance(labelAuth, w.p.Service.AuthOdds) {
		w.count(CountAuthFailed)
		w.answerError(c, "auth_failed")
		return
	}
	s.hello = true
	if !w.healed && w.chance(labelGreet, w.p.Service.Hostile.GreetOdds) {
		w.strayOn(c)
	}
}

// propose holds a request until the node can commit it.
func (w *World) propose(c network.Conn, f *Fact) {
	s := &w.sessions[c]
	n := &w.nodes[s.node]
	// Twice the bound is where even refusing costs too much. That is a fault: a client whose releases alone are more than
	// that would never get anywhere, so it ends with the healing.
	if !w.healed && len(n.proposals) >= 2*w.p.Service.ProposalsMax {
		w.answerError(c, "overloaded")
		return
	}
	n.proposals = append(n.proposals, proposal{
		verb: f.Verb, key: f.Key, owner: f.Owner, token: f.Token, wait: f.Wait, lease: f.Lease,
		refuse: f.Verb == wire.OpAcquire && len(n.proposals) >= w.p.Service.ProposalsMax,
		reply:  address{int16(c), s.life},
	})
	if len(n.proposals) == 1 {
		w.armNode(s.node)
	}
}

func (w *World) armNode(n int16) {
	if len(w.nodes[n].proposals) == 0 {
		w.q.Clear(w.slot.node + int(n))
		return
	}
	now := w.q.Now()
	w.q.Set(w.slot.node+int(n), now+w.p.Service.Work.Min, now+w.p.Service.Work.Max)
}

// work commits the request that node n took up first, or tells the node that it does not lead.
func (w *World) work(n int16) {
	d := &w.nodes[n]
	if w.service.leader != n {
		if !w.grantTwice(n) {
			w.depose(n)
		}
		return
	}
	p := d.proposals[0]
	d.proposals = append(d.proposals[:0], d.proposals[1:]...)
	w.commit(n, &p)
	w.armNode(n)
}

// depose makes node n learn that it does not lead: what it holds was never committed.
func (w *World) depose(n int16) {
	d := &w.nodes[n]
	w.count(CountDeposed)
	w.emit(Fact{Kind: FactDeposed, Node: n})
	d.leads, d.knows, d.proposals = false, w.service.leader, d.proposals[:0]
	w.armNode(n)
	// Clients that wait for an answer are sent away, or left to find out.
	for c := range w.sessions {
		if s := &w.sessions[c]; s.open && s.node == n && w.choose(labelEvict, 2) == 0 {
			w.redirect(network.Conn(c))
		}
	}
}

// redirect sends a client away from a node that does not lead.
func (w *World) redirect(c network.Conn) {
	n := &w.nodes[w.sessions[c].node]
	switch {
	case w.chance(labelIdle, w.p.Service.IdleOdds):
		w.answerError(c, "not_active")
		return
	case n.knows < 0 || n.knows == w.sessions[c].node:
		w.answerError(c, "no_leader")
		return
	case w.chance(labelNotice, w.p.Service.NoticeOdds):
		w.write(c, wire.AppendNotice(w.scratch[:0], w.p.Core.Addrs[n.knows]))
	}
	w.write(c, wire.AppendMoved(w.scratch[:0], w.p.Core.Addrs[n.knows]))
	w.hangUp(c)
}

// answerError sends E, after which an honest node hangs up.
func (w *World) answerError(c network.Conn, code string) {
	w.write(c, wire.AppendError(w.scratch[:0], code, "said by the simulated service"))
	w.hangUp(c)
}

// answer sends the reply to a committed request, if its connection still stands.
func (w *World) answer(n int16, to address, frame []byte) {
	w.scratch = frame[:0]
	s := &w.sessions[to.conn]
	switch {
	case !s.open || s.life != to.life || s.node != n:
		w.count(CountUnanswered)
	case w.chance(labelMute, w.p.Service.MuteOdds):
		w.count(CountMute)
		w.hangUp(network.Conn(to.conn))
	case w.healed || !w.chance(labelHostile, w.p.Service.Hostile.Odds):
		w.write(network.Conn(to.conn), frame)
	default:
		w.spendLie()
		w.hostile(network.Conn(to.conn), frame)
	}
}

// write sends bytes on the node's end of c.
func (w *World) write(c network.Conn, frame []byte) {
	s := &w.sessions[c]
	if !s.open {
		return
	}
	w.scratch = frame[:0]
	w.emit(Fact{Kind: FactAnswer, Node: s.node, Conn: int16(c), Data: frame})
	w.net.Write(&w.q, w.src, c, network.Acceptor, frame)
}

// hangUp closes the node's end of c.
func (w *World) hangUp(c network.Conn) {
	if s := &w.sessions[c]; s.open {
		w.net.Close(&w.q, w.src, c, network.Acceptor)
		w.sessionOver(c)
	}
}

// sessionOver forgets the node's end of c; what waits for an answer on it may die with it.
func (w *World) sessionOver(c network.Conn) {
	s := &w.sessions[c]
	if !s.open {
		return
	}
	s.open = false
	w.executeCut(c)
	s.carry = s.carry[:0]
	if !w.p.Service.QueueDies {
		return
	}
	// The node that sees the end is the one that queued them; another leader cannot know.
	if s.node != w.service.leader {
		return
	}
	kept := w.service.waiters[:0]
	for _, v := range w.service.waiters {
		if v.reply == (address{int16(c), s.life}) {
			w.count(CountQueueDied)
			continue
		}
		kept = append(kept, v)
	}
	w.service.waiters = kept
	w.armService()
}

var (
	labelAuth    = choice.Label{Stream: choice.Service, Name: "service.auth"}
	labelLapse   = choice.Label{Stream: choice.Service, Name: "service.lapse"}
	labelSlam    = choice.Label{Stream: choice.Service, Name: "service.slam"}
	labelSilent  = choice.Label{Stream: choice.Service, Name: "service.silent"}
	labelEvict   = choice.Label{Stream: choice.Service, Name: "service.evict"}
	labelIdle    = choice.Label{Stream: choice.Service, Name: "service.not-active"}
	labelNotice  = choice.Label{Stream: choice.Service, Name: "service.notice"}
	labelMute    = choice.Label{Stream: choice.Service, Name: "service.mute"}
	labelHostile = choice.Label{Stream: choice.Service, Name: "service.hostile"}
)
