package network

import "ticketing/sim/choice"

// Fault numbers the ways in which the network misbehaves.
type Fault uint8

// The faults. Beside each: when it is asked about, and what it does.
const (
	FaultRefuse     Fault = iota // a dial arrives: refused, although the host listens
	FaultDialHole                // a dial: never answered
	FaultStall                   // bytes are accepted, a dial sent: far longer under way
	FaultStallWrote              // a write is accepted: told of it far later
	FaultShortWrite              // a write: ends with fewer bytes than asked, without an error
	FaultWriteError              // a write: ends with an error after any number of bytes, all included
	FaultZeroWindow              // a write: halts after any number of bytes until Heal or the end of the connection
	FaultSplit                   // bytes arrive: a part of them first
	FaultJoin                    // bytes arrive: together with later ones that are due
	FaultTrickle                 // bytes are accepted: they arrive one by one
	FaultReset                   // bytes are accepted or arrive: the connection is reset; what is in flight is lost, or one direction of it survives
	FaultBlackHole               // bytes are accepted: from these on, nothing of this direction, of the other, or of both arrives
	FaultHalfOpen                // bytes arrive at the acceptor: they are lost, it ends, and the dialer is not told
	FaultCloseReset              // a side closes: what it had in flight is lost, and the other side sees a reset
	FaultLeftOver                // a side closes: what it had in flight arrives far later
	FaultCrashLoss               // a host crashes: what it had in flight is lost
	FaultCrashHush               // a host crashes: the other side is not told
	NumFaults       = int(iota)
)

// Faults says how often each fault happens when it can: odds out of choice.OddsOne. Zero: it is not asked about.
type Faults [NumFaults]uint16

// Budgets says how often each fault may happen, since Reset.
type Budgets [NumFaults]uint8

// Count numbers what a Net counts: the faults by their own numbers, then these.
type Count int

// The counts of what happened without being asked about.
const (
	CountCut          = Count(NumFaults + iota) // Cut was called on a live connection
	CountOverflow                               // an acceptor wrote more than fits, and the connection was reset
	CountWait                                   // a write had to wait for room
	CountEarlyReply                             // the dialer received bytes before it was told that its write ended
	CountStale                                  // the acceptor received bytes after the dialer had its EventClosed
	CountLateReceived                           // a side received bytes after it had closed
	CountRefused                                // a dial met a host that does not listen
	CountBlocked                                // bytes, an end or a dial had to wait for a partition
	CountCrash                                  // a crash ended a side
	NumCounts         = int(NumFaults) + int(iota)
)

// Counts says how often each thing happened since Reset. It is no part of the state.
type Counts [NumCounts]uint64

var countNames = [NumCounts]string{
	"net.refuse", "net.dial-hole", "net.stall", "net.stall-wrote", "net.short-write", "net.write-error", "net.zero-window",
	"net.split", "net.join", "net.trickle", "net.reset", "net.black-hole", "net.half-open", "net.close-reset",
	"net.left-over", "net.crash-loss", "net.crash-hush",
	"net.cut", "net.overflow", "net.wait", "net.early-reply", "net.stale", "net.late-received", "net.refused", "net.blocked", "net.crash",
}

// String is the fault's name, which is that of its choice label and of its count: "net.split".
func (f Fault) String() string { return Count(f).String() }

// String is the name of the count.
func (c Count) String() string { return countNames[c] }

var labels = func() (l [NumFaults]choice.Label) {
	for i := range l {
		l[i] = choice.Label{Stream: choice.Network, Name: countNames[i]}
	}
	return l
}()

// labelCut asks what survives a Cut: as FaultReset, but that it happens is given.
var labelCut = choice.Label{Stream: choice.Network, Name: "net.cut-loss"}

// ask decides whether f happens and in which of its ways: 0 is no, and 1 to ways are its ways.
func (n *Net) ask(src choice.Source, f Fault, ways int) int {
	odds := n.o.Faults[f]
	if odds == 0 || ways < 1 {
		return 0
	}
	way := src.Choose(labels[f].WithOdds(odds), ways+1)
	if way > 0 {
		n.counts[f]++
		n.met |= 1 << f
		n.spend(f)
	}
	return way
}

// spend takes one from the budget of f, if it has one. Spent odds are part of the state: see AppendState.
func (n *Net) spend(f Fault) {
	if n.left[f] == 0 {
		return
	}
	n.left[f]--
	if n.left[f] == 0 {
		n.o.Faults[f] = 0
	}
}
