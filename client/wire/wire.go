// Package wire is the codec of the Ticketing protocol: it appends frames to a buffer and parses one frame
// from the head of a buffer. It is not a connection: it reads and writes nothing, keeps nothing between two
// calls, and knows no rule about what a frame means.
//
// A frame is one line of ASCII that ends with '\n', at most MaxFrame bytes with it, its fields split by exactly
// one space. The contract:
//
//  1. Whoever appends has checked: the Append functions take their arguments as they are. A frame made of
//     arguments that pass the Check functions is at most MaxFrame bytes and parses back to the same fields.
//  2. Whoever parses hands in all the bytes that it has. Fewer than a whole frame is not an error.
//  3. Parsing is strict: what the Append functions could not have made is an Error.
//
// The whole format lies in this package, so that a deployment whose bytes differ replaces it alone. Nothing
// here allocates, apart from the errors of the Check functions.
package wire

import "strconv"

// Limits, in bytes and milliseconds.
const (
	MaxFrame      = 1024      // a frame with its newline
	MaxName       = 200       // a key or an owner
	MaxAddr       = 255       // an address
	MaxCredential = 800       // a credential
	MaxWait       = 1<<31 - 1 // a wait, milliseconds
	MaxLease      = 1<<31 - 1 // a lease, milliseconds
)

// Version is the protocol version in the hello.
const Version = "1"

// Op says which frame a Request or a Reply is. Two frames that share a letter, one in each direction, are
// two Ops.
type Op uint8

// The ops.
const (
	OpNone     Op = iota
	OpHello       // H, from the client: first line of a connection
	OpAcquire     // A, from the client
	OpRelease     // R, from the client
	OpGranted     // A, from the server: answers an acquire
	OpTimedOut    // T: answers an acquire
	OpBusy        // B: answers an acquire
	OpReleased    // R, from the server: answers a release
	OpNotFound    // N: answers a release
	OpMoved       // M: this node is not the leader
	OpNotice      // L: the leader is now another
	OpError       // E: a code and free text
)

var opNames = [...]string{"none", "hello", "acquire", "release", "granted", "timed-out", "busy", "released",
	"not-found", "moved", "notice", "error"}

func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return "invalid(" + strconv.Itoa(int(o)) + ")"
}

// Codes of an OpError that the protocol names. Any other is allowed.
const (
	CodeNoLeader   = "no_leader"
	CodeNotActive  = "not_active"
	CodeAuthFailed = "auth_failed"
)

// Reply is a frame from a server. Its slices are parts of the parsed buffer. Fields that its Op lacks are
// zero.
type Reply struct {
	Op    Op
	Key   []byte // of granted, timed-out, busy, released, not-found
	Owner []byte // of granted, timed-out, busy
	Addr  []byte // of moved, notice
	Code  []byte // of error
	Text  []byte // of error; free text, must not reach a log (rule redact)
	Token uint64 // of granted, released, not-found; 1 or more
	Lease uint32 // of granted; milliseconds, 1 to MaxLease
}

// Request is a frame from a client. Its slices are parts of the parsed buffer. Fields that its Op lacks are
// zero.
type Request struct {
	Op         Op
	Key        []byte // of acquire, release
	Owner      []byte // of acquire
	Credential []byte // of hello
	Token      uint64 // of release; 1 or more
	Wait       uint32 // of acquire; milliseconds, 0 to MaxWait
	Lease      uint32 // of acquire; milliseconds, 1 to MaxLease
}
