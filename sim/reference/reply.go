package reference

import (
	"strconv"
	"strings"

	"ticketing/client/demux"
)

const (
	frameMax  = 1024 // bytes, newline included
	nameMax   = 200
	addrMax   = 255
	maxMillis = 1<<31 - 1
)

// reply is a parsed frame of the server. The fields that its op does not have are zero.
type reply struct {
	op    string
	key   string
	owner string
	token uint64
	lease uint32
	addr  string
	code  string
}

func frameHello(credential string) string { return "H 1 " + credential + "\n" }

func frameAcquire(key, owner string, wait int64, lease uint32) string {
	return "A " + key + " " + owner + " " + strconv.FormatInt(wait, 10) + " " + strconv.Itoa(int(lease)) + "\n"
}

func frameRelease(key string, token uint64) string {
	return "R " + key + " " + strconv.FormatUint(token, 10) + "\n"
}

// parse reads one line, its newline cut off. ok is false for what rule fatal calls malformed or unknown.
func parse(line string) (r reply, ok bool) {
	f := strings.Split(line, " ")
	r.op = f[0]
	switch {
	case r.op == "A" && len(f) == 5:
		r.key, r.owner = f[1], f[2]
		token, okToken := decimal(f[3], 1, 1<<64-1)
		lease, okLease := decimal(f[4], 1, maxMillis)
		r.token, r.lease = token, uint32(lease)
		return r, graphic(r.key, nameMax) && graphic(r.owner, nameMax) && okToken && okLease
	case (r.op == "T" || r.op == "B") && len(f) == 3:
		r.key, r.owner = f[1], f[2]
		return r, graphic(r.key, nameMax) && graphic(r.owner, nameMax)
	case (r.op == "R" || r.op == "N") && len(f) == 3:
		r.key = f[1]
		r.token, ok = decimal(f[2], 1, 1<<64-1)
		return r, ok && graphic(r.key, nameMax)
	case (r.op == "M" || r.op == "L") && len(f) == 2:
		r.addr = f[1]
		return r, graphic(r.addr, addrMax)
	case r.op == "E" && len(f) >= 2:
		r.code = f[1]
		text, hasText := strings.CutPrefix(line, "E "+r.code+" ")
		return r, graphic(r.code, frameMax) && (!hasText || text != "" && printable(text))
	}
	return r, false
}

// graphic says whether s is 1 to n bytes of '!'..'~'.
func graphic(s string, n int) bool {
	if len(s) == 0 || len(s) > n {
		return false
	}
	for i := range len(s) {
		if s[i] < '!' || s[i] > '~' {
			return false
		}
	}
	return true
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// decimal reads a number without sign and leading zero.
func decimal(s string, low, high uint64) (uint64, bool) {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil || strconv.FormatUint(v, 10) != s {
		return 0, false
	}
	return v, v >= low && v <= high
}

// received takes bytes apart into frames. What follows a closing frame is dropped, in the same read too
// (rule rest-dropped); so is everything that comes before a connection is open or after it ended, or once the
// client was closed (rule shut-down: it stops reading).
func (c *Core) received(gen demux.Generation, data []byte) {
	n := c.conn(gen)
	if n == nil || n.state != open || c.shut {
		return
	}
	n.read += string(data)
	for {
		n := c.conn(gen)
		if n.state != open {
			return
		}
		line, rest, whole := strings.Cut(n.read, "\n")
		if len(line) >= frameMax {
			c.end(gen, demux.ReasonFatal) // oversized as soon as 1,024 bytes hold no newline
			return
		}
		if !whole {
			return
		}
		n.read = rest
		if r, ok := parse(line); ok {
			c.reply(gen, r)
		} else {
			c.end(gen, demux.ReasonFatal)
		}
	}
}

func (c *Core) reply(gen demux.Generation, r reply) {
	switch r.op {
	case "A", "T", "B":
		if c.replyAcquire(gen, r) {
			c.prove(gen)
			return
		}
		if r.op == "A" {
			c.orphaned(r)
		}
		c.end(gen, demux.ReasonUnmatched)
	case "R", "N":
		if c.replyRelease(gen, r) || c.replyLane(gen, r) {
			c.prove(gen)
			return
		}
		c.end(gen, demux.ReasonUnmatched)
	case "M":
		c.moved(gen, r.addr)
	case "L":
		c.notice(gen, r.addr)
	case "E":
		c.refused(gen, r.code)
	}
}
