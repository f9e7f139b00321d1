package cluster

import (
	"ticketing/client/wire"
	"ticketing/sim/clock"
	"ticketing/sim/service"
)

// host is the Cluster as its service sees it: no bad luck, and no promise broken but the fault of the options. Its methods
// run under the mutex.
type host Cluster

func (c *Cluster) host() *host { return (*host)(c) }

// Read implements service.Host. An owner gets a number as it is entered, for most requests are answered without.
func (h *host) Read(_ int32, r *wire.Request) (key int32, owner service.Owner) {
	if r.Op == wire.OpHello {
		return -1, service.Owner{}
	}
	return h.keys.find(r.Key), service.Owner{}
}

// Enter implements service.Host.
func (h *host) Enter(r *wire.Request, known int32) (key int32, owner service.Owner, ok bool) {
	if known < 0 {
		if h.keys.used >= h.o.LocksMax {
			return 0, service.Owner{}, false
		}
		known = h.keys.add(r.Key)
	}
	return known, service.Owner{N: uint64(h.owners.take(r.Owner))}, true
}

// AppendKey implements service.Host.
func (h *host) AppendKey(dst []byte, key int32) []byte {
	return append(dst, h.keys.words[key].bytes...)
}

// AppendOwner implements service.Host.
func (h *host) AppendOwner(dst []byte, o service.Owner) []byte {
	return append(dst, h.owners.words[o.N].bytes...)
}

// Ask implements service.Host.
func (h *host) Ask(q service.Question) bool {
	switch q {
	case service.AskDouble:
		return h.o.Fault == FaultDoubleGrant && h.strikes(h.s.Token+1)
	case service.AskOverload:
		return true
	}
	return false
}

// strikes says whether the fault does, at a token.
func (h *host) strikes(token uint64) bool {
	if token%h.o.FaultEvery != 0 {
		return false
	}
	h.counts.Faults++
	return true
}

// Gap implements service.Host.
func (h *host) Gap() uint64 { return 0 }

// Term implements service.Host.
func (h *host) Term(token uint64, lease clock.Time) clock.Time {
	if h.o.Fault == FaultEarlyExpiry && h.strikes(token) {
		return lease / 10
	}
	return lease
}

// Tell implements service.Host.
func (h *host) Tell(e *service.Event) {
	switch e.Kind {
	case service.EventProposed:
		h.s.Work(h, h.now, e.Node) // a commit is a mutex, and that is held
	case service.EventGranted:
		h.counts.Granted++
		h.owners.free(int32(e.Owner.N))
	case service.EventDenied:
		if e.Verb == wire.OpBusy {
			h.counts.Busy++
		} else {
			h.counts.TimedOut++
		}
		if e.Key >= 0 {
			h.owners.free(int32(e.Owner.N))
		}
	case service.EventFreed:
		if e.Flag {
			h.counts.Released++
		}
	case service.EventMissing:
		h.counts.NotFound++
	case service.EventDied, service.EventLost:
		h.owners.free(int32(e.Owner.N))
	case service.EventIdle:
		h.keys.remove(e.Key)
	case service.EventOver:
		k := h.conns[e.Conn]
		k.over, k.leaving = true, true
		(*Cluster)(h).touch(k)
	}
}

// Answer implements service.Host.
func (h *host) Answer(c int32, frame []byte) { h.Write(c, frame) }

// Write implements service.Host.
func (h *host) Write(c int32, frame []byte) {
	k := h.conns[c]
	k.out = append(k.out, frame...)
	if len(k.out) > outMax {
		h.s.HangUp(h, c)
	}
	(*Cluster)(h).touch(k)
}

// Close implements service.Host: EventOver follows, and with it the last write.
func (h *host) Close(int32) {}
