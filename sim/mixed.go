package sim

import (
	"math/bits"

	"ticketing/network"
)

// Blow is a kind of thing that goes wrong, several faults of one nature together.
type Blow uint8

// The blows.
const (
	BlowRefuse  Blow = iota // a dial is refused or never answered
	BlowStall               // bytes, or the word on a write, are far later; or bytes come one by one
	BlowWrite               // a write fails or is short
	BlowWindow              // a write halts
	BlowReset               // a connection is reset, or cut
	BlowSilence             // a black hole, or an end that is not told
	BlowBlock               // a partition in one direction
	BlowLeader              // the leader falls
	BlowCrash               // a node crashes
	BlowPause               // a node sleeps
	BlowLie                 // an answer is not what an honest service says
	BlowCancel              // a caller gives up
	BlowClose               // a client is closed with work in flight
	BlowJump                // the clock of a client jumps
	BlowSleep               // a client sleeps
	BlowRestart             // a client dies
	numBlows    = int(iota)
)

var blowNames = [numBlows]string{"net.refuse", "net.stall", "net.write", "net.window", "net.reset", "net.silence", "net.block",
	"leader-fall", "node-crash", "node-pause", "lie", "cancel", "close", "clock-jump", "client-sleep", "client-crash"}

// phase is where the request of a caller is.
type phase uint8

const (
	phaseNone      phase = iota
	phaseBefore          // in the client, unsent
	phaseWriting         // handed to the transport
	phaseSent            // accepted by it; not committed yet
	phaseQueued          // committed, and waiting for its turn
	phaseGranted         // granted; the reply is under way
	phaseReleasing       // a release is under way
	numPhases      = int(iota) - 1
)

var phaseNames = [...]string{phaseBefore: "before", phaseWriting: "writing", phaseSent: "sent", phaseQueued: "queued",
	phaseGranted: "granted", phaseReleasing: "releasing"}

// Mixed counts in which phase of some request of its client each blow fell (once a blow and phase), and in how many worlds
// each pair of blows met. It is no part of the state.
type Mixed [NumMixed]uint64

// The rows of Mixed: phases by blow, then pairs.
const (
	NumMixed   = mixedPairs + numBlows*(numBlows-1)/2
	mixedPairs = numBlows * numPhases
)

// MixedNames has the name of each row: "phase/net.reset/queued" and "pair/net.reset+leader-fall". What cannot be has none.
var MixedNames = func() (names [NumMixed]string) {
	for b := range numBlows {
		for p := range numPhases {
			names[b*numPhases+p] = "phase/" + blowNames[b] + "/" + phaseNames[p+1]
		}
		if Blow(b) == BlowRefuse {
			// A client that dials has no connection on which a request could be.
			names[b*numPhases+int(phaseWriting)-1], names[b*numPhases+int(phaseSent)-1] = "", ""
		}
		for a := range b {
			names[pairRow(a, b)] = "pair/" + blowNames[a] + "+" + blowNames[b]
		}
	}
	return names
}()

// pairRow is the row of two blows, a below b.
func pairRow(a, b int) int { return mixedPairs + b*(b-1)/2 + a }

// mix is what a world remembers for its Mixed counts.
type mix struct {
	counts Mixed
	met    uint32  // the blows that fell in this world
	phases []phase // by caller
}

func (m *mix) reset(callers int) {
	m.counts, m.met = Mixed{}, 0
	m.phases = resize(m.phases, callers)
	clear(m.phases)
}

// Mixed are the counts of this run so far.
func (w *World) Mixed() *Mixed { return &w.mix.counts }

// blow counts a blow that falls on client c, or on all if c is NoClient.
func (w *World) blow(b Blow, c int) {
	m := &w.mix
	if m.met>>b&1 == 0 {
		for rest := m.met; rest != 0; rest &= rest - 1 {
			other := bits.TrailingZeros32(rest)
			m.counts[pairRow(min(other, int(b)), max(other, int(b)))]++
		}
		m.met |= 1 << b
	}
	phases := m.phases
	if c != NoClient {
		phases = phases[c*w.p.Callers : (c+1)*w.p.Callers]
	}
	var seen uint8
	for _, p := range phases {
		seen |= 1 << p
	}
	for p := range numPhases {
		m.counts[int(b)*numPhases+p] += uint64(seen >> (p + 1) & 1)
	}
}

// blows counts the faults of the network that happened during this event.
func (w *World) blows() {
	faults, conn := w.net.Met()
	if faults == 0 {
		return
	}
	c := NoClient
	if conn >= 0 {
		c = int(w.dialers[conn])
	}
	var seen uint32
	for ; faults != 0; faults &= faults - 1 {
		seen |= 1 << blowOf[bits.TrailingZeros32(faults)]
	}
	for seen &^= 1 << noBlow; seen != 0; seen &= seen - 1 {
		w.blow(Blow(bits.TrailingZeros32(seen)), c)
	}
}

// moved notes that the request of caller k of client c is in another phase.
func (w *World) moved(c, k int, to phase) {
	w.mix.phases[c*w.p.Callers+k] = to
}

// busy reports whether a client has a request under way.
func (w *World) busy(c int) bool {
	for _, p := range w.mix.phases[c*w.p.Callers : (c+1)*w.p.Callers] {
		if p != phaseNone {
			return true
		}
	}
	return false
}

// movedOn is moved for an acquire that is seen by its owner and lease, if it is the present one of its caller as far as can be
// told.
func (w *World) movedOn(o Owner, lease uint32, to phase) {
	k := int(lease % MaxCallers)
	if o.Client == NoClient || k >= w.p.Callers {
		return
	}
	if p := &w.mix.phases[int(o.Client)*w.p.Callers+k]; *p >= phaseBefore && *p <= phaseQueued {
		*p = to
	}
}

// wroteOn is movedOn for what the transport said of a frame; a grant may have been faster.
func (w *World) wroteOn(f *frame, to phase) {
	k := int(f.lease % MaxCallers)
	if f.owner.Client == NoClient || k >= w.p.Callers {
		return
	}
	if p := &w.mix.phases[int(f.owner.Client)*w.p.Callers+k]; *p == phaseWriting {
		*p = to
	}
}

// noBlow is for faults of the network that harm nothing.
const noBlow = Blow(numBlows)

var blowOf = [network.NumFaults]Blow{
	network.FaultRefuse: BlowRefuse, network.FaultDialHole: BlowRefuse,
	network.FaultStall: BlowStall, network.FaultStallWrote: BlowStall, network.FaultTrickle: BlowStall, network.FaultLeftOver: BlowStall,
	network.FaultShortWrite: BlowWrite, network.FaultWriteError: BlowWrite,
	network.FaultZeroWindow: BlowWindow,
	network.FaultReset:      BlowReset, network.FaultCloseReset: BlowReset, network.FaultCrashLoss: BlowReset,
	network.FaultBlackHole: BlowSilence, network.FaultHalfOpen: BlowSilence, network.FaultCrashHush: BlowSilence,
	network.FaultSplit: noBlow, network.FaultJoin: noBlow,
}
