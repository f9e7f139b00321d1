package sim

import (
	"ticketing/client/wire"
	"ticketing/network"
	"ticketing/sim/choice"
)

// Parts is a set of parts of a world. Two events of one instant that concern different parts lead to the same state in either
// order, and neither changes what the other does.
type Parts uint64

// The parts: the clients by number, with their callers and what audits know of them; then these; then those of the
// connections. Nodes and service are one.
const (
	partService Parts = 1 << (MaxClients + iota)
	partRoom          // which connections are free
	partOwners        // the order in which owners were used
	partFaults        // the budgets of the network's faults

	Everything Parts = 1<<64 - 1

	firstConn = MaxClients + 4
	connParts = 3
	// connsMax is for how many connections there is room in a set.
	connsMax = (64 - firstConn) / connParts
)

func clientPart(c int16) Parts { return 1 << c }

func connPart(c network.Conn, of network.Parts) Parts {
	return Parts(of) << (firstConn + connParts*int(c))
}

// Enabled appends the queue slots that the next event may be, in the order of the answers to "clock.next".
func (w *World) Enabled(dst []int) []int { return w.q.Enabled(dst) }

// Slots is how many queue slots there are.
func (w *World) Slots() int { return w.q.Len() }

// Concerns is what the event of an enabled slot concerns for sure. An event that moves the clock concerns everything: who
// reads it does not tell. The rest shows while it happens: in facts (Meets), questions (Asks) and connections (Changed).
func (w *World) Concerns(slot int) Parts {
	s := &w.slot
	if opens, _ := w.q.Window(slot); opens > w.q.Now() || w.nap.host >= 0 || len(w.service.Sessions) > connsMax {
		return Everything
	}
	switch {
	case slot >= s.net:
		c, of := w.net.Concerns(slot)
		if h := w.net.Whom(slot); h != network.NoHost && int(h) >= w.p.Nodes {
			return connPart(c, of) | clientPart(int16(int(h)-w.p.Nodes))
		}
		return connPart(c, of) | partService
	case slot < s.refused:
		return clientPart(int16(slot - s.client))
	case slot < s.caller:
		return clientPart(int16(slot - s.refused))
	case slot < s.node:
		return clientPart(int16((slot - s.caller) / w.p.Callers))
	case slot < s.service:
		return partService
	}
	return Everything
}

// Meets is what a fact of w concerns beside the parts of the slot during whose event it happens.
func (w *World) Meets(f *Fact) Parts {
	switch f.Kind {
	case FactAcquire, FactRelease, FactCancel, FactShut, FactShutAgain, FactComplete, FactHanded, FactOpened, FactRefused,
		FactWrote, FactReceived, FactReply, FactClosed, FactTick, FactStepped:
		return 0 // the client's own
	case FactAccepted:
		if f.Verb != wire.OpAcquire {
			return 0
		}
		return partOwners
	case FactDial:
		return partRoom
	case FactWrite:
		return w.connOf(f, network.PartFromDialer|network.PartWrite)
	case FactClose:
		return w.connOf(f, network.PartsAll)
	case FactFrame, FactFree, FactMissing:
		return partService
	case FactAnswer:
		return partService | connPart(network.Conn(f.Conn), network.PartFromAcceptor)
	case FactGrant, FactDeny:
		if f.Owner.Client == NoClient {
			return partService
		}
		return partService | clientPart(f.Owner.Client) // whose ledger notes it
	}
	return Everything
}

// connOf is of the connection that a client's fact is about; a dial that found no room has none.
func (w *World) connOf(f *Fact, of network.Parts) Parts {
	if l := w.linkOf(int(f.Client), f.Gen); l != nil {
		return connPart(l.conn, of)
	}
	return 0
}

// Asks is what a question concerns.
func Asks(s choice.Stream) Parts {
	switch s {
	case choice.Schedule, choice.Callers:
		return 0
	case choice.Network:
		return partFaults
	}
	return Everything
}

// Changed is of connections that began or ended since before, of which w was a clone.
func (w *World) Changed(before *World) (p Parts) {
	for i := range w.service.Sessions {
		c := network.Conn(i)
		if w.net.Free(c) != before.net.Free(c) {
			p |= partRoom | connPart(c, network.PartsAll)
		}
		if w.service.Sessions[i].Open != before.service.Sessions[i].Open {
			p |= connPart(c, network.PartsAll)
		}
	}
	return p
}
