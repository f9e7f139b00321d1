package wire

import (
	"bytes"
	"math"
)

// ParseReply parses one frame from a server at the head of buf into r and returns its length with the
// newline. A length of 0 without an error asks for more bytes. The error is an *Error; r is then of no use.
//
// An E is its code, bytes of '!'..'~', and what follows one space, bytes of ' '..'~'. A space with nothing
// behind it is an empty field: malformed.
func ParseReply(buf []byte, r *Reply) (n int, err error) {
	*r = Reply{}
	op, c, n, bad := open(buf)
	if n == 0 || bad != nil {
		return 0, asError(bad)
	}
	switch op {
	case 'A':
		r.Op, r.Key, r.Owner = OpGranted, c.word(MaxName, errKey), c.word(MaxName, errOwner)
		r.Token, r.Lease = c.token(), uint32(c.number(1, MaxLease, errLease))
	case 'T':
		r.Op, r.Key, r.Owner = OpTimedOut, c.word(MaxName, errKey), c.word(MaxName, errOwner)
	case 'B':
		r.Op, r.Key, r.Owner = OpBusy, c.word(MaxName, errKey), c.word(MaxName, errOwner)
	case 'R':
		r.Op, r.Key, r.Token = OpReleased, c.word(MaxName, errKey), c.token()
	case 'N':
		r.Op, r.Key, r.Token = OpNotFound, c.word(MaxName, errKey), c.token()
	case 'M':
		r.Op, r.Addr = OpMoved, c.word(MaxAddr, errAddr)
	case 'L':
		r.Op, r.Addr = OpNotice, c.word(MaxAddr, errAddr)
	case 'E':
		r.Op, r.Code, r.Text = OpError, c.word(MaxFrame, errCode), c.text()
	default:
		return 0, errUnknown
	}
	if bad := c.end(); bad != nil {
		return 0, bad
	}
	return n, nil
}

// ParseRequest parses one frame from a client at the head of buf into r and returns its length with the
// newline. A length of 0 without an error asks for more bytes. The error is an *Error; r is then of no use.
func ParseRequest(buf []byte, r *Request) (n int, err error) {
	*r = Request{}
	op, c, n, bad := open(buf)
	if n == 0 || bad != nil {
		return 0, asError(bad)
	}
	switch op {
	case 'H':
		r.Op = OpHello
		if string(c.word(1, errVersion)) != Version && c.bad == nil {
			return 0, errVersion
		}
		r.Credential = c.word(MaxCredential, errCredential)
	case 'A':
		r.Op, r.Key, r.Owner = OpAcquire, c.word(MaxName, errKey), c.word(MaxName, errOwner)
		r.Wait, r.Lease = uint32(c.number(0, MaxWait, errWait)), uint32(c.number(1, MaxLease, errLease))
	case 'R':
		r.Op, r.Key, r.Token = OpRelease, c.word(MaxName, errKey), c.token()
	default:
		return 0, errUnknown
	}
	if bad := c.end(); bad != nil {
		return 0, bad
	}
	return n, nil
}

// asError keeps a nil *Error from becoming an error that is not nil.
func asError(bad *Error) error {
	if bad == nil {
		return nil
	}
	return bad
}

// open finds the line at the head of buf, n bytes with its newline, and splits off its op, one letter that
// is upper-case. n is 0 while the line is not whole.
func open(buf []byte) (op byte, c cursor, n int, bad *Error) {
	i := bytes.IndexByte(buf[:min(len(buf), MaxFrame)], '\n')
	switch {
	case i < 0 && len(buf) >= MaxFrame:
		return 0, c, 0, errOversized
	case i < 0:
		return 0, c, 0, nil
	case i == 0 || buf[0] < 'A' || buf[0] > 'Z':
		return 0, c, i + 1, errOp
	case i > 1 && buf[1] != ' ':
		return 0, c, i + 1, errOp
	}
	return buf[0], cursor{rest: buf[1:i]}, i + 1, nil
}

// cursor walks over the fields of a line. Each begins with the space before it. The first thing that is
// wrong stays.
type cursor struct {
	rest []byte
	bad  *Error
}

// word takes a field of 1 to limit visible bytes.
func (c *cursor) word(limit int, bad *Error) []byte {
	if len(c.rest) == 0 || c.rest[0] != ' ' {
		c.fail(bad)
		return nil
	}
	i := 1
	for i < len(c.rest) && visible(c.rest[i]) {
		i++
	}
	if i == 1 || i-1 > limit {
		c.fail(bad)
		return nil
	}
	w := c.rest[1:i:i]
	// A byte that stopped the scan and is no space fails the next field, or the end.
	c.rest = c.rest[i:]
	return w
}

// number takes a decimal of low to high, without sign or leading zero.
func (c *cursor) number(low, high uint64, bad *Error) uint64 {
	w := c.word(20, bad)
	if len(w) == 0 || (w[0] == '0' && len(w) > 1) {
		c.fail(bad)
		return 0
	}
	var v uint64
	for _, b := range w {
		d := uint64(b - '0')
		if d > 9 || v > (math.MaxUint64-d)/10 {
			c.fail(bad)
			return 0
		}
		v = v*10 + d
	}
	if v < low || v > high {
		c.fail(bad)
	}
	return v
}

func (c *cursor) token() uint64 { return c.number(1, math.MaxUint64, errToken) }

// text takes what is left of an E, if anything is.
func (c *cursor) text() []byte {
	if len(c.rest) == 0 {
		return nil
	}
	w := c.rest[1:]
	if c.rest[0] != ' ' || len(w) == 0 {
		c.fail(errText)
		return nil
	}
	for _, b := range w {
		if b != ' ' && !visible(b) {
			c.fail(errText)
			return nil
		}
	}
	c.rest = nil
	return w
}

func (c *cursor) end() *Error {
	if len(c.rest) > 0 {
		c.fail(errExtra)
	}
	return c.bad
}

func (c *cursor) fail(bad *Error) {
	if c.bad == nil {
		c.bad = bad
	}
	c.rest = nil
}
