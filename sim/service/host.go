package service

import (
	"ticketing/client/wire"
	"ticketing/sim/clock"
)

// Host is what a service runs in. It knows names, which are numbers in here; it carries bytes, watches, and answers what
// the service leaves open. Where it says so a method may call the service again; elsewhere it must not.
type Host interface {
	// Read is told of each request before anything comes of it. It returns the number of the key that r names, or -1, and of
	// the owner, in an acquire.
	Read(c int32, r *wire.Request) (key int32, owner Owner)
	// Enter numbers what an acquire names, given Options.AnyKey: numbers that Read did not know. False means that there are
	// no more; a key must be below Options.Keys. They are the service's until EventIdle, and until the owner was told of.
	Enter(r *wire.Request, known int32) (key int32, owner Owner, ok bool)
	// AppendKey and AppendOwner append what a number stands for.
	AppendKey(dst []byte, key int32) []byte
	AppendOwner(dst []byte, o Owner) []byte

	// Ask answers a question. A service that keeps all its promises, and has no bad luck, is answered no.
	Ask(q Question) bool
	// Gap is how many tokens are left out before the next one.
	Gap() uint64
	// Term is how long a grant lasts, on the leader's clock; a service that keeps a-lease says lease. clock.Never is for ever.
	Term(token uint64, lease clock.Time) clock.Time

	// Tell is told what happened. On EventProposed it may call Work, and on EventCut Propose.
	Tell(e *Event)
	// Answer is the reply to a committed request, on a session that is open. It may call HangUp.
	Answer(c int32, frame []byte)
	// Write is any other frame. It may call HangUp.
	Write(c int32, frame []byte)
	// Close ends the connection of a session, after what was written.
	Close(c int32)
}

// Question is something that a service leaves open.
type Question uint8

// The questions.
const (
	AskAuth     Question = iota // is a good credential refused?
	AskLapse                    // is the credential of a session no longer good? (a-auth)
	AskIdle                     // does a node that does not lead say not_active, in place of the leader's name?
	AskNotice                   // does it say L before M?
	AskStay                     // does a session stay on a node that learns that it does not lead?
	AskMute                     // is garbage met by hanging up, without an E?
	AskOverload                 // is a request refused by E where even B costs too much?
	AskMissing                  // is N said of a grant that is held? (breaks a-final)
	AskDouble                   // is a lock granted that is held? (breaks a-lease)
)

// Event is something that happened. It is only valid during the call that tells it.
type Event struct {
	Kind  EventKind
	Verb  wire.Op // T or B
	Flag  bool
	Node  int16
	Conn  int32
	Key   int32
	Asked uint32 // the lease that was asked for, in milliseconds
	Lease uint32 // the lease that counts
	Owner Owner
	Token uint64
	Data  []byte
}

// EventKind says what happened.
type EventKind uint8

// The events. Beside each: the fields that it sets.
const (
	EventGreeted    EventKind = iota // Conn: its H was good
	EventRefused                     // Conn, Node: its H was not
	EventGarbled                     // Conn, Node, Data: it said what is no frame
	EventProposed                    // Node: holds one proposal more
	EventQueued                      // Node, Key, Owner, Asked
	EventGranted                     // Node, Key, Owner, Asked, Lease, Token, Flag (it was queued)
	EventDenied                      // Node, Key, Owner, Verb: it is never granted
	EventFreed                       // Node, Key, Token, Flag (by a release; else its lease is over)
	EventMissing                     // Node, Key, Token: a release found no such grant
	EventIdle                        // Key: nobody holds it, and nobody waits for it
	EventDied                        // Key, Owner: it was queued, and its connection ended
	EventLost                        // Key, Owner: it was queued, and a new leader does not know of it
	EventUnanswered                  // Conn, Node: a reply had nowhere to go
	EventDeposed                     // Node: learned that it does not lead
	EventCut                         // Conn, Node, Data: a session ended with this line unfinished
	EventOver                        // Conn, Node: a session has ended
)
