package demux

import "strconv"

// Time is an instant on the client's own monotonic clock, in nanoseconds since an origin that the driver picks once,
// before its first step. Step clamps it to be non-decreasing, and not negative (rule clock).
type Time int64

// Never is the Deadline of a core that waits for nothing but input.
const Never Time = 1<<63 - 1

// OpID is the driver's handle of one operation. The driver picks it; it must differ from every operation
// that is not settled yet, and zero is not an OpID.
type OpID uint64

// Generation numbers the dials of one core from 1. Every connection input and effect carries it
// (rule generations).
type Generation uint64

// InputKind says which event an Input is.
type InputKind uint8

// The inputs. Beside each: the fields that it reads.
const (
	InputNone     InputKind = iota
	InputAcquire            // Op, Key, Wait, Lease, Deadline: a caller asks for a lock
	InputRelease            // Op, Key, Token: a caller gives a grant back
	InputCancel             // Op: a caller gives up on an acquire or a release; ignored once settled
	InputClose              // Op: shut down; Op settles as Closed when nothing is left (rule shut-down)
	InputOpened             // Gen: the dial succeeded
	InputReceived           // Gen, Data: bytes arrived; Data is only read during the Step
	InputWrote              // Gen, N, Failed: the one outstanding write of Gen ended with N bytes accepted
	InputClosed             // Gen: the connection is gone, or the dial failed; nothing of Gen follows
	InputTick               // nothing: time passed
)

// Input is one event that a driver feeds to a Core.
type Input struct {
	Kind     InputKind
	Failed   bool // the write ended with an error
	Op       OpID
	Gen      Generation
	Key      string // valid by wire.CheckName
	Token    uint64 // 1 or more
	Wait     uint32 // milliseconds; at most wire.MaxWait
	Lease    uint32 // milliseconds; 1 to wire.MaxLease
	Deadline Time   // the caller's own deadline; zero: none. It caps the wire wait (rule deadline)
	Data     []byte
	N        int
}

// EffectKind says what an Effect asks of the driver.
type EffectKind uint8

// The effects. Beside each: the fields that it sets.
const (
	EffectNone     EffectKind = iota
	EffectDial                // Gen, Addr: connect to Addr, an index into Options.Addrs
	EffectWrite               // Gen, Data: hand Data to the transport; at most one a connection is outstanding
	EffectClose               // Gen, Reason: close; what the peer still sends is not wanted
	EffectComplete            // Op, Outcome and what belongs to it: the operation is settled
)

// Effect is one thing that a Core asks of its driver. Effects are performed in order.
type Effect struct {
	Kind    EffectKind
	Outcome Outcome
	Cause   Cause  // of NotSent
	Reason  Reason // of a close
	Resent  bool   // of NotFound: more than one R went out (rule resent-n)
	Tries   uint8  // of a release: how many R frames had a byte accepted, 0 to 3
	Addr    int
	Op      OpID
	Gen     Generation
	Token   uint64 // of Granted
	Lease   uint32 // of Granted, milliseconds, as the service said
	Data    []byte // valid and unchanged until the Wrote or Closed of Gen is fed in
}

// Outcome is how an operation ended (protocol §6).
type Outcome uint8

// The outcomes.
const (
	OutcomeNone   Outcome = iota
	Granted               // reply A
	TimedOut              // reply T: nothing was granted
	Busy                  // reply B: nothing was granted
	NotSent               // no byte was accepted; see Cause
	Indeterminate         // a byte was accepted and no reply was parsed: unknown
	Released              // reply R
	NotFound              // reply N
	Closed                // of InputClose alone: nothing is left
)

var outcomeNames = [...]string{"none", "granted", "timed-out", "busy", "not-sent", "indeterminate", "released", "not-found", "closed"}

func (o Outcome) String() string { return name(outcomeNames[:], int(o)) }

// Cause is why a request was not sent.
type Cause uint8

// The causes of NotSent.
const (
	CauseNone      Cause = iota
	CauseFull            // a table was at its bound (rule own-capacity)
	CauseCancelled       // the caller gave up first
	CauseDeadline        // its time ran out before a byte was accepted
	CauseClosed          // the client was closed
)

var causeNames = [...]string{"none", "full", "cancelled", "deadline", "closed"}

func (c Cause) String() string { return name(causeNames[:], int(c)) }

// Reason is why a core closed a connection. Each has a back-off of its own (rule pacing).
type Reason uint8

// The reasons of a close.
const (
	ReasonNone      Reason = iota
	ReasonMoved            // M (rule moved)
	ReasonNoLeader         // E no_leader
	ReasonNotActive        // E not_active
	ReasonAuth             // E auth_failed
	ReasonFatal            // another E, or a malformed, oversized or unknown frame (rule fatal)
	ReasonUnmatched        // a well-formed reply with no waiter (rule unmatched)
	ReasonCancel           // a request with a byte accepted was cancelled (rule cancel)
	ReasonDeadline         // a reply is missing (rule deadline)
	ReasonTorn             // a failed or short write (rule torn-stream)
	ReasonStall            // a write did not end within WriteStall
	ReasonDial             // a dial did not end within DialTimeout
	ReasonShut             // the client was closed (rule shut-down)
	ReasonLost             // never on an effect: the peer or the network ended it
	NumReasons      = int(iota)
)

var reasonNames = [...]string{"none", "moved", "no-leader", "not-active", "auth-failed", "fatal", "unmatched",
	"cancel", "deadline", "torn", "stall", "dial-timeout", "shut-down", "lost"}

func (r Reason) String() string { return name(reasonNames[:], int(r)) }

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "invalid(" + strconv.Itoa(i) + ")"
}

// Core is a client core: plain data with a pure step. Machine is the one that ships; a simulated world
// runs any.
//
// The duties of its driver:
//
//  1. Feed every event to Step with the time at which it happened, one at a time.
//  2. Perform the effects in order before the next Step. The slice is reused by the next Step.
//  3. Feed InputTick once the clock reached Deadline (later is allowed, earlier is harmless).
//  4. Answer each EffectDial with at most one InputOpened and exactly one InputClosed, after its last
//     InputWrote. A dial that fails is closed alone.
//  5. Answer each EffectWrite with exactly one InputWrote, a close in between or not. N is what the transport
//     accepted; a reply may be fed in before it. No write is outstanding when InputClosed is fed in.
//  6. After EffectClose of a generation, end it: answer the outstanding write soon, then InputClosed. What is
//     received meanwhile may be fed in; the core drops it.
type Core interface {
	// Step feeds one input and returns what to do. now below an earlier now counts as that one.
	Step(now Time, in *Input) []Effect
	// Deadline is the earliest instant at which the core wants an InputTick, or Never. It is kept, not
	// searched for.
	Deadline() Time
	// CopyFrom makes this core equal to src, which has the same concrete type and options. It reuses the
	// memory of the receiver.
	CopyFrom(src Core)
	// AppendState appends the canonical encoding of the state: equal encodings behave alike from here on.
	// Times are relative to now, and saturated once past.
	AppendState(now Time, dst []byte) []byte
	// Reset returns the core to the state in which it was made, with these options, reusing memory.
	Reset(o Options)
}
