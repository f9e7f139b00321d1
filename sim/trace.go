package sim

import (
	"fmt"
	"strings"
	"time"

	"ticketing/client/wire"
	"ticketing/sim/clock"
)

// Text is the fact as a line of the readable log: event, instant, who, what. w is the world that told it.
func (f *Fact) Text(w *World) string {
	return fmt.Sprintf("%5d %12s  %s", f.Event, stampText(f.At), f.story(w))
}

// stampText is an instant in seconds, to the microsecond: fixed digits make columns that can be compared.
func stampText(t clock.Time) string {
	return fmt.Sprintf("%d.%06d", t/clock.Second, t%clock.Second/clock.Microsecond)
}

func (f *Fact) story(w *World) string {
	switch {
	case f.Kind <= FactComplete:
		return f.callerStory(w)
	case f.Kind <= FactStepped:
		return f.clientStory(w)
	}
	return f.serviceStory(w)
}

func (f *Fact) callerStory(w *World) string {
	who := w.opText(f)
	switch f.Kind {
	case FactAcquire:
		return fmt.Sprintf("%s acquires %s wait=%dms lease=%dms", who, w.keyText(f.Key), f.Wait, f.Lease)
	case FactRelease:
		return fmt.Sprintf("%s releases %s token=%d", who, w.keyText(f.Key), f.Token)
	case FactCancel:
		return who + " gives up"
	case FactShut:
		return who + " is closed"
	case FactShutAgain:
		return who + " is closed again"
	}
	text := fmt.Sprintf("%s is told %v", who, f.Outcome)
	if f.Cause != 0 {
		text += fmt.Sprintf(" (%v)", f.Cause)
	}
	if f.Token != 0 {
		text += fmt.Sprintf(" token=%d lease=%dms", f.Token, f.Lease)
	}
	if f.Flag {
		text += " resent"
	}
	return text
}

func (w *World) opText(f *Fact) string {
	if f.Op == opShut {
		return fmt.Sprintf("client %d", f.Client)
	}
	k, part := int(f.Op-1)/partsOfCaller, int(f.Op-1)%partsOfCaller
	return fmt.Sprintf("client %d caller %d %s", f.Client, k, partNames[part])
}

func (f *Fact) clientStory(w *World) string {
	who := fmt.Sprintf("client %d conn %d", f.Client, f.Gen)
	switch f.Kind {
	case FactDial:
		return fmt.Sprintf("%s dials node %d", who, f.N)
	case FactHanded:
		return fmt.Sprintf("%s hands over %s", who, w.frameText(f))
	case FactWrite:
		return fmt.Sprintf("%s writes %d bytes", who, len(f.Data))
	case FactClose:
		return fmt.Sprintf("%s closes (%v)", who, f.Reason)
	case FactOpened:
		return who + " is open"
	case FactAccepted:
		return fmt.Sprintf("%s sent %s", who, w.frameText(f))
	case FactRefused:
		return fmt.Sprintf("%s sent no byte of %s", who, w.frameText(f))
	case FactWrote:
		if f.Flag {
			return fmt.Sprintf("%s wrote %d bytes and failed", who, f.N)
		}
		return fmt.Sprintf("%s wrote %d bytes", who, f.N)
	case FactReceived:
		return fmt.Sprintf("%s receives %s", who, bytesText(f.Data))
	case FactReply:
		return fmt.Sprintf("%s reads %s", who, w.replyText(f))
	case FactClosed:
		return who + " is gone"
	case FactTick:
		return fmt.Sprintf("client %d timer", f.Client)
	}
	return fmt.Sprintf("client %d has stepped", f.Client)
}

func (f *Fact) serviceStory(w *World) string {
	who := fmt.Sprintf("node %d", f.Node)
	switch f.Kind {
	case FactFrame:
		if f.Flag {
			return fmt.Sprintf("%s link %d takes a line without an end for %s", who, f.Conn, w.frameText(f))
		}
		return fmt.Sprintf("%s link %d reads %s", who, f.Conn, w.frameText(f))
	case FactGarbled:
		return fmt.Sprintf("%s link %d reads garbage %s", who, f.Conn, bytesText(f.Data))
	case FactAnswer:
		return fmt.Sprintf("%s link %d says %s", who, f.Conn, bytesText(f.Data))
	case FactForged:
		return fmt.Sprintf("%s lies about %s %s token=%d", who, w.keyText(f.Key), w.ownerText(f.Owner), f.Token)
	case FactGrant:
		return fmt.Sprintf("%s grants %s to %s token=%d lease=%dms", who, w.keyText(f.Key), w.ownerText(f.Owner), f.Token, f.Lease)
	case FactFree:
		if f.Flag {
			return fmt.Sprintf("%s frees %s token=%d: released", who, w.keyText(f.Key), f.Token)
		}
		return fmt.Sprintf("%s frees %s token=%d: its lease is over", who, w.keyText(f.Key), f.Token)
	case FactDeny:
		return fmt.Sprintf("%s denies %s to %s: %v", who, w.keyText(f.Key), w.ownerText(f.Owner), f.Verb)
	case FactMissing:
		return fmt.Sprintf("%s finds no %s token=%d", who, w.keyText(f.Key), f.Token)
	case FactLeader:
		if f.Node < 0 {
			return "nobody leads"
		}
		return who + " leads"
	case FactCrash:
		return who + " crashes"
	case FactDeposed:
		return who + " learns that it does not lead"
	case FactJump, FactSleep, FactWake, FactRestart:
		return f.processStory()
	case FactHealed:
		return "the faults stop"
	}
	return "nothing can happen any more"
}

func (f *Fact) processStory() string {
	who := fmt.Sprintf("node %d", f.Node)
	if f.Client != NoClient {
		who = fmt.Sprintf("client %d", f.Client)
	}
	switch f.Kind {
	case FactJump:
		return fmt.Sprintf("%s: its clock jumps by %v", who, time.Duration(f.N))
	case FactSleep:
		return fmt.Sprintf("%s sleeps for %v", who, time.Duration(f.N))
	case FactWake:
		return who + " wakes"
	}
	return who + " restarts"
}

func (w *World) keyText(key int16) string {
	if key < 0 || int(key) >= len(w.p.Keys) {
		return "an unknown key"
	}
	return w.p.Keys[key]
}

func (w *World) ownerText(o Owner) string { return string(w.appendOwner(nil, o)) }

// frameText shows a request; H never with its credential (redact).
func (w *World) frameText(f *Fact) string {
	switch f.Verb {
	case wire.OpHello:
		return "H 1 <redacted>"
	case wire.OpAcquire:
		return fmt.Sprintf("A %s %s %d %d", w.keyText(f.Key), w.ownerText(f.Owner), f.Wait, f.Lease)
	case wire.OpRelease:
		return fmt.Sprintf("R %s %d", w.keyText(f.Key), f.Token)
	}
	return "a broken frame"
}

func (w *World) replyText(f *Fact) string {
	switch f.Verb {
	case wire.OpGranted:
		return fmt.Sprintf("A %s %s %d %d", w.keyText(f.Key), w.ownerText(f.Owner), f.Token, f.Lease)
	case wire.OpTimedOut:
		return fmt.Sprintf("T %s %s", w.keyText(f.Key), w.ownerText(f.Owner))
	case wire.OpBusy:
		return fmt.Sprintf("B %s %s", w.keyText(f.Key), w.ownerText(f.Owner))
	case wire.OpReleased:
		return fmt.Sprintf("R %s %d", w.keyText(f.Key), f.Token)
	case wire.OpNotFound:
		return fmt.Sprintf("N %s %d", w.keyText(f.Key), f.Token)
	case wire.OpMoved:
		return "M " + string(f.Data)
	case wire.OpNotice:
		return "L " + string(f.Data)
	case wire.OpError:
		return "E " + string(f.Data)
	}
	return "a broken frame"
}

// bytesText shows what a peer said, shortened. What clients say goes through frameText: it may hold the credential.
func bytesText(data []byte) string {
	const most = 100
	text := strings.ReplaceAll(fmt.Sprintf("%q", data[:min(len(data), most)]), Credential, "<redacted>")
	if len(data) > most {
		text += fmt.Sprintf("… (%d bytes)", len(data))
	}
	return text
}

// Unrest says what has not come to rest: for a world that should have ended.
func (w *World) Unrest() []string {
	lines := []string{fmt.Sprintf("the faults stopped at %s and at %s there are still events", stampText(w.p.HealAt), stampText(w.q.Now()))}
	for i := range w.callers {
		a := &w.callers[i]
		if a.open != 0 && len(lines) < 3 {
			lines = append(lines, fmt.Sprintf("client %d caller %d waits for an operation on %s", i/w.p.Callers, i%w.p.Callers, w.keyText(a.key)))
		}
	}
	for i := range w.clients {
		if cl := &w.clients[i]; cl.shut && !cl.over && len(lines) < 3 {
			lines = append(lines, fmt.Sprintf("client %d was closed and has not ended", i))
		}
	}
	return lines
}
