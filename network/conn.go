package network

import (
	"encoding/binary"

	"ticketing/sim/clock"
)

// conn is one connection slot.
type conn struct {
	host   [2]Host
	phase  [2]phase
	answer answer
	reset  bool    // the dialer is closing because of a reset that it has not been told of
	pipe   [2]pipe // by the side that writes
	write  write
}

// phase is where one side is.
//
//   - gone: it never was, was told of its end, or crashed.
//   - coming: the dial is under way; of the dialer: not answered yet.
//   - open: it was told that the connection is up.
//   - closing: it has ended and was not told yet.
type phase uint8

const (
	gone phase = iota
	coming
	open
	closing
)

// answer is what is under way to a dialer that is coming.
type answer uint8

const (
	answerNone answer = iota
	answerOpened
	answerRefused
)

// write is the dialer's outstanding write.
type write struct {
	pending bool
	failed  bool
	halted  bool   // by FaultZeroWindow
	n       int    // bytes accepted
	held    []byte // the rest
}

func (k *conn) free() bool { return k.phase == [2]phase{} }

// hears reports whether s can be told of bytes.
func (k *conn) hears(s Side) bool { return k.phase[s] == open || k.phase[s] == closing }

// knows reports whether the host of s has the connection: an acceptor knows nothing of a dial under way.
func (k *conn) knows(s Side) bool { return k.hears(s) || s == Dialer && k.phase[s] == coming }

// swallows reports whether what s has accepted reaches nobody.
func (k *conn) swallows(s Side) bool {
	p := &k.pipe[s]
	return p.hole || p.end != endNone || k.phase[s.other()] == gone
}

// inFlight reports whether k has bytes under way and no end yet, so that a reset would tell anything.
func (k *conn) inFlight() bool {
	return k.pipe[Dialer].end == endNone && k.pipe[Acceptor].end == endNone &&
		(k.pipe[Dialer].hasBytes() || k.pipe[Acceptor].hasBytes())
}

func (w *write) clear() { *w = write{held: w.held[:0]} }

// clear makes k free.
func (k *conn) clear() {
	k.host, k.phase, k.answer, k.reset = [2]Host{}, [2]phase{}, answerNone, false
	k.pipe[Dialer].reset()
	k.pipe[Acceptor].reset()
	k.write.clear()
}

func (k *conn) copyFrom(src *conn) {
	if src.free() {
		k.clear()
		return
	}
	k.host, k.phase, k.answer, k.reset = src.host, src.phase, src.answer, src.reset
	k.pipe[Dialer].copyFrom(&src.pipe[Dialer])
	k.pipe[Acceptor].copyFrom(&src.pipe[Acceptor])
	held := append(k.write.held[:0], src.write.held...)
	k.write = src.write
	k.write.held = held
}

func (k *conn) appendState(now clock.Time, dst []byte) []byte {
	dst = append(dst, byte(k.phase[Dialer])|byte(k.phase[Acceptor])<<2|byte(k.answer)<<4|flag(k.reset, 1<<6))
	if k.free() {
		return dst
	}
	dst = append(dst, byte(k.host[Dialer]), byte(k.host[Acceptor]))
	dst = k.pipe[Dialer].appendState(now, dst)
	dst = k.pipe[Acceptor].appendState(now, dst)
	w := &k.write
	dst = append(dst, flag(w.pending, 1)|flag(w.failed, 2)|flag(w.halted, 4))
	if w.pending {
		dst = binary.AppendUvarint(dst, uint64(w.n))
		dst = binary.AppendUvarint(dst, uint64(len(w.held)))
		dst = append(dst, w.held...)
	}
	return dst
}
