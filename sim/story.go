package sim

import (
	"fmt"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/sim/clock"
)

// Story tells the fact in plain words, for somebody who knows the protocol and not this code: the instant, who, and
// what. It reports false for facts that only repeat others: bytes under way, timers, steps.
func (f *Fact) Story(w *World) (line string, ok bool) {
	var text string
	switch {
	case f.Kind <= FactComplete:
		text = f.tellCaller(w)
	case f.Kind <= FactStepped:
		text = f.tellClient(w)
	default:
		text = f.tellService(w)
	}
	return fmt.Sprintf("%s s: %s", stampText(f.At), text), text != ""
}

func (f *Fact) tellCaller(w *World) string {
	who, what := f.caller()
	switch f.Kind {
	case FactAcquire:
		text := fmt.Sprintf("%s asks for lock %s, to wait %d ms at most and hold it for %d ms", who, w.keyText(f.Key), f.Wait, f.Lease)
		if f.N > 0 {
			text += fmt.Sprintf(", with a deadline in %s s", stampText(clock.Time(f.N)))
		}
		return text
	case FactRelease:
		return fmt.Sprintf("%s gives lock %s back (token %d): %s", who, w.keyText(f.Key), f.Token, what)
	case FactCancel:
		return who + " gives up " + what
	case FactShut:
		return fmt.Sprintf("client %d is closed", f.Client)
	case FactShutAgain:
		return fmt.Sprintf("client %d is closed again", f.Client)
	case FactComplete:
		return fmt.Sprintf("%s is told of %s: %s", who, what, f.outcomeText())
	}
	return ""
}

func (f *Fact) outcomeText() string {
	switch f.Outcome {
	case demux.Granted:
		return fmt.Sprintf("granted, with token %d for %d ms", f.Token, f.Lease)
	case demux.TimedOut:
		return "timed out, nothing was granted"
	case demux.Busy:
		return "busy, nothing was granted"
	case demux.NotSent:
		return fmt.Sprintf("not sent (%v)", f.Cause)
	case demux.Indeterminate:
		return "indeterminate, nobody knows"
	case demux.Released:
		return "released"
	case demux.NotFound:
		if f.Flag {
			return "not found, by this release or before"
		}
		return "not found"
	case demux.Closed:
		return "closed, nothing is left"
	}
	return f.Outcome.String()
}

// caller says whose the operation is, and what it is.
func (f *Fact) caller() (who, what string) {
	if f.Op == opShut {
		return fmt.Sprintf("whoever closed client %d", f.Client), "that"
	}
	k, part := int(f.Op-1)/partsOfCaller, int(f.Op-1)%partsOfCaller
	return fmt.Sprintf("caller %d of client %d", k, f.Client), "its " + partNames[part]
}

func (f *Fact) tellClient(w *World) string {
	if f.Verb == wire.OpHello {
		return "" // it goes before the first request of every connection
	}
	who := fmt.Sprintf("client %d", f.Client)
	on := fmt.Sprintf("connection %d", f.Gen)
	switch f.Kind {
	case FactDial:
		return fmt.Sprintf("%s dials node %d: its %s", who, f.N, on)
	case FactOpened:
		return fmt.Sprintf("%s sees %s open", who, on)
	case FactHanded:
		return fmt.Sprintf("%s writes %q on %s", who, w.frameText(f), on)
	case FactRefused:
		return fmt.Sprintf("%s learns that no byte of %q went out", who, w.frameText(f))
	case FactAccepted:
		return fmt.Sprintf("%s learns that %q went out, in whole or in part", who, w.frameText(f))
	case FactWrote:
		if f.Flag {
			return fmt.Sprintf("the write on %s fails after %d bytes", on, f.N)
		}
	case FactReply:
		return fmt.Sprintf("%s reads %q on %s", who, w.replyText(f), on)
	case FactClose:
		return fmt.Sprintf("%s closes %s (%v)", who, on, f.Reason)
	case FactClosed:
		return fmt.Sprintf("%s sees %s gone", who, on)
	}
	return ""
}

func (f *Fact) tellService(w *World) string {
	if f.Verb == wire.OpHello {
		return ""
	}
	who := fmt.Sprintf("node %d", f.Node)
	switch f.Kind {
	case FactFrame:
		return fmt.Sprintf("%s reads %q", who, w.frameText(f))
	case FactGarbled:
		return fmt.Sprintf("%s reads what no client may send: %s", who, bytesText(f.Data))
	case FactAnswer:
		return fmt.Sprintf("%s says %s", who, bytesText(f.Data))
	case FactForged:
		return fmt.Sprintf("what follows from %s about lock %s and token %d is not the truth", who, w.keyText(f.Key), f.Token)
	case FactGrant:
		return fmt.Sprintf("%s grants lock %s to %s, with token %d for %d ms", who, w.keyText(f.Key), w.ownerText(f.Owner), f.Token, f.Lease)
	case FactFree:
		if f.Flag {
			return fmt.Sprintf("lock %s is free: token %d was released", w.keyText(f.Key), f.Token)
		}
		return fmt.Sprintf("lock %s is free: the lease of token %d is over", w.keyText(f.Key), f.Token)
	case FactDeny:
		return fmt.Sprintf("%s decides that %s never gets lock %s", who, w.ownerText(f.Owner), w.keyText(f.Key))
	case FactMissing:
		return fmt.Sprintf("%s finds no grant of lock %s with token %d", who, w.keyText(f.Key), f.Token)
	case FactLeader:
		if f.Node < 0 {
			return "no node leads"
		}
		return who + " leads"
	case FactCrash:
		return who + " crashes"
	case FactDeposed:
		return who + " learns that it does not lead"
	case FactHealed:
		return "from here on the network and the service work"
	case FactEnded:
		return ""
	}
	return f.serviceStory(w)
}
