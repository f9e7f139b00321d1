package audit

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// A run is told as parts: each is an instant, in milliseconds, and what happens in one step of client 0 at that instant.
type part struct {
	at    int
	facts []sim.Fact
}

func step1(at int, facts ...sim.Fact) part { return part{at, append(facts, stepped())} }

// tellParts tells them. An acquire is handed over with what is left of its wait, and a frame is read as it is handed over.
func tellParts(parts ...part) []sim.Fact {
	facts := []sim.Fact{leads(0)}
	asked := map[demux.OpID]int{}
	for _, p := range parts {
		for _, f := range p.facts {
			f.At = clock.Time(p.at) * clock.Millisecond
			f.Local = f.At
			switch {
			case f.Kind == sim.FactAcquire:
				asked[f.Op] = p.at
			case f.Kind == sim.FactHanded && f.Verb == wire.OpAcquire:
				f.Wait -= uint32(p.at - asked[sim.AcquireOp(f.Lease)])
			}
			facts = append(facts, f)
			if f.Kind == sim.FactHanded {
				f.Kind = sim.FactFrame
				facts = append(facts, f)
			}
		}
	}
	return facts
}

func asks(caller int) sim.Fact {
	return sim.Fact{Kind: sim.FactAcquire, Op: sim.AcquireOp(uint32(caller)), Wait: 1000, Lease: 1008 + uint32(caller)}
}

func opOf(caller int) demux.OpID { return sim.AcquireOp(uint32(caller)) }

func dials(gen demux.Generation, addr int) sim.Fact {
	return sim.Fact{Kind: sim.FactDial, Gen: gen, N: addr}
}

// frameOf is the frame of an acquire; its caller's owner has the caller's number plus one.
func frameOf(kind sim.FactKind, gen demux.Generation, caller int) sim.Fact {
	return sim.Fact{Kind: kind, Gen: gen, Verb: wire.OpAcquire, Owner: sim.Owner{N: uint64(caller + 1)}, Wait: 1000, Lease: 1008 + uint32(caller)}
}

func frameROf(kind sim.FactKind, gen demux.Generation, token uint64) sim.Fact {
	return sim.Fact{Kind: kind, Gen: gen, Verb: wire.OpRelease, Token: token}
}

func writes(gen demux.Generation, frames ...sim.Fact) []sim.Fact {
	for i := range frames {
		frames[i].Kind = sim.FactHanded
	}
	return append(frames, sim.Fact{Kind: sim.FactWrite, Gen: gen, Data: make([]byte, 10*len(frames))})
}

func wrote(gen demux.Generation, frames ...sim.Fact) []sim.Fact {
	for i := range frames {
		frames[i].Kind = sim.FactAccepted
	}
	return append(frames, sim.Fact{Kind: sim.FactWrote, Gen: gen, N: 10 * len(frames)})
}

func refused(gen demux.Generation, frames ...sim.Fact) []sim.Fact {
	for i := range frames {
		frames[i].Kind = sim.FactRefused
	}
	return append(frames, sim.Fact{Kind: sim.FactWrote, Gen: gen, Flag: true})
}

func join(parts ...[]sim.Fact) []sim.Fact { return slices.Concat(parts...) }

func one(f ...sim.Fact) []sim.Fact { return f }

func closes(gen demux.Generation, why demux.Reason) sim.Fact {
	return sim.Fact{Kind: sim.FactClose, Gen: gen, Reason: why}
}

func notSent(caller int, why demux.Cause) sim.Fact {
	return sim.Fact{Kind: sim.FactComplete, Op: opOf(caller), Outcome: demux.NotSent, Cause: why}
}

func unknown(caller int) sim.Fact { return told(opOf(caller), demux.Indeterminate) }

func cancels(caller int) sim.Fact { return sim.Fact{Kind: sim.FactCancel, Op: opOf(caller)} }

func says(gen demux.Generation, verb wire.Op, data string) sim.Fact {
	return sim.Fact{Kind: sim.FactReply, Gen: gen, Verb: verb, Data: []byte(data)}
}

func strayA(gen demux.Generation, token uint64) sim.Fact {
	return sim.Fact{Kind: sim.FactReply, Gen: gen, Verb: wire.OpGranted, Flag: true, Owner: sim.Owner{N: 99}, Token: token, Lease: 1000}
}

func denied(caller int) []sim.Fact {
	o := sim.Owner{N: uint64(caller + 1)}
	return []sim.Fact{{Kind: sim.FactDeny, Owner: o, Verb: wire.OpBusy}, {Kind: sim.FactReply, Gen: 1, Verb: wire.OpBusy, Owner: o}, told(opOf(caller), demux.Busy)}
}

var (
	hello = frameH(sim.FactHanded, 1)
	a0    = frameOf(sim.FactHanded, 1, 0)
	a1    = frameOf(sim.FactHanded, 1, 1)
)

// sent1 is a run in which the acquire of caller 0 is sent on connection 1 by 12 ms.
func sent1(more ...part) []part {
	return append([]part{
		step1(0, asks(0), dials(1, 0)),
		step1(10, join(one(on(sim.FactOpened, 1)), writes(1, hello, a0))...),
		step1(12, wrote(1, hello, a0)...),
	}, more...)
}

// lost1 is a run in which that connection is lost at 20 ms; the next dial is due 50 ms later.
func lost1(more ...part) []part {
	return sent1(append([]part{step1(20, on(sim.FactClosed, 1), unknown(0))}, more...)...)
}

// strayed1 is a run in which an A for nobody closes connection 1 at 20 ms; the next dial is due 100 ms later.
func strayed1(more ...part) []part {
	return sent1(append([]part{step1(20, strayA(1, 7), closes(1, demux.ReasonUnmatched), unknown(0)), step1(21, on(sim.FactClosed, 1))}, more...)...)
}

func gen2(f sim.Fact) sim.Fact {
	f.Gen = 2
	return f
}

var goodConduct = map[string][]part{
	"lost, and dialled again": lost1(step1(30, asks(1)), step1(70, dials(2, 1))),
	"due":                     sent1(step1(1501, unknown(0), closes(1, demux.ReasonDeadline))),
	"unsent and due":          {step1(0, asks(0), dials(1, 0)), step1(1501, notSent(0, demux.CauseDeadline))},
	"cancelled":               sent1(step1(20, cancels(0), unknown(0), closes(1, demux.ReasonCancel))),
	"cancelled and unsent":    {step1(0, asks(0), dials(1, 0)), step1(20, cancels(0), notSent(0, demux.CauseCancelled))},
	"cancelled while writing": {step1(0, asks(0), dials(1, 0)), step1(10, join(one(on(sim.FactOpened, 1)), writes(1, hello, a0))...), step1(11, cancels(0)),
		step1(12, join(wrote(1, hello, a0), one(unknown(0), closes(1, demux.ReasonCancel)))...)},
	"full":      {step1(0, asks(0), dials(1, 0)), step1(1, asks(1)), step1(2, asks(2), notSent(2, demux.CauseFull))},
	"probation": sent1(step1(20, asks(1)), step1(260, writes(1, a1)...)),
	"proven":    sent1(step1(20, asks(1)), step1(30, join(denied(0), writes(1, a1))...)),
	"refused, moved": {step1(0, asks(0), dials(1, 0)), step1(10, join(one(on(sim.FactOpened, 1)), writes(1, hello, a0))...),
		step1(12, join(refused(1, hello, a0), one(closes(1, demux.ReasonTorn)))...), step1(13, on(sim.FactClosed, 1)), step1(62, dials(2, 1))},
	"sent away":            sent1(step1(15, asks(1)), step1(20, says(1, wire.OpMoved, "n2:1"), closes(1, demux.ReasonMoved), unknown(0)), step1(21, on(sim.FactClosed, 1)), step1(30, dials(2, 2))),
	"a round of the nodes": inCircles(2),
	"a crowd of dials":     crowded(3),
	"a grant that comes again after its release": again1(step1(150, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello), frameROf(sim.FactHanded, 2, 7)))...)),
	"timers": {stepUntil(0, 1501, asks(0), dials(1, 0)), stepUntil(10, 1501, join(one(on(sim.FactOpened, 1)), writes(1, hello, a0))...),
		stepUntil(12, 1501, wrote(1, hello, a0)...), stepUntil(20, 260, asks(1)), stepUntil(30, never, on(sim.FactClosed, 1), unknown(0), cancels(1), notSent(1, demux.CauseCancelled))},
	"closed after the lane": strayed1(step1(120, dials(2, 1)), step1(130, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello), frameROf(sim.FactHanded, 2, 7)))...),
		stepUntil(140, 1140, sim.Fact{Kind: sim.FactShut, Op: 99}), step1(150, join(wrote(2, gen2(hello), frameROf(sim.FactHanded, 2, 7)), one(closes(2, demux.ReasonShut)))...)),
	"dial times out": {step1(0, asks(0), dials(1, 0)), step1(1501, notSent(0, demux.CauseDeadline)), step1(5000, closes(1, demux.ReasonDial))},
	"orphan":         strayed1(step1(120, dials(2, 1)), step1(130, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello), frameROf(sim.FactHanded, 2, 7)))...)),
	// The first R may be either's. Were it taken for the caller's, the second would be the lane's, behind a caller's.
	"orphan released by a caller as well": strayed1(step1(30, release1(opR)), step1(120, dials(2, 1)), step1(130, join(one(on(sim.FactOpened, 2)),
		writes(2, gen2(hello), frameROf(sim.FactHanded, 2, 7), frameROf(sim.FactHanded, 2, 7)))...)),
	"orphan too old": strayed1(step1(120, dials(2, 1)), step1(2020)),
	"closed":         sent1(step1(20, sim.Fact{Kind: sim.FactShut, Op: 99}, unknown(0), closes(1, demux.ReasonShut)), step1(21, on(sim.FactClosed, 1), told(99, demux.Closed))),
}

func TestGoodConductPasses(t *testing.T) {
	for name, parts := range goodConduct {
		t.Run(name, func(t *testing.T) { require.Nil(t, observeAll(tellParts(parts...), All())) })
	}
}

// inCircles is a run in which the faults have stopped, and then so many sessions in a row are told of nobody who leads. The
// world has two nodes.
func inCircles(sessions int) []part {
	parts := []part{{0, one(sim.Fact{Kind: sim.FactHealed})}}
	now, wait := 0, 100
	for i := range sessions + 1 {
		gen, caller := demux.Generation(i+1), i%3
		h, a := frameH(sim.FactHanded, gen), frameOf(sim.FactHanded, gen, caller)
		a.Owner.N = uint64(i + 1)
		parts = append(parts,
			step1(now, asks(caller), dials(gen, i%3)),
			step1(now+1, join(one(on(sim.FactOpened, gen)), writes(gen, h, a))...),
			step1(now+2, wrote(gen, h, a)...),
			step1(now+3, says(gen, wire.OpError, "no_leader"), closes(gen, demux.ReasonNoLeader), unknown(caller)),
			step1(now+4, on(sim.FactClosed, gen)))
		now, wait = now+3+wait, 2*wait
	}
	return parts
}

// never is the instant of a timer that there is not.
const never = -1

// stepUntil is a step after which the client wants to be woken at an instant.
func stepUntil(at, wake int, facts ...sim.Fact) part {
	p := step1(at, facts...)
	s := &p.facts[len(facts)]
	s.N = wake * int(clock.Millisecond)
	if wake == never {
		s.N = int(demux.Never)
	}
	return p
}

func waits(f sim.Fact, wait uint32) sim.Fact {
	f.Wait = wait
	return f
}

// keyed is a frame for the second key; release1k the call of a release of token 8 there.
func keyed(f sim.Fact) sim.Fact {
	f.Key = 1
	return f
}

func release1k(op demux.OpID) sim.Fact {
	return sim.Fact{Kind: sim.FactRelease, Op: op, Key: 1, Token: 8}
}

// again1 is a run in which a grant is released, and comes once more on its connection; the next dial is due 100 ms later.
func again1(more ...part) []part {
	return sent1(append([]part{
		step1(20, grants(1, 7), gen1(replyTo(1, 7)), told(opOf(0), demux.Granted)),
		step1(30, join(one(release1(opR)), writes(1, frameR(sim.FactHanded, 1)))...),
		step1(31, wrote(1, frameR(sim.FactHanded, 1))...),
		step1(40, sim.Fact{Kind: sim.FactFree, Token: 7, Flag: true}, replyOf(wire.OpReleased, 1), told(opR, demux.Released)),
		step1(42, strayA(1, 7), closes(1, demux.ReasonUnmatched)),
		step1(43, on(sim.FactClosed, 1)),
		step1(142, dials(2, 0)),
	}, more...)...)
}

// crowded is a run in which so many dials time out, none of which is gone, and then there is one more.
func crowded(closing int) (parts []part) {
	now, wait := 0, 50
	for i := range closing {
		gen := demux.Generation(i + 1)
		parts = append(parts, step1(now, asks(0), dials(gen, i%3)), step1(now+1501, notSent(0, demux.CauseDeadline)), step1(now+5000, closes(gen, demux.ReasonDial)))
		now, wait = now+5000+wait, 2*wait
	}
	return append(parts, step1(now, asks(0), dials(demux.Generation(closing+1), closing%3)))
}

// Each run is rejected, by its property; without the audit that has it, nothing finds fault with it, but where it is said.
func TestBadConductFails(t *testing.T) {
	open1 := func(frames ...sim.Fact) []sim.Fact { return join(one(on(sim.FactOpened, 1)), writes(1, frames...)) }
	for _, tc := range []struct {
		name, property, audit string
		parts                 []part
	}{
		{"a dial off the list", Allowlist, "dials", []part{step1(0, asks(0), dials(1, 3))}},
		{"a dial for nothing", Pacing, "dials", lost1(step1(70, dials(2, 1)))},
		{"a dial too early", Pacing, "dials", lost1(step1(30, asks(1)), step1(69, dials(2, 1)))},
		{"a dial out of turn", OneHint, "dials", lost1(step1(30, asks(1)), step1(70, dials(2, 0)))},
		{"a hint ignored", OneHint, "dials", sent1(step1(15, asks(1)), step1(20, says(1, wire.OpMoved, "n2:1"), closes(1, demux.ReasonMoved), unknown(0)), step1(21, on(sim.FactClosed, 1)), step1(30, dials(2, 1)))},
		{"a hint off the list followed", OneHint, "dials", sent1(step1(15, asks(1)), step1(20, says(1, wire.OpMoved, "N2:1"), closes(1, demux.ReasonMoved), unknown(0)), step1(21, on(sim.FactClosed, 1)), step1(30, dials(2, 2)))},
		{"a hint to itself followed", OneHint, "dials", sent1(step1(15, asks(1)), step1(20, says(1, wire.OpMoved, "n0:1"), closes(1, demux.ReasonMoved), unknown(0)), step1(21, on(sim.FactClosed, 1)), step1(30, dials(2, 0)))},
		{"the back-off of M after E no_leader", Pacing, "dials", sent1(step1(15, asks(1)), step1(20, says(1, wire.OpError, "no_leader"), closes(1, demux.ReasonNoLeader), unknown(0)), step1(21, on(sim.FactClosed, 1)), step1(30, dials(2, 1)))},
		{"not sent for no reason", Cause, "causes", []part{step1(0, asks(0), dials(1, 0)), step1(20, notSent(0, demux.CauseNone))}},
		{"not sent before it is due", Cause, "causes", []part{step1(0, asks(0), dials(1, 0)), step1(1500, notSent(0, demux.CauseDeadline))}},
		{"not sent, cancelled by nobody", Cause, "causes", []part{step1(0, asks(0), dials(1, 0)), step1(20, notSent(0, demux.CauseCancelled))}},
		{"closed before the reply is due", Cause, "causes", sent1(step1(1500, unknown(0), closes(1, demux.ReasonDeadline)))},
		{"closed for a cancel of nothing sent", Cause, "causes", sent1(step1(20, asks(1)), step1(21, cancels(1), notSent(1, demux.CauseCancelled), closes(1, demux.ReasonCancel), unknown(0)))},
		{"closed for a write that went well", Cause, "causes", sent1(step1(20, closes(1, demux.ReasonTorn), unknown(0)))},
		{"closed for a stall of no write", Cause, "causes", sent1(step1(20, closes(1, demux.ReasonStall), unknown(0)))},
		{"closed before a dial is over", Cause, "causes", []part{step1(0, asks(0), dials(1, 0)), step1(20, closes(1, demux.ReasonDial))}},
		{"closed as if shut", Cause, "causes", sent1(step1(20, closes(1, demux.ReasonShut), unknown(0)))},
		{"a release given up after one try", Cause, "causes", []part{
			step1(0, release1(2), dials(1, 0)), step1(10, open1(hello, frameR(sim.FactHanded, 1))...), step1(12, wrote(1, hello, frameR(sim.FactHanded, 1))...),
			step1(20, on(sim.FactClosed, 1), told(2, demux.Indeterminate))}},
		{"an unsent acquire past its time", Deadline, "deadlines", []part{step1(0, asks(0), dials(1, 0)), step1(1501)}},
		{"a sent acquire past its time", Deadline, "deadlines", sent1(step1(1501))},
		{"a sent acquire told late", Deadline, "deadlines", sent1(step1(1506, unknown(0), closes(1, demux.ReasonDeadline)))},
		{"a dial past its time", Deadline, "deadlines", []part{step1(0, asks(0), dials(1, 0)), step1(1501, notSent(0, demux.CauseDeadline)), step1(5000)}},
		{"a stall past its time", Deadline, "deadlines", []part{step1(0, asks(0), dials(1, 0)), step1(10, open1(hello, a0)...), step1(5010)}},
		{"a cancel that does nothing", Cancel, "deadlines", sent1(step1(20, cancels(0)))},
		{"a torn stream that goes on", Torn, "deadlines", []part{step1(0, asks(0), dials(1, 0)), step1(10, open1(hello, a0)...), step1(12, refused(1, hello, a0)...)}},
		{"a torn stream that goes on for the lane", Torn, "deadlines", strayed1(step1(120, dials(2, 1)), step1(130, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello), frameROf(sim.FactHanded, 2, 7)))...),
			step1(140, sim.Fact{Kind: sim.FactShut, Op: 99}), step1(150, refused(2, gen2(hello), frameROf(sim.FactHanded, 2, 7))...))},
		{"releases after acquires", Order, "writes", []part{step1(0, asks(0), dials(1, 0)), step1(1, release1(2)), step1(10, open1(hello, a0, frameR(sim.FactHanded, 1))...)}},
		{"a younger acquire first", Order, "writes", []part{step1(0, asks(0), dials(1, 0)), step1(1, asks(1)), step1(10, open1(hello, a1)...)}},
		{"two acquires on probation", Probation, "writes", []part{step1(0, asks(0), dials(1, 0)), step1(1, asks(1)), step1(10, open1(hello, a0, a1)...)}},
		{"an acquire before the probe is over", Probation, "writes", sent1(step1(20, asks(1)), step1(259, writes(1, a1)...))},
		{"a release that waits", Prompt, "writes", sent1(step1(20, release1(2)))},
		{"no dial", Prompt, "writes", []part{step1(0, asks(0))}},
		{"a proven connection that carries one acquire", Prompt, "writes", sent1(step1(20, asks(1)), step1(30, denied(0)...))},
		{"an orphan that waits", Prompt, "writes", strayed1(step1(120, dials(2, 1)), step1(130, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello)))...), step1(131, wrote(2, gen2(hello))...))},
		{"an orphan sent when it is over", Lane, "lane", strayed1(step1(120, dials(2, 1)), step1(2020, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello), frameROf(sim.FactHanded, 2, 7)))...))},
		{"full and not told so", OwnCapacity, "bounds", []part{step1(0, asks(0), dials(1, 0)), step1(1, asks(1)), step1(2, asks(2))}},
		{"told full and not full", OwnCapacity, "bounds", []part{step1(0, asks(0), dials(1, 0)), step1(1, asks(1), notSent(1, demux.CauseFull))}},
		{"open after closeGrace", ShutDown, "shut-down", strayed1(step1(120, dials(2, 1)), step1(130, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello), frameROf(sim.FactHanded, 2, 7)))...),
			step1(140, sim.Fact{Kind: sim.FactShut, Op: 99}), step1(1140))},
		{"open with an empty lane", ShutDown, "shut-down", sent1(step1(15, denied(0)...), step1(20, sim.Fact{Kind: sim.FactShut, Op: 99}))},
		{"a dial once closed", ShutDown, "shut-down", sent1(step1(15, asks(1)), step1(20, sim.Fact{Kind: sim.FactShut, Op: 99}, unknown(0), notSent(1, demux.CauseClosed), closes(1, demux.ReasonShut)),
			step1(21, on(sim.FactClosed, 1)), step1(500, dials(2, 1)))},
		{"an acquire taken in once closed", ShutDown, "shut-down", sent1(step1(20, sim.Fact{Kind: sim.FactShut, Op: 99}, unknown(0), closes(1, demux.ReasonShut)), step1(21, asks(1)))},
		{"an acquire with more than what is left of its wait", Deadline, "deadlines", []part{step1(0, asks(0), dials(1, 0)), step1(10, open1(hello, waits(a0, 1001))...)}},
		{"an acquire with less than what is left of its wait", Deadline, "deadlines", []part{step1(0, asks(0), dials(1, 0)), step1(10, open1(hello, waits(a0, 999))...)}},
		{"a write with room for a release", Prompt, "writes", []part{step1(0, asks(0), dials(1, 0)), step1(1, release1(2)), step1(10, open1(hello)...)}},
		{"a write with room for an acquire", Prompt, "writes", []part{step1(0, asks(0), dials(1, 0)), step1(10, open1(hello)...)}},
		{"a write with room for the lane", Prompt, "writes", strayed1(step1(120, dials(2, 1)), step1(130, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello)))...))},
		{"a caller's release before one of the lane", Order, "writes", strayed1(step1(30, release1k(2)), step1(120, dials(2, 1)),
			step1(130, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello), keyed(frameROf(sim.FactHanded, 2, 8)), frameROf(sim.FactHanded, 2, 7)))...))},
		{"a grant that comes again after its release, and stays", Prompt, "writes", again1(step1(150, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello)))...), step1(151, wrote(2, gen2(hello))...))},
		{"more connections than may be", OwnCapacity, "bounds", crowded(4)},
		{"closed while the lane is being written", ShutDown, "shut-down", strayed1(step1(120, dials(2, 1)), step1(130, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello), frameROf(sim.FactHanded, 2, 7)))...),
			step1(140, sim.Fact{Kind: sim.FactShut, Op: 99}, closes(2, demux.ReasonShut)))},
		{"no timer for a request", Wake, "wake", []part{stepUntil(0, 1502, asks(0), dials(1, 0))}},
		{"no timer at all", Wake, "wake", []part{stepUntil(0, never, asks(0), dials(1, 0))}},
		{"no timer for a dial", Wake, "wake", []part{step1(0, asks(0), dials(1, 0)), stepUntil(1501, 5001, notSent(0, demux.CauseDeadline))}},
		{"no timer for a write", Wake, "wake", []part{step1(0, release1(2), dials(1, 0)), step1(10, open1(hello, frameR(sim.FactHanded, 1))...), stepUntil(500, 5011)}},
		{"no timer for the probe", Wake, "wake", sent1(stepUntil(20, 261, asks(1)))},
		{"no timer for the back-off", Wake, "wake", lost1(stepUntil(30, 71, asks(1)))},
		{"no timer for the orphan's dial", Wake, "wake", strayed1(stepUntil(30, 121))},
		{"no timer for closeGrace", Wake, "wake", strayed1(step1(120, dials(2, 1)), step1(130, join(one(on(sim.FactOpened, 2)), writes(2, gen2(hello), frameROf(sim.FactHanded, 2, 7)))...),
			stepUntil(140, 1141, sim.Fact{Kind: sim.FactShut, Op: 99}))},
		{"a timer of a client that is closed", ShutDown, "wake", sent1(step1(20, sim.Fact{Kind: sim.FactShut, Op: 99}, unknown(0), closes(1, demux.ReasonShut)),
			stepUntil(21, 500, on(sim.FactClosed, 1), told(99, demux.Closed)))},
		{"a timer that is due already", Wake, "wake", []part{stepUntil(5, 5, asks(0), dials(1, 0))}},
		{"a client that runs in circles", Reach, "reach", inCircles(3)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			facts := tellParts(tc.parts...)
			f := observeAll(facts, All())
			require.NotNil(t, f)
			require.Equal(t, tc.property, f.Property, "%q", f.Facts)
			require.GreaterOrEqual(t, len(f.Facts), 2)
			other := observeAll(facts, Except(tc.audit))
			if tc.name == "told full and not full" {
				require.NotNil(t, other, "that has no cause either")
				require.Equal(t, Cause, other.Property)
				return
			}
			require.Nil(t, other, "another audit sees it as well")
		})
	}
}

// The two audits that need no whole run are needed as well.
func TestOnlyTheLedgerSees(t *testing.T) {
	facts := tellParts(sent1(step1(20, grants(1, 5), gen1(replyTo(1, 5)), told(opOf(0), demux.Busy)))...)
	require.Equal(t, Definite, observeAll(facts, All()).Property)
	require.Nil(t, observeAll(facts, Except("ledger")))
}

func TestOnlyOwnersSees(t *testing.T) {
	again := a1
	again.Owner.N = 1
	facts := tellParts(sent1(step1(20, denied(0)...), step1(30, join(one(asks(1)), writes(1, again))...))...)
	require.Equal(t, OwnerOnce, observeAll(facts, All()).Property)
	require.Nil(t, observeAll(facts, Except("owners")))
}

func gen1(f sim.Fact) sim.Fact {
	f.Gen = 1
	return f
}

func replyTo(owner, token uint64) sim.Fact {
	return sim.Fact{Kind: sim.FactReply, Verb: wire.OpGranted, Flag: true, Owner: sim.Owner{N: owner}, Token: token, Lease: lease}
}

func TestConductOfAClockThatDrifts(t *testing.T) {
	p := testParams()
	p.ClientPPM, p.TimerLag = 100_000, 10*clock.Millisecond
	c := NewConduct(RulesAll)
	c.Reset(p)
	facts := tellParts(sent1(step1(1511, unknown(0), closes(1, demux.ReasonDeadline)))...)
	for i := range facts {
		c.Observe(&facts[i])
	}
	require.Nil(t, c.Failure(), "10 ms late is what a timer may lag")
	require.Equal(t, 500*time.Millisecond, c.options.Grace)
}

func TestConductCloneAndEncoding(t *testing.T) {
	for name, parts := range goodConduct {
		facts := tellParts(parts...)
		for cut := range facts {
			a, b := NewConduct(RulesAll), NewConduct(RulesAll)
			a.Reset(testParams())
			b.Reset(testParams())
			for k := range facts[:cut] {
				a.Observe(&facts[k])
			}
			b.CopyFrom(a)
			for k := range facts[cut:] {
				now := facts[cut+k].At
				require.Equal(t, a.AppendState(now, nil), b.AppendState(now, nil), name)
				a.Observe(&facts[cut+k])
				b.Observe(&facts[cut+k])
			}
			require.Nil(t, b.Failure(), name)
		}
	}
}

func TestExceptPanicsOnAnAuditThatIsNone(t *testing.T) {
	require.Panics(t, func() { Except("nobody") })
	require.Len(t, Except(conduct...), len(Audits)-len(conduct))
}
