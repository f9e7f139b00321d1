package sim

import (
	"ticketing/client/wire"
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
	"ticketing/sim/service"
)

// Owner names one acquire attempt: the client process that made it, and its number there. Client is NoClient
// for bytes that no client of this world can have made.
type Owner = service.Owner

// host is the world as the service sees it: it answers what the service leaves open, by odds and choices, and may break
// its word for it.
type host World

func (w *World) host() *host { return (*host)(w) }

// Read implements service.Host.
func (h *host) Read(c int32, r *wire.Request) (key int32, owner Owner) {
	w := (*World)(h)
	f := w.beginRequest(network.Conn(c), r)
	w.tell()
	return int32(f.Key), f.Owner
}

// Enter implements service.Host. The keys of a world are known before it starts.
func (h *host) Enter(*wire.Request, int32) (key int32, owner Owner, ok bool) {
	panic("sim: a service with keys that it does not know")
}

// AppendKey implements service.Host.
func (h *host) AppendKey(dst []byte, key int32) []byte { return append(dst, h.p.Keys[key]...) }

// AppendOwner implements service.Host.
func (h *host) AppendOwner(dst []byte, o Owner) []byte { return (*World)(h).appendOwner(dst, o) }

// Ask implements service.Host.
func (h *host) Ask(q service.Question) bool {
	w, p := (*World)(h), &h.p.Service
	switch q {
	case service.AskAuth:
		return w.chance(labelAuth, p.AuthOdds)
	case service.AskLapse:
		lapsed := w.chance(labelLapse, p.LapseOdds)
		if lapsed {
			w.count(CountLapse)
		}
		return lapsed
	case service.AskIdle:
		return w.chance(labelIdle, p.IdleOdds)
	case service.AskNotice:
		return w.chance(labelNotice, p.NoticeOdds)
	case service.AskStay:
		return w.choose(labelEvict, 2) != 0
	case service.AskMute:
		return true
	case service.AskOverload:
		// That is a fault: a client whose releases alone are more than a node holds would never get anywhere, so it ends with
		// the healing.
		return !w.healed
	case service.AskMissing:
		return w.breaks(BrokenMissing)
	}
	return false
}

// Gap implements service.Host.
func (h *host) Gap() uint64 {
	return uint64((*World)(h).choose(labelTokenGap, 1+h.p.Chaos.TokenGapMax))
}

// Term implements service.Host.
func (h *host) Term(_ uint64, lease clock.Time) clock.Time {
	if (*World)(h).breaks(BrokenEndless) {
		return clock.Never
	}
	return lease
}

// Tell implements service.Host.
func (h *host) Tell(e *service.Event) {
	w := (*World)(h)
	switch e.Kind {
	case service.EventQueued:
		w.count(CountQueued)
		w.movedOn(e.Owner, e.Asked, phaseQueued)
	case service.EventGranted:
		if e.Flag {
			w.count(CountTurn)
		}
		w.movedOn(e.Owner, e.Asked, phaseGranted)
		f := w.begin(FactGrant)
		f.Node, f.Key, f.Owner, f.Token, f.Lease = e.Node, int16(e.Key), e.Owner, e.Token, e.Lease
		w.tell()
	case service.EventDenied:
		w.emit(Fact{Kind: FactDeny, Node: e.Node, Key: int16(e.Key), Owner: e.Owner, Verb: e.Verb})
	case service.EventFreed:
		f := w.begin(FactFree)
		f.Node, f.Key, f.Token, f.Flag = e.Node, int16(e.Key), e.Token, e.Flag
		w.tell()
	case service.EventMissing:
		w.emit(Fact{Kind: FactMissing, Node: e.Node, Key: int16(e.Key), Token: e.Token})
	case service.EventUnanswered:
		w.count(CountUnanswered)
	case service.EventDied:
		w.count(CountQueueDied)
	default:
		w.toldOfNode(e)
	}
}

// commit executes the request that the leader n took up first.
func (w *World) commit(n int16) {
	w.count(CountCommit)
	if p, denied := w.service.Work(w.host(), w.q.Now(), n); denied {
		w.keep(n, p.Key, p.Owner, p.Lease, p.Reply)
	}
	w.armService()
}

// armService arms the leader's timer for the first lease or wait that ends.
func (w *World) armService() {
	at := w.service.Deadline()
	if at == clock.Never {
		w.q.Clear(w.slot.service)
		return
	}
	w.q.Set(w.slot.service, at, at+w.p.Service.TimerLag)
}

// serviceTimer ends one lease or one wait that is due. Which of several is chosen: all orders of one instant happen.
func (w *World) serviceTimer() {
	s := &w.service
	now := w.q.Now()
	if due := s.Due(now); due > 0 {
		ended := s.Expire(w.host(), now, w.choose(labelDue, due))
		if v := &ended.Waiter; ended.Lease {
			w.count(CountLeaseEnd)
		} else {
			w.count(CountWaitEnd)
			w.keep(s.Leader, v.Key, v.Owner, v.Lease, v.Reply)
		}
	}
	w.armService()
}

// lead makes n the leader that commits.
func (w *World) lead(n int16) {
	w.count(CountLeaderChange)
	w.emit(Fact{Kind: FactLeader, Node: n})
	w.restore()
	w.forget(n)
	w.service.Lead(w.host(), w.q.Now(), n)
	w.sayUnconfirmed(n)
	w.armService()
}

var (
	labelTokenGap = choice.Label{Stream: choice.Service, Name: "service.token-gap"}
	labelDue      = choice.Label{Stream: choice.Service, Name: "service.due"}
)
