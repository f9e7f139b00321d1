package demux

import "ticketing/client/wire"

// class is one of the delays of Backoffs.
type class uint8

const (
	classMoved class = iota
	classNoLeader
	classNotActive
	classAuth
	classBroken
	classLost
	classOwn
	numClasses
)

var classes = [NumReasons]class{
	ReasonMoved:     classMoved,
	ReasonNoLeader:  classNoLeader,
	ReasonNotActive: classNotActive,
	ReasonAuth:      classAuth,
	ReasonFatal:     classBroken,
	ReasonUnmatched: classBroken,
	ReasonCancel:    classOwn,
	ReasonDeadline:  classOwn,
	ReasonTorn:      classLost,
	ReasonStall:     classLost,
	ReasonDial:      classLost,
	ReasonLost:      classLost,
	ReasonShut:      classOwn, // never dials again
}

func (b *Backoffs) class(c class) Backoff {
	switch c {
	case classMoved:
		return b.Moved
	case classNoLeader:
		return b.NoLeader
	case classNotActive:
		return b.NotActive
	case classAuth:
		return b.Auth
	case classBroken:
		return b.Broken
	case classLost:
		return b.Lost
	}
	return b.Own
}

// account closes the books on a connection: its hint, and how long the next dial waits (rules one-hint,
// pacing).
func (m *Machine) account(c *conn, reason Reason) {
	if c.hinted && !c.proven {
		m.count(CountOneHintUnproven)
		m.hint = 0
	}
	k := classes[reason]
	m.count(CountPacingMoved + Count(k))
	d, capped := m.o.Backoff.class(k).delay(m.losses[k])
	if capped {
		m.count(CountPacingCapped)
	} else {
		// Counting stops where it changes nothing: equal futures have equal encodings.
		m.losses[k]++
	}
	m.gate = max(m.gate, after(m.now, m.jitter(d)))
}

// delay is the wait after the given number of earlier losses, and whether it is as long as it gets.
func (b Backoff) delay(earlier uint8) (d Time, capped bool) {
	d = Time(b.Base)
	for range earlier {
		d *= 2
	}
	return min(d, Time(b.Cap)), d >= Time(b.Cap)
}

// jitter spreads a delay over its upper half, by number g of the SplitMix64 sequence that Jitter seeds, where g is the
// generation to be dialled.
func (m *Machine) jitter(d Time) Time {
	if m.o.Jitter == 0 {
		return d
	}
	half := d / 2
	x := m.o.Jitter + (uint64(m.gen)+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return half + Time(x%uint64(half+1))
}

// errorFrame handles E (rules backoff, fatal). Its text goes nowhere (rule redact).
func (m *Machine) errorFrame(r *wire.Reply) {
	if len(r.Text) > 0 {
		m.count(CountRedactText)
	}
	switch string(r.Code) {
	case wire.CodeNoLeader:
		m.count(CountBackoffNoLeader)
		m.hint = 0
		m.closeCurrent(ReasonNoLeader)
	case wire.CodeNotActive:
		m.count(CountBackoffNotActive)
		m.closeCurrent(ReasonNotActive)
	case wire.CodeAuthFailed:
		m.count(CountBackoffAuthFailed)
		m.closeCurrent(ReasonAuth)
	default:
		m.count(CountFatalError)
		m.closeCurrent(ReasonFatal)
	}
}
