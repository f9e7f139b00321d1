package sim

import (
	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/sim/clock"
)

// NoClient is the client of an owner that is nobody's.
const NoClient = -1

// FactKind says what happened.
type FactKind uint8

// The facts of a world, in the order in which a request meets them. Beside each: the fields that it sets,
// besides At, Local and Event.
const (
	FactNone FactKind = iota

	// What callers do and learn.
	FactAcquire   // Client, Op, Key, Wait, Lease, N (nanoseconds to a deadline of its own; 0: none): called; Lease tells the calls of one client apart
	FactRelease   // Client, Op, Key, Token: called
	FactCancel    // Client, Op: called
	FactShut      // Client, Op: the client's Close was called
	FactShutAgain // Client, Op: Close was called on a client that was closed before
	FactComplete  // Client, Op, Outcome, Cause, Token, Lease, Flag (resent), N (tries): what the core said

	// What the core asks of its transport, and what the transport says.
	FactDial     // Client, Gen, N (address)
	FactHanded   // Client, Gen, Frame…: one frame of a write, in order
	FactWrite    // Client, Gen, Data: the whole write
	FactClose    // Client, Gen, Reason
	FactOpened   // Client, Gen
	FactAccepted // Client, Gen, Frame…: the transport took a byte of this frame
	FactRefused  // Client, Gen, Frame…: it took none
	FactWrote    // Client, Gen, N, Flag (failed)
	FactReceived // Client, Gen, Data
	FactReply    // Client, Gen, Reply…, Flag (its owner carries the client's prefix): a frame complete in what is fed in now, before any closing frame
	FactClosed   // Client, Gen: nothing of it follows
	FactTick     // Client
	FactStepped  // Client, N (the instant on its clock at which the core wants to be woken; 0: not said): the core's step and its effects are over

	// What the service does.
	FactFrame   // Node, Conn, Frame…, Flag (its line was never ended): a node took a request
	FactGarbled // Node, Conn, Data: a node read what no client may send
	FactAnswer  // Node, Conn, Data: a node wrote
	FactForged  // Node, Conn, Key, Owner, Token: an answer was made up or changed; what it names is tainted
	FactGrant   // Node, Key, Owner, Token, Lease: committed
	FactFree    // Node, Key, Token, Flag (by release; else its lease ended)
	FactDeny    // Node, Key, Owner, Verb (T or B): this owner is never granted
	FactMissing // Node, Key, Token: an R found no such grant
	FactLeader  // Node: leads from here on; Node -1: nobody does
	FactCrash   // Node
	FactDeposed // Node: learned that it does not lead

	// What happens to the processes. One of Client and Node is NoClient; the other says who.
	FactJump    // Client or Node, N (nanoseconds): its clock was set ahead, or back if N is negative
	FactSleep   // Client or Node, N (nanoseconds): it does nothing for so long; what is sent to it waits
	FactWake    // Client or Node: it goes on, with the beliefs that it had
	FactRestart // Client: it died with all it knew; a fresh core goes on, with a fresh prefix and Gen from 1 again

	FactHealed // the faults stopped
	FactEnded  // nothing can happen any more
	numFacts
)

// Fact is one thing that happened. All that a world does is told as facts, in order: they are what the log
// hashes, what a trace prints, what the recorder makes its history of and what audits watch.
type Fact struct {
	At    clock.Time
	Local clock.Time // of the facts up to FactStepped: what the client's clock shows
	Event int64      // number of the event during which it happened, from 1
	Kind  FactKind
	Verb  wire.Op // of Frame… and Reply…
	Flag  bool

	Outcome demux.Outcome
	Cause   demux.Cause
	Reason  demux.Reason
	Client  int16
	Node    int16
	Conn    int16
	Key     int16 // index into Params.Keys; -1: none of them
	Wait    uint32
	Lease   uint32
	Op      demux.OpID
	Gen     demux.Generation
	Token   uint64
	Owner   Owner
	N       int
	Data    []byte // only during Observe
}

// Audit is an automaton that watches the facts of a world and knows when they contradict a property. It is part of
// the world's state: cloned, encoded and reused with it.
type Audit interface {
	// Reset makes it new, for a world of these parameters.
	Reset(p *Params)
	// Observe takes the next fact. f is only valid during the call.
	Observe(f *Fact)
	// Failure is the first contradiction, or nil.
	Failure() *Failure
	// CopyFrom makes it equal to src, which has the same concrete type, reusing memory.
	CopyFrom(src Audit)
	// AppendState appends the canonical encoding: equal encodings judge alike from here on.
	AppendState(now clock.Time, dst []byte) []byte
}

// Selective is an Audit to which facts of some kinds mean nothing: it is not told those.
type Selective interface {
	// Wants says whether it observes facts of a kind. It always says the same.
	Wants(kind FactKind) bool
}

// Misuse is what a world panics with when a core breaks a duty without which nothing that follows means anything.
type Misuse string

// Failure is a contradiction between facts.
type Failure struct {
	Property string // ID
	At       clock.Time
	Event    int64
	Facts    []string // two or three plain lines that contradict
}
