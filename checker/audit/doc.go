// Package audit watches a simulated world and knows ground truth: what callers asked and were told, which bytes the
// transport took, which replies were read before a connection ended, and what the service committed. Each audit is an
// automaton over the world's facts, cloned and encoded with it.
//
// It judges the client by what the client could know, and the service by the assumptions of the protocol; it does not
// look inside either.
//
// # Assumptions
//
// These are the service's (protocol §1). Where one is broken, nothing that follows is the client's fault.
//
//	a-token         tokens only grow, across keys, and none is committed twice
//	a-lease         committed leases of a key are disjoint, and only the leader commits; one ends by a release of its
//	                token, or no earlier than its length on a clock within the drift bound, and it does end
//	a-final         T, B and N come from the leader; after T or B the owner is not granted, nor was it before; N is not
//	                the answer for a grant that is held
//	a-line          only a request whose line was ended is executed, and only once
//
// # Properties
//
//	settle-once     an operation is settled exactly once: never twice, never without a call, never left open
//	match           a definite outcome is that of a reply read for this very request: same side, key and
//	                identifier, on the connection that carries it (rules match, no-fifo, generations)
//	definite        a request whose reply was read is told that reply, in the same step (register-first,
//	                grant-wins, rest-dropped)
//	not-sent        NotSent is told only where provably no byte was accepted, on any connection (not-sent,
//	                sent-per-frame, deadline)
//	indeterminate   Indeterminate is told only where a byte was accepted (sent-per-frame), and an acquire's
//	                connection ends with it (ends-sent, cancel)
//	owner-once      an owner of which a byte was accepted is never handed over again (no-resend)
//	frame           what is handed over is what a caller asked for, once a connection, after H (order, redact)
//	must-close      a connection ends in the step that reads a closing frame or an unmatched reply, with
//	                the reason that the first of them gives (moved, backoff, fatal, unmatched)
//	close-cause     a connection is closed for a reason that the facts show (notice, values, busy)
//	stray-release   an R without a caller releases a token that was parsed for nobody, and is neither held nor
//	                being released (orphan, held-grant)
//	one-connection  at most one connection is dialling or open (generations)
//	resent          NotFound carries Resent exactly if more than one R went out (resent-n)
//	truth           a grant told was committed, and a T or B told was not (a-final)
package audit

import (
	"slices"

	"ticketing/sim"
)

// The assumptions. A verdict tells them from the properties by their prefix.
const (
	AssumptionPrefix = "a-"

	TokenGrows = AssumptionPrefix + "token"
	LeaseHolds = AssumptionPrefix + "lease"
	Final      = AssumptionPrefix + "final"
	LineWhole  = AssumptionPrefix + "line"
)

// The properties.
const (
	SettleOnce    = "settle-once"
	Match         = "match"
	Definite      = "definite"
	NotSent       = "not-sent"
	Indeterminate = "indeterminate"
	OwnerOnce     = "owner-once"
	Frame         = "frame"
	MustClose     = "must-close"
	CloseCause    = "close-cause"
	StrayRelease  = "stray-release"
	OneConnection = "one-connection"
	Resent        = "resent"
	Truth         = "truth"
)

// Named is an audit by its name.
type Named struct {
	Name string
	New  func() sim.Audit
}

// Audits are all audits. Where several see one fault, the one that says most about it comes first; a broken assumption comes
// before everything else.
var Audits = [...]Named{
	{"service", func() sim.Audit { return &Service{} }},
	{"owners", func() sim.Audit { return &Owners{} }},
	{"ledger", func() sim.Audit { return &Ledger{} }},
}

// All makes one of each audit, for one world.
func All() []sim.Audit { return Except() }

// Except makes one of each audit but those named. A name that is none panics.
func Except(names ...string) []sim.Audit {
	var made []sim.Audit
	for _, n := range names {
		if !slices.ContainsFunc(Audits[:], func(a Named) bool { return a.Name == n }) {
			panic("audit: there is no audit " + n)
		}
	}
	for _, a := range Audits {
		if !slices.Contains(names, a.Name) {
			made = append(made, a.New())
		}
	}
	return made
}
