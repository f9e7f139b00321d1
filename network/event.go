package network

// Host numbers the machines of a world from 0.
type Host uint8

// Conn is the slot of a connection. It is used again once both sides have ended.
type Conn int

// NoHost is no host.
const NoHost Host = 255

// NoConn is no connection.
const NoConn Conn = -1

// Side is one end of a connection.
type Side uint8

// The sides.
const (
	Dialer Side = iota
	Acceptor
)

func (s Side) other() Side { return 1 - s }

// EventKind says what an Event tells.
type EventKind uint8

// The events. Beside each: who is told, and the fields that it sets besides Conn, Side and Peer.
const (
	EventNone     EventKind = iota // nobody: the slot was taken and there is nothing to tell
	EventOpened                    // dialer: the connection is up
	EventAccepted                  // acceptor: a connection from Peer is up
	EventReceived                  // either: Data arrived, 1 byte or more
	EventWrote                     // dialer: its write ended with N bytes accepted; Failed
	EventClosed                    // either: the connection is gone for that side, and nothing of it follows; Failed, Reset
)

var eventNames = [...]string{"none", "opened", "accepted", "received", "wrote", "closed"}

func (k EventKind) String() string { return eventNames[k] }

// Event is one thing that happened to one side of a connection.
type Event struct {
	Kind EventKind
	Side Side
	// Failed: the write ended with an error, or the dial was refused.
	Failed bool
	// Reset: the end came as an error rather than as an end of the stream.
	Reset bool
	Peer  Host // the host at the other side
	Conn  Conn
	N     int
	Data  []byte // valid until the next call of a method of the Net
}
