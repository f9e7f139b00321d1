package sim

import (
	"bytes"
	"encoding/binary"

	"ticketing/client/wire"
)

// A world reads frames for itself, by the words of the protocol (its §2). Were it to read them with the codec of the client,
// what that takes for a frame would be one, and no audit could tell.

// lineMax is how long a line may be, with its newline.
const lineMax = 1024

// shape is a kind of frame: its op, and its fields in order, a letter each.
//
//	k o    a key, an owner: at most 200 bytes
//	a      an address: at most 255 bytes
//	s      a credential: at most 800 bytes
//	1      the version
//	t      a token
//	w l    a wait, a lease
//	c      a code, which free text may follow
type shape struct {
	op     wire.Op
	fields string
}

// answers and asks are the frames of either side, by their first letter.
var (
	answers = [26]shape{
		0: {wire.OpGranted, "kotl"}, 'T' - 'A': {wire.OpTimedOut, "ko"}, 'B' - 'A': {wire.OpBusy, "ko"},
		'R' - 'A': {wire.OpReleased, "kt"}, 'N' - 'A': {wire.OpNotFound, "kt"},
		'M' - 'A': {wire.OpMoved, "a"}, 'L' - 'A': {wire.OpNotice, "a"}, 'E' - 'A': {wire.OpError, "c"},
	}
	asks = [26]shape{'H' - 'A': {wire.OpHello, "1s"}, 0: {wire.OpAcquire, "kowl"}, 'R' - 'A': {wire.OpRelease, "kt"}}
)

// reading is what was read of a line: the fields of all kinds of frame.
type reading struct {
	op     wire.Op
	key    []byte
	owner  []byte
	word   []byte // an address, a credential, a code
	token  uint64
	wait   uint32
	lease  uint32
	length int // bytes of the line with its newline; 0: it is not whole
}

// read reads the frame at the head of buf, one of the given side's. It reports false for what is none and cannot become one.
func (r *reading) read(buf []byte, side *[26]shape) bool {
	*r = reading{}
	end := bytes.IndexByte(buf, '\n')
	switch {
	case end >= lineMax || end < 0 && len(buf) >= lineMax:
		return false
	case end < 0:
		return true
	case end == 0 || buf[0] < 'A' || buf[0] > 'Z':
		return false
	}
	r.length = end + 1
	s := &side[buf[0]-'A']
	r.op = s.op
	rest := buf[1:end]
	for i := range len(s.fields) {
		if len(rest) == 0 || rest[0] != ' ' {
			return false
		}
		field := rest[1:]
		if at := bytes.IndexByte(field, ' '); at >= 0 {
			field = field[:at]
		}
		rest = rest[1+len(field):]
		if !printable(field, '!') || !r.take(s.fields[i], field) {
			return false
		}
	}
	if r.op == wire.OpError && len(rest) > 0 {
		return len(rest) > 1 && rest[0] == ' ' && printable(rest, ' ')
	}
	return r.op != wire.OpNone && len(rest) == 0
}

// take keeps a field of the kind that a letter names, and says whether it is one.
func (r *reading) take(kind byte, field []byte) (ok bool) {
	var v uint64
	switch kind {
	case 'k':
		r.key = field
		return len(field) <= 200
	case 'o':
		r.owner = field
		return len(field) <= 200
	case 'a':
		r.word = field
		return len(field) <= 255
	case 's':
		r.word = field
		return len(field) <= 800
	case 'c':
		r.word = field
		return true
	case '1':
		return string(field) == "1"
	case 't':
		r.token, ok = decimal(field, "18446744073709551615")
		return ok && r.token > 0
	case 'w':
		v, ok = decimal(field, "2147483647")
		r.wait = uint32(v)
		return ok
	default:
		v, ok = decimal(field, "2147483647")
		r.lease = uint32(v)
		return ok && v > 0
	}
}

// decimal reads digits, without a zero before them, of a number that is at most the one that most spells.
func decimal(digits []byte, most string) (v uint64, ok bool) {
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		v = 10*v + uint64(d-'0')
	}
	longer := len(digits) > len(most) || len(digits) == len(most) && string(digits) > most
	return v, !longer && (digits[0] != '0' || len(digits) == 1)
}

// printable says whether there are bytes, all of them from low to the tilde. Names may be long: it goes by eight.
func printable(b []byte, low byte) bool {
	some := len(b) > 0
	for ; len(b) >= 8; b = b[8:] {
		if !eightPrintable(binary.LittleEndian.Uint64(b), uint64(low)) {
			return false
		}
	}
	for _, c := range b {
		if c < low || c > '~' {
			return false
		}
	}
	return some
}

// eightPrintable is printable for eight bytes: none has its highest bit, which one above the tilde gets from a 1 added, and
// one below low does not from what low lacks of it.
func eightPrintable(w, low uint64) bool {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	rest := w &^ high
	return (w|(rest+ones)|^(rest+(0x80-low)*ones))&high == 0
}
