package model

// Lock is the sequential specification of one key: the state between two operations, in an order in which
// each has its effect at one instant. The zero Lock was never granted.
//
// Two facts of the service shape it. A lease ends no earlier than its length and has no upper bound, so a
// lock whose lease is over may be held or free until something tells. And tokens grow, so each grant names
// the one before it: the order of grants is known, and a search need not guess it.
type Lock struct {
	Now   int64  // instant of the last effect, nanoseconds; no later effect comes before it
	Until int64  // while held: the earliest end of the lease, nanoseconds
	Token uint64 // of the latest grant; zero before the first
	Held  bool   // not released, and its lease not known to have ended
}

// Effect is what an operation did to its lock.
type Effect uint8

// The effects.
const (
	// Grant gives the lock to Token. It must be free, or its lease have ended.
	Grant Effect = iota + 1
	// Free is an answered release: Token must hold the lock.
	Free
	// Gone is a NotFound of a release tried once: Token must have been granted and hold the lock no more.
	Gone
	// FreeOrGone is a NotFound of a release tried more than once: an earlier try may have been the release.
	FreeOrGone
	// MayFree is an Indeterminate release: it frees the lock if Token holds it and is nothing otherwise.
	MayFree
)

// Step is one operation as the specification sees it.
type Step struct {
	From, To int64  // the window of its instant, nanoseconds
	Lease    int64  // of a Grant: the least the lease can last, nanoseconds (Header.LeaseFloor)
	Token    uint64 // the grant, or the grant that a release names
	Pred     uint64 // of a Grant: the token granted before it on this key; zero if none
	Effect   Effect
}

// Step returns the lock after s at the earliest instant that s allows, and whether there is one. An earlier
// instant never forbids what a later one allows, so nothing is lost by it. A lock that refused is unchanged.
func (l Lock) Step(s *Step) (Lock, bool) {
	next := l
	next.Now = max(l.Now, s.From)
	holds := l.Held && l.Token == s.Token
	switch s.Effect {
	case Grant:
		if s.Pred != l.Token || s.Token <= l.Token {
			return l, false
		}
		if l.Held {
			next.Now = max(next.Now, l.Until)
		}
		next.Until, next.Token, next.Held = next.Now+s.Lease, s.Token, true
	case Free:
		if !holds {
			return l, false
		}
		next.Until, next.Held = 0, false
	case Gone, FreeOrGone:
		if s.Token > l.Token {
			return l, false
		}
		if holds && s.Effect == Gone {
			next.Now = max(next.Now, l.Until)
		}
		if holds {
			next.Until, next.Held = 0, false
		}
	case MayFree:
		if !holds {
			return l, true // it came too late, or never
		}
		next.Until, next.Held = 0, false
	default:
		panic("model: step with an unknown effect")
	}
	if next.Now > s.To {
		return l, false
	}
	return next, true
}

// LeaseFloor returns the least that a lease of so many milliseconds can last on the recorder's clock, in
// nanoseconds: its length less the declared drift, exactly.
func (h *Header) LeaseFloor(leaseMillis uint32) int64 {
	// A millisecond is 1e6 ns and a millionth of it is 1 ns, so the drift needs no division.
	return int64(leaseMillis) * (1e6 - int64(h.DriftPPM))
}
