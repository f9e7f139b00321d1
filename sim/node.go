package sim

import (
	"ticketing/client/wire"
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/service"
)

func (w *World) accepted(c network.Conn) {
	w.service.Open(int32(c))
	w.silent[c] = false
	switch {
	case w.chance(labelSlam, w.p.Service.SlamOdds):
		w.count(CountSlam)
		w.hangUp(c)
	case w.chance(labelSilent, w.p.Service.SilentOdds):
		w.count(CountSilent)
		w.silent[c] = true
	}
}

// readRequests takes what arrived at the node's end of c.
func (w *World) readRequests(c network.Conn, data []byte) {
	if !w.silent[c] {
		w.service.Receive(w.host(), int32(c), data)
	}
}

// beginRequest begins the fact that a node took a request.
func (w *World) beginRequest(c network.Conn, r *wire.Request) *Fact {
	f := w.begin(FactFrame)
	f.Node, f.Conn, f.Verb, f.Key, f.Token = w.service.Sessions[c].Node, int16(c), r.Op, -1, r.Token
	f.Wait, f.Lease = r.Wait, r.Lease
	if r.Op != wire.OpHello {
		f.Key = w.keyOf(r.Key)
	}
	if r.Op == wire.OpAcquire {
		f.Owner = w.ownerOf(r.Owner)
	}
	return f
}

// toldOfNode is host.Tell for what nodes and their sessions do.
func (w *World) toldOfNode(e *service.Event) {
	c := network.Conn(e.Conn)
	switch e.Kind {
	case service.EventGreeted:
		if !w.healed && w.chance(labelGreet, w.p.Service.Hostile.GreetOdds) {
			w.strayOn(c)
		}
	case service.EventRefused:
		w.count(CountAuthFailed)
	case service.EventGarbled:
		w.emit(Fact{Kind: FactGarbled, Node: e.Node, Conn: int16(c), Data: e.Data})
	case service.EventProposed:
		if len(w.service.Nodes[e.Node].Proposals) == 1 {
			w.armNode(e.Node)
		}
	case service.EventDeposed:
		w.count(CountDeposed)
		w.emit(Fact{Kind: FactDeposed, Node: e.Node})
		w.armNode(e.Node)
	case service.EventCut:
		w.executeCut(c, e.Data)
	case service.EventOver:
		if w.p.Service.QueueDies && e.Node == w.service.Leader {
			w.armService()
		}
	}
}

func (w *World) armNode(n int16) {
	if len(w.service.Nodes[n].Proposals) == 0 {
		w.q.Clear(w.slot.node + int(n))
		return
	}
	now := w.q.Now()
	w.q.Set(w.slot.node+int(n), now+w.p.Service.Work.Min, now+w.p.Service.Work.Max)
}

// work commits the request that node n took up first, or tells the node that it does not lead.
func (w *World) work(n int16) {
	switch {
	case w.service.Leader == n:
		w.commit(n)
	case !w.grantTwice(n):
		w.service.Work(w.host(), w.q.Now(), n) // which is to depose it
	}
	w.armNode(n)
}

// depose makes node n learn that it does not lead: what it holds was never committed.
func (w *World) depose(n int16) { w.service.Depose(w.host(), n) }

// Answer implements service.Host: it sends the reply to a committed request.
func (h *host) Answer(c int32, frame []byte) {
	w, conn := (*World)(h), network.Conn(c)
	switch {
	case w.chance(labelMute, w.p.Service.MuteOdds):
		w.count(CountMute)
		w.hangUp(conn)
	case w.healed || !w.chance(labelHostile, w.p.Service.Hostile.Odds):
		h.Write(c, frame)
	default:
		w.spendLie()
		w.hostile(conn, frame)
	}
}

// Write implements service.Host.
func (h *host) Write(c int32, frame []byte) {
	w := (*World)(h)
	f := w.begin(FactAnswer)
	f.Node, f.Conn, f.Data = w.service.Sessions[c].Node, int16(c), frame
	w.tell()
	w.net.Write(&w.q, w.src, network.Conn(c), network.Acceptor, frame)
}

// Close implements service.Host.
func (h *host) Close(c int32) {
	w := (*World)(h)
	w.net.Close(&w.q, w.src, network.Conn(c), network.Acceptor)
}

// write sends bytes of the scratch buffer on the node's end of c.
func (w *World) write(c network.Conn, frame []byte) {
	if w.service.Sessions[c].Open {
		w.scratch = frame[:0]
		w.host().Write(int32(c), frame)
	}
}

// hangUp closes the node's end of c.
func (w *World) hangUp(c network.Conn) { w.service.HangUp(w.host(), int32(c)) }

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
