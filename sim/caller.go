package sim

import (
	"math/bits"

	"ticketing/client/demux"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// callerState says what a caller does.
//
//   - thinking: its slot fires when it acquires next.
//   - acquiring: its acquire is under way; its slot, if armed, cancels it.
//   - holding: it was granted a lock; its slot releases it, or forgets it.
//   - releasing: releases of its grant are under way; its slot, if armed, cancels one or adds one.
//   - leaving: it was the last of its client to finish; its slot closes the client.
//   - insisting: its client was closed; its slot closes it again, and acquires all the same.
//   - done: it has made all its acquires, or its client was closed.
type callerState uint8

const (
	thinking callerState = iota
	acquiring
	holding
	releasing
	leaving
	insisting
	done
)

// caller uses the locks: it acquires, holds, releases, and gives up now and then.
type caller struct {
	state callerState
	left  int16 // acquires to make
	key   int16
	open  uint8 // which of its operations are not settled: bit 0 the acquire, from bit 1 on the releases
	again bool  // it releases once more when the first release is over
	spent bool  // it did so
	joins uint8 // releases that its slot adds to the first
	token uint64
}

// The operations of a caller are numbered by its index and their part. A number is used again once settled.
const (
	partAcquire = iota
	partRelease
	partsOfCaller = partRelease + 1 + JoinsMax
)

var partNames = [partsOfCaller]string{"acquire", "release", "second release", "third release", "fourth release"}

// JoinsMax is how many releases may join a caller's first.
const JoinsMax = 3

// opShut is the operation of a client's Close.
const opShut demux.OpID = 1 << 16

// AcquireOp is the operation of the acquire that asked for this lease: its low bits tell (caller).
func AcquireOp(lease uint32) demux.OpID { return opOf(int(lease%MaxCallers), partAcquire) }

// CallerOf is the number, in its client, of the caller whose operation this is: any but a Close.
func CallerOf(op demux.OpID) int { return int(op-1) / partsOfCaller }

func opOf(caller, part int) demux.OpID { return demux.OpID(1 + caller*partsOfCaller + part) }

// act lets caller k of client c do what its slot was armed for.
func (w *World) act(c, k int) {
	a := w.caller(c, k)
	switch a.state {
	case thinking:
		w.acquire(c, k, a)
	case acquiring:
		w.cancel(c, opOf(k, partAcquire))
	case holding:
		if w.chance(labelLate, w.p.Caller.LateOdds) {
			w.count(CountLateCancel)
			w.cancel(c, opOf(k, partAcquire)) // changes nothing (grant-wins)
		}
		w.letGo(c, k, a)
	case releasing:
		w.meddle(c, k, a)
	case leaving:
		w.shut(c)
	case insisting:
		w.shutAgain(c, a)
	}
}

func (w *World) acquire(c, k int, a *caller) {
	p := &w.p.Caller
	if w.chance(labelShut, p.ShutOdds) {
		w.shut(c)
		return
	}
	w.call(c, k, a)
}

// call asks for a lock.
func (w *World) call(c, k int, a *caller) {
	p := &w.p.Caller
	a.left--
	w.moved(c, k, phaseBefore)
	a.state, a.open = acquiring, a.open|1<<partAcquire
	a.key = int16(w.choose(labelKey, len(w.p.Keys)))
	wait, lease := w.terms()
	lease = lease&^(MaxCallers-1) | uint32(k) // tells the calls of one client apart wherever they are seen
	in := w.newInput(demux.InputAcquire)
	in.Op, in.Key, in.Wait, in.Lease = opOf(k, partAcquire), w.p.Keys[a.key], wait, lease
	if w.chance(labelDeadline, p.DeadlineOdds) {
		in.Deadline = w.local(c) + demux.Time(1+clock.Time(wait/2)*clock.Millisecond)
	}
	if w.chance(labelCancel, p.CancelOdds) {
		w.armCaller(c, k, p.CancelIn)
	}
	own := 0
	if in.Deadline != 0 {
		own = int(in.Deadline - w.local(c))
	}
	f := w.begin(FactAcquire)
	f.Client, f.Op, f.Key, f.Wait, f.Lease, f.N = int16(c), in.Op, a.key, wait, lease, own
	w.tell()
	w.feed(c)
}

// terms are the wait and the lease of a call. What leaves no choice is not asked: a search would take each answer.
func (w *World) terms() (wait, lease uint32) {
	p := &w.p.Caller
	wait, lease = p.WaitsMax, p.LeaseMin
	if p.WaitsMax > 0 {
		switch w.choose(labelWait, 3) {
		case 1:
			wait /= 8
		case 2:
			wait = 0
		}
	}
	if p.LeaseMax > p.LeaseMin {
		lease += uint32(w.choose(labelLease, 4)) * (p.LeaseMax - p.LeaseMin) / 3
	}
	return wait, lease
}

func (w *World) cancel(c int, op demux.OpID) {
	w.blow(BlowCancel, c)
	w.emit(Fact{Kind: FactCancel, Client: int16(c), Op: op})
	w.newInput(demux.InputCancel).Op = op
	w.feed(c)
}

// letGo ends a hold.
func (w *World) letGo(c, k int, a *caller) {
	p := &w.p.Caller
	if w.chance(labelForget, p.ForgetOdds) {
		w.count(CountForgotten)
		w.rest(c, k, a)
		return
	}
	a.state = releasing
	a.again = !a.spent && w.chance(labelAgain, p.AgainOdds)
	a.joins = 0
	if w.chance(labelTwice, p.TwiceOdds) {
		a.joins = 1 + uint8(w.choose(labelJoins, p.JoinsMax))
	}
	if a.joins > 0 || w.chance(labelUncancel, p.UncancelOdds) {
		w.armCaller(c, k, p.CancelIn)
	}
	w.release(c, k, a, partRelease)
}

func (w *World) release(c, k int, a *caller, part int) {
	a.open |= 1 << part
	w.moved(c, k, phaseReleasing)
	op := opOf(k, part)
	f := w.begin(FactRelease)
	f.Client, f.Op, f.Key, f.Token = int16(c), op, a.key, a.token
	w.tell()
	in := w.newInput(demux.InputRelease)
	in.Op, in.Key, in.Token = op, w.p.Keys[a.key], a.token
	w.feed(c)
}

// meddle adds a release to those that are under way, or cancels one of them.
func (w *World) meddle(c, k int, a *caller) {
	p := &w.p.Caller
	under := bits.OnesCount8(a.open >> partRelease)
	if a.joins == 0 || under > 1 && w.chance(labelUncancel, p.UncancelOdds) {
		if a.joins > 0 {
			w.count(CountJoinedAfterCancel)
			w.armCaller(c, k, p.CancelIn)
		}
		w.cancel(c, opOf(k, a.nthRelease(w.choose(labelWhich, under))))
		return
	}
	a.joins--
	w.count(CountReleasedTwice)
	if a.joins > 0 || w.chance(labelUncancel, p.UncancelOdds) {
		w.armCaller(c, k, p.CancelIn)
	}
	// The lowest number that is free. There is one: those that were called before are no more than had room.
	w.release(c, k, a, partRelease+bits.TrailingZeros8(^(a.open>>partRelease)))
}

// nthRelease is the part of the n-th release that is not settled.
func (a *caller) nthRelease(n int) int {
	part := partRelease
	for ; a.open&(1<<part) == 0 || n > 0; part++ {
		if a.open&(1<<part) != 0 {
			n--
		}
	}
	return part
}

// completed takes the outcome of an operation.
func (w *World) completed(c int, e *demux.Effect) {
	f := w.begin(FactComplete)
	f.Client, f.Op, f.Outcome, f.Cause, f.Token = int16(c), e.Op, e.Outcome, e.Cause, e.Token
	f.Lease, f.Flag, f.N = e.Lease, e.Resent, int(e.Tries)
	w.tell()
	if e.Op == opShut {
		w.clients[c].over = true
		return
	}
	k, part := int(e.Op-1)/partsOfCaller, int(e.Op-1)%partsOfCaller
	if k >= w.p.Callers {
		return // nobody's: an audit says so
	}
	a := w.caller(c, k)
	if a.open&(1<<part) == 0 {
		return // settled before: an audit says so
	}
	a.open &^= 1 << part
	if a.open == 0 {
		w.moved(c, k, phaseNone)
	}
	switch {
	case part == partAcquire && e.Outcome == demux.Granted:
		a.state, a.token = holding, e.Token
		w.armCaller(c, k, w.p.Caller.Hold)
	case a.open != 0:
	case part != partAcquire && a.again:
		// It releases once more, from its own slot: a core is not entered while it steps.
		a.again, a.spent = false, true
		a.state = holding
		w.armCaller(c, k, w.p.Caller.CancelIn)
	default:
		w.rest(c, k, a)
	}
}

// rest ends a round of caller k: it thinks of the next, or is done.
func (w *World) rest(c, k int, a *caller) {
	a.joins, a.spent = 0, false
	if a.left > 0 && !w.clients[c].shut {
		a.state = thinking
		w.armCaller(c, k, w.p.Caller.Think)
		return
	}
	a.state = done
	w.q.Clear(w.slotOf(c, k))
	w.clients[c].calm++
	if w.clients[c].calm == w.p.Callers && !w.clients[c].shut {
		a.state = leaving
		w.armCaller(c, k, w.p.Caller.Think)
	}
}

func (w *World) armCaller(c, k int, in Window) {
	now := w.q.Now()
	w.q.Set(w.slotOf(c, k), now+in.Min, now+in.Max)
}

func (w *World) slotOf(c, k int) int { return w.slot.caller + c*w.p.Callers + k }

func (w *World) caller(c, k int) *caller { return &w.callers[c*w.p.Callers+k] }

// shut closes client c; its callers stop.
func (w *World) shut(c int) {
	w.clients[c].shut = true
	if w.busy(c) {
		w.blow(BlowClose, c)
	}
	for k := range w.p.Callers {
		if a := w.caller(c, k); a.state == thinking || a.state == holding || a.state == leaving {
			a.state = done
			w.q.Clear(w.slotOf(c, k))
		}
	}
	w.emit(Fact{Kind: FactShut, Client: int16(c), Op: opShut})
	w.newInput(demux.InputClose).Op = opShut
	w.feed(c)
	if k := 0; w.caller(c, k).state == done && w.chance(labelShutAgain, w.p.Caller.ShutAgain) {
		w.caller(c, k).state = insisting
		w.armCaller(c, k, w.p.Caller.CancelIn)
	}
}

// shutAgain closes a client that was closed before: nothing comes of it.
func (w *World) shutAgain(c int, a *caller) {
	w.count(CountShutAgain)
	a.state = done
	w.emit(Fact{Kind: FactShutAgain, Client: int16(c), Op: opShut})
	w.newInput(demux.InputClose).Op = opShut
	w.feed(c)
	if a.left > 0 {
		w.call(c, 0, a)
	}
}

var (
	labelKey       = choice.Label{Stream: choice.Callers, Name: "caller.key"}
	labelWait      = choice.Label{Stream: choice.Callers, Name: "caller.wait"}
	labelLease     = choice.Label{Stream: choice.Callers, Name: "caller.lease"}
	labelDeadline  = choice.Label{Stream: choice.Callers, Name: "caller.deadline"}
	labelCancel    = choice.Label{Stream: choice.Callers, Name: "caller.cancel"}
	labelForget    = choice.Label{Stream: choice.Callers, Name: "caller.forget"}
	labelJoins     = choice.Label{Stream: choice.Callers, Name: "caller.joins"}
	labelTwice     = choice.Label{Stream: choice.Callers, Name: "caller.twice"}
	labelAgain     = choice.Label{Stream: choice.Callers, Name: "caller.again"}
	labelUncancel  = choice.Label{Stream: choice.Callers, Name: "caller.cancel-release"}
	labelWhich     = choice.Label{Stream: choice.Callers, Name: "caller.which"}
	labelLate      = choice.Label{Stream: choice.Callers, Name: "caller.late-cancel"}
	labelShutAgain = choice.Label{Stream: choice.Callers, Name: "caller.shut-again"}
	labelShut      = choice.Label{Stream: choice.Callers, Name: "caller.shut"}
)
