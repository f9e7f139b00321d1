package checker

import (
	"time"

	"ticketing/client/demux"
	"ticketing/client/wire"
)

// wrong is how a core goes astray.
type wrong uint8

// The ways. All of them begin with the second occasion, so that a world is on its way by then.
const (
	notWrong     wrong = iota
	reusesOwner        // an acquire goes out under the owner of an earlier one
	tellsAnother       // a grant is told to another caller
	tellsNobody        // a grant is told to nobody
	tellsUnsent        // what is unknown is told as not sent
	tellsOther         // a grant is told with another token
	tellsCause         // not sent, for another cause
	dialsNext          // the address after the one that is right
	dialsFirst         // nothing but the first address
	timesLate          // every timer is late by seconds
	forgetsCall        // an acquire is not taken up
	keepsOrphans       // the lane goes on long after the lease
	turnsAway          // an acquire is turned away while there is room
	goesOn             // Close is said to be over, and nothing closes
	ticksOn            // a timer that is never over
	drawsOther         // the jitter is of another seed
	losesPlace         // a place of a table is lost
)

const occasion = 2

// astray is the core that ships, gone astray in one way.
type astray struct {
	demux.Core
	wrong wrong
	seen  int        // occasions
	now   demux.Time // of the last step
	op    demux.OpID // of the last acquire
	owner [wire.MaxName]byte
	size  int // of owner
	told  [1]demux.Effect
}

// options are what a core that is wrong makes of its options.
func (w wrong) options(o demux.Options) demux.Options {
	switch w {
	case keepsOrphans:
		o.LaneSlack += time.Minute
	case drawsOther:
		if o.Jitter != 0 { // without jitter a delay is full, as audits know
			o.Jitter++
		}
	}
	return o
}

// Step implements demux.Core.
func (a *astray) Step(now demux.Time, in *demux.Input) []demux.Effect {
	a.now = max(a.now, now)
	switch {
	case in.Kind == demux.InputAcquire && a.wrong == forgetsCall && a.ripe():
		return nil
	case in.Kind == demux.InputAcquire && a.wrong == turnsAway && a.ripe():
		a.told[0] = demux.Effect{Kind: demux.EffectComplete, Op: in.Op, Outcome: demux.NotSent, Cause: demux.CauseFull}
		return a.told[:]
	case in.Kind == demux.InputClose && a.wrong == goesOn:
		a.told[0] = demux.Effect{Kind: demux.EffectComplete, Op: in.Op, Outcome: demux.Closed}
		return a.told[:]
	}
	effects := a.Core.Step(now, in)
	kept := effects[:0]
	for _, e := range effects {
		if a.change(&e) {
			kept = append(kept, e)
		}
	}
	if in.Kind == demux.InputAcquire {
		a.op = in.Op
	}
	return kept
}

// ripe counts an occasion, and says whether it is to be taken.
func (a *astray) ripe() bool {
	a.seen++
	return a.seen >= occasion
}

// change makes an effect wrong, should it be its turn. It reports whether it is left.
func (a *astray) change(e *demux.Effect) bool {
	switch e.Kind {
	case demux.EffectDial:
		a.misdial(e)
	case demux.EffectWrite:
		if a.wrong == reusesOwner {
			a.rename(e.Data)
		}
	case demux.EffectComplete:
		return a.mistell(e)
	}
	return true
}

func (a *astray) misdial(e *demux.Effect) {
	switch {
	case a.wrong == dialsFirst:
		e.Addr = 0
	case a.wrong == dialsNext && e.Addr > 0 && a.ripe():
		e.Addr--
	}
}

func (a *astray) mistell(e *demux.Effect) bool {
	switch {
	case e.Outcome == demux.Granted && a.wrong == tellsAnother && a.op != 0 && a.op != e.Op && a.ripe():
		e.Op = a.op
	case e.Outcome == demux.Granted && a.wrong == tellsNobody && a.ripe():
		return false
	case e.Outcome == demux.Granted && a.wrong == tellsOther && a.ripe():
		e.Token--
	case e.Outcome == demux.Indeterminate && a.wrong == tellsUnsent && a.ripe():
		e.Outcome, e.Cause = demux.NotSent, demux.CauseDeadline
	case e.Outcome == demux.NotSent && a.wrong == tellsCause && a.ripe():
		if e.Cause++; e.Cause > demux.CauseClosed {
			e.Cause = demux.CauseFull
		}
	}
	return true
}

// rename puts the owner of the first acquire in the place of those that are as long.
func (a *astray) rename(data []byte) {
	for len(data) > 0 {
		var r wire.Request
		n, err := wire.ParseRequest(data, &r)
		if err != nil || n == 0 {
			return
		}
		data = data[n:]
		switch {
		case r.Op != wire.OpAcquire:
		case a.size == 0:
			a.size = copy(a.owner[:], r.Owner)
		case a.size == len(r.Owner):
			copy(r.Owner, a.owner[:a.size])
		}
	}
}

// Deadline implements demux.Core.
func (a *astray) Deadline() demux.Time {
	at := a.Core.Deadline()
	switch {
	case a.wrong == ticksOn:
		return min(at, a.now+demux.Time(100*time.Millisecond))
	case a.wrong == timesLate && at != demux.Never:
		return at + demux.Time(3*time.Second)
	}
	return at
}

// Leaks is how many places of the core's tables are lost.
func (a *astray) Leaks() int {
	if a.wrong == losesPlace && a.op != 0 {
		return 1
	}
	return 0
}

// Reset implements demux.Core.
func (a *astray) Reset(o demux.Options) {
	a.Core.Reset(a.wrong.options(o))
	a.seen, a.now, a.op, a.size = 0, 0, 0, 0
}

// CopyFrom implements demux.Core.
func (a *astray) CopyFrom(src demux.Core) {
	s := src.(*astray)
	core := a.Core
	core.CopyFrom(s.Core)
	*a = *s
	a.Core = core
}

// AppendState implements demux.Core. It encodes the core alone: no world that is explored runs one that is astray.
func (a *astray) AppendState(now demux.Time, dst []byte) []byte { return a.Core.AppendState(now, dst) }
