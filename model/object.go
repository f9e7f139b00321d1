package model

import (
	"bytes"
	"fmt"
	"strconv"
)

// object takes one flat JSON object apart, without an allocation. It knows what the schema needs of JSON:
// strings, whole numbers, booleans and pairs of numbers. The first thing that is wrong sticks.
type object struct {
	rest []byte
	name []byte // of the field whose value is next
	err  error
	open bool
	done bool
}

func (o *object) fail(format string, args ...any) {
	if o.err == nil {
		o.err = fmt.Errorf(format, args...)
	}
}

// pair moves to the next field and returns false after the last.
func (o *object) pair() bool {
	switch {
	case o.err != nil || o.done:
		return false
	case !o.open:
		o.want('{')
		o.open = true
		if o.peek() == '}' {
			o.close()
			return false
		}
	case o.peek() == '}':
		o.close()
		return false
	default:
		o.want(',')
	}
	o.name = o.string()
	o.want(':')
	return o.err == nil
}

func (o *object) close() {
	o.want('}')
	o.done = true
	if o.peek() != 0 {
		o.fail("%s after the object's end", quote(o.rest))
	}
}

// peek returns the next byte that is not white space; zero at the end of the line.
func (o *object) peek() byte {
	for len(o.rest) > 0 && (o.rest[0] == ' ' || o.rest[0] == '\t' || o.rest[0] == '\r') {
		o.rest = o.rest[1:]
	}
	if len(o.rest) == 0 {
		return 0
	}
	return o.rest[0]
}

func (o *object) want(c byte) {
	if o.err != nil {
		return
	}
	if o.peek() != c || len(o.rest) == 0 {
		o.fail("%s where JSON has %q", quote(o.rest), string(c))
		return
	}
	o.rest = o.rest[1:]
}

// string returns a string, a part of the line unless it has escapes.
func (o *object) string() []byte {
	o.want('"')
	if o.err != nil {
		return nil
	}
	for i, c := range o.rest {
		switch c {
		case '"':
			s := o.rest[:i]
			o.rest = o.rest[i+1:]
			return s
		case '\\':
			return o.escaped(i)
		}
	}
	o.fail("a string without an end")
	return nil
}

// escaped returns the string whose first escape is at i.
func (o *object) escaped(i int) []byte {
	s := bytes.Clone(o.rest[:i])
	b := o.rest[i:]
	for len(b) > 0 && b[0] != '"' {
		if b[0] != '\\' {
			s, b = append(s, b[0]), b[1:]
			continue
		}
		c, size := unescape(b)
		if size == 0 {
			o.fail("the escape %s, which no key needs", quote(b[:min(len(b), 6)]))
			return nil
		}
		s, b = append(s, c), b[size:]
	}
	if len(b) == 0 {
		o.fail("a string without an end")
		return nil
	}
	o.rest = b[1:]
	return s
}

// unescape reads one escape of an ASCII byte and returns its length; zero if it is none.
func unescape(b []byte) (byte, int) {
	switch {
	case len(b) >= 2 && (b[1] == '"' || b[1] == '\\' || b[1] == '/'):
		return b[1], 2
	case len(b) >= 6 && b[1] == 'u':
		if v, err := strconv.ParseUint(string(b[2:6]), 16, 7); err == nil {
			return byte(v), 6
		}
	}
	return 0, 0
}

// number returns the bytes of a number; of what is there instead, so that an error can show it, if there is none.
func (o *object) number() []byte {
	o.peek()
	i := 0
	for i < len(o.rest) && (o.rest[i] == '-' || o.rest[i] >= '0' && o.rest[i] <= '9') {
		i++
	}
	if i == 0 {
		return o.rest
	}
	b := o.rest[:i]
	o.rest = o.rest[i:]
	return b
}

func (o *object) uint() uint64 {
	b := o.number()
	v, ok := parseUint(b)
	if !ok {
		o.fail("%s where %s is a number of up to 64 bits", quote(b), o.name)
	}
	return v
}

func (o *object) int(least, most int64) int64 {
	b := o.number()
	v, ok := parseInt(b)
	if !ok || v < least || v > most {
		o.fail("%s where %s is a number in %d..%d", quote(b), o.name, least, most)
	}
	return v
}

func (o *object) bool() bool {
	o.peek()
	for _, word := range []string{"true", "false"} {
		if rest, ok := bytes.CutPrefix(o.rest, []byte(word)); ok {
			o.rest = rest
			return word == "true"
		}
	}
	o.fail("%s where %s is true or false", quote(o.rest), o.name)
	return false
}

func (o *object) stamp() Stamp {
	o.want('[')
	seq := o.int(0, SeqMax)
	o.want(',')
	at := o.int(-AtMax, AtMax)
	o.want(']')
	return Stamp{Seq: seq, At: at}
}
