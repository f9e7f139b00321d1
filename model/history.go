package model

// Version is the version of the history schema that this package writes. It reads no other.
const Version = 1

// Kind is what an operation asked for.
type Kind uint8

// The kinds.
const (
	Acquire Kind = iota + 1
	Release
)

// Outcome is how an operation ended (protocol §6).
type Outcome uint8

// The outcomes. An operation still open when the history ends, or whose caller crashed, is Indeterminate.
const (
	Granted Outcome = iota + 1
	TimedOut
	Busy
	NotSent
	Indeterminate
	Released
	NotFound
)

// Stamp is one end of an operation.
type Stamp struct {
	Seq int64 // position in the history; no two stamps share one
	At  int64 // recorder's clock, nanoseconds
}

// Op is one operation as its caller saw it. Several Release calls that shared one R are one Op.
type Op struct {
	Call    Stamp
	Return  Stamp  // of an Indeterminate: when the caller was told; of one with a token: when that was parsed
	Token   uint64 // granted or to be released; zero where unknown; of an Indeterminate acquire: parsed too late
	Client  int32  // the process that called
	Key     int32  // index into History.Keys
	Lease   uint32 // milliseconds, as granted
	Wait    uint32 // milliseconds, as asked
	Kind    Kind
	Outcome Outcome
	Tries   uint8 // of a release: R frames of which a byte was accepted, on any connection; 0 for NotSent
	Lane    bool  // a release that the client sent for an orphan, not one that a caller asked for
}

// Taint marks a token that a peer forged: nothing is judged about it on that key.
type Taint struct {
	Token uint64
	Key   int32
}

// Header says how the history was recorded, as far as judging depends on it.
type Header struct {
	// DriftPPM bounds the drift of the service's clocks, in parts per million: a lease of L lasts at
	// least L less L*DriftPPM/1e6 on the recorder's clock. At most 1e6.
	DriftPPM uint32
	// UncertaintyNanos bounds the error of a Stamp.At against one common clock.
	UncertaintyNanos int64
	// LaneRecorded says whether orphan releases are in the history. Without them a grant that was parsed
	// too late may have been released at any time since, and its unexplained free is not held against
	// the service. Grants that callers got are never the lane's to release (`held-grant`).
	LaneRecorded bool
}

// History is what callers saw.
type History struct {
	Header Header
	Keys   []string
	Ops    []Op
	Taints []Taint
}
