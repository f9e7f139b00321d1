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
//	allowlist       only a configured address is dialled (moved, redact)
//	one-hint        a dial goes to the address that was heard to lead last, once, and else to the next in turn
//	                (one-hint, moved, notice, backoff)
//	pacing          a dial has an unsent request or an orphan to send; it keeps its distance from the last dial, and
//	                at least half of the back-off for how each connection ended; only a proof resets that (proven)
//	cause           a connection is closed, a request is not sent or becomes indeterminate, because of what happened
//	                in this step or is remembered: given up, due, torn, stalled, closed, ended; and not otherwise
//	cancel          a request given up is settled in that step, and its connection closed if a byte went out; while
//	                its frame is being written, that waits for the transport's word (cancel, sent-per-frame)
//	deadline        a request, a dial, a write is over at its own bound, on the client's clock: never before, and no
//	                later than a timer may lag; an acquire goes out with what is left of its wait (deadline)
//	torn-stream     a failed or short write closes its connection in that step
//	release-again   an R goes out at most three times, on a connection each
//	order           a write is H, the lane's releases, callers' releases, acquires in the order of their calls; no
//	                acquire passes an older one, nor a release, and no release one of the lane (order, own-capacity,
//	                unsent-moves)
//	probation       a connection carries one acquire until a reply proves it or the probe interval is over
//	prompt          when a step is over nothing is unsent that an open connection could take, or a dial within its
//	                pace could be for; and a write leaves out nothing that fits
//	lane            an orphan's R goes out once a connection, until its lease and the slack are over, and the lane
//	                holds no more than MaxLane (lane, lane-end)
//	own-capacity    a request is turned away as full exactly when its table is full; there are no more than MaxClosing
//	                connections
//	shut-down       once closed, a client settles everything, dials no more, writes only what the lane holds, and
//	                parts with its connection when that is written or closeGrace is over, and not before; no timer is
//	                left (wake judges that)
//	wake            the timer that a client asks for when a step is over is no later than the first of what is due
//	                then: a request, a dial, a write, the end of a probation, of a back-off, of closeGrace; and it is
//	                not due already (deadline, probation, pacing, shut-down)
//	reach           once the faults stopped, the client finds the leader within a round of the addresses: a session
//	                leads to a reply, or tells of one that does (proven, pacing). When a session begins is for
//	                prompt to judge, and by when everything is over is for the property calm
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
	Allowlist     = "allowlist"
	OneHint       = "one-hint"
	Pacing        = "pacing"
	Cause         = "cause"
	Cancel        = "cancel"
	Deadline      = "deadline"
	Torn          = "torn-stream"
	ReleaseAgain  = "release-again"
	Order         = "order"
	Probation     = "probation"
	Prompt        = "prompt"
	Lane          = "lane"
	OwnCapacity   = "own-capacity"
	ShutDown      = "shut-down"
	Wake          = "wake"
	Reach         = "reach"
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
	{"dials", func() sim.Audit { return NewConduct(RuleDials) }},
	{"causes", func() sim.Audit { return NewConduct(RuleCauses) }},
	{"deadlines", func() sim.Audit { return NewConduct(RuleDeadlines) }},
	{"writes", func() sim.Audit { return NewConduct(RuleWrites) }},
	{"lane", func() sim.Audit { return NewConduct(RuleLane) }},
	{"bounds", func() sim.Audit { return NewConduct(RuleBounds) }},
	{"shut-down", func() sim.Audit { return NewConduct(RuleShut) }},
	{"wake", func() sim.Audit { return NewConduct(RuleWake) }},
	{"reach", func() sim.Audit { return NewConduct(RuleReach) }},
}

// All makes one of each audit, for one world.
func All() []sim.Audit { return Except() }

// Except makes one of each audit but those named. A name that is none panics. Those that are a concern of a Conduct share
// one, and its books.
func Except(names ...string) []sim.Audit {
	for _, n := range names {
		if !slices.ContainsFunc(Audits[:], func(a Named) bool { return a.Name == n }) {
			panic("audit: there is no audit " + n)
		}
	}
	var made []sim.Audit
	var shared *Conduct
	for _, a := range Audits {
		if slices.Contains(names, a.Name) {
			continue
		}
		next := a.New()
		c, ok := next.(*Conduct)
		switch {
		case !ok:
			made = append(made, next)
		case shared == nil:
			shared = c
			made = append(made, c)
		default:
			shared.rules |= c.rules
		}
	}
	return made
}
