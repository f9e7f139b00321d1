package model

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// AppendOp appends op to dst as a line of the text schema, without the newline.
func AppendOp(dst []byte, key string, op *Op) []byte {
	dst = append(dst, op.Kind.String()...)
	dst = append(dst, " c"...)
	dst = strconv.AppendInt(dst, int64(op.Client), 10)
	dst = append(dst, ' ')
	dst = append(dst, key...)
	dst = appendStamp(dst, op.Call)
	dst = appendStamp(dst, op.Return)
	if op.Kind == Acquire {
		return appendAcquire(dst, op)
	}
	dst = appendField(dst, " token ", op.Token)
	dst = appendField(dst, " tries ", uint64(op.Tries))
	if op.Lane {
		dst = append(dst, " "+wordLane...)
	}
	dst = append(dst, ' ')
	return append(dst, op.Outcome.String()...)
}

func appendAcquire(dst []byte, op *Op) []byte {
	dst = appendField(dst, " wait ", uint64(op.Wait))
	dst = append(dst, ' ')
	dst = append(dst, op.Outcome.String()...)
	if op.Token == 0 {
		return dst
	}
	dst = appendField(dst, " ", op.Token)
	return appendField(dst, " lease ", uint64(op.Lease))
}

func appendStamp(dst []byte, s Stamp) []byte {
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, s.Seq, 10)
	dst = append(dst, '@')
	return strconv.AppendInt(dst, s.At, 10)
}

func appendField(dst []byte, name string, v uint64) []byte {
	dst = append(dst, name...)
	return strconv.AppendUint(dst, v, 10)
}

func appendTextHeader(dst []byte, h *Header) []byte {
	dst = appendField(append(dst, magic...), " ", Version)
	dst = appendField(dst, " drift ", uint64(h.DriftPPM))
	dst = strconv.AppendInt(append(dst, " uncertainty "...), h.UncertaintyNanos, 10)
	if h.LaneRecorded {
		return append(dst, " lane "+wordRecorded...)
	}
	return append(dst, " lane "+wordUnrecorded...)
}

// fields takes a text line apart. The first thing that is wrong sticks, so that a parser reads as the
// grammar and asks once.
type fields struct {
	rest []byte
	more bool
	err  error
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// next returns the next field; empty at the end of the line.
func (f *fields) next() []byte {
	if !f.more {
		return nil
	}
	var field []byte
	field, f.rest, f.more = bytes.Cut(f.rest, []byte{' '})
	if len(field) == 0 {
		f.fail("an empty field")
	}
	return field
}

func (f *fields) end() error {
	if f.more {
		f.fail("%s after its end", quote(f.rest))
	}
	return f.err
}

func (f *fields) word(want string) {
	if got := f.next(); string(got) != want {
		f.fail("%s, want %q", quote(got), want)
	}
}

func (f *fields) uint(what string, limit uint64) uint64 {
	b := f.next()
	v, ok := parseUint(b)
	if !ok || v > limit {
		f.fail("%s as %s, want a number up to %d", quote(b), what, limit)
	}
	return v
}

func (f *fields) stamp(what string) Stamp {
	b := f.next()
	seq, at, ok := bytes.Cut(b, []byte{'@'})
	s, okSeq := parseInt(seq)
	t, okAt := parseInt(at)
	if !ok || !okSeq || !okAt {
		f.fail("%s as %s, want position@nanoseconds", quote(b), what)
	}
	return Stamp{Seq: s, At: t}
}

func (l *line) parseText(b []byte) error {
	*l = line{}
	f := fields{rest: b, more: true}
	switch word := f.next(); string(word) {
	case magic:
		l.what = lineHeader
		return l.header.parseText(&f)
	case "key":
		l.what, l.key = lineKey, f.next()
	case "taint":
		l.what, l.key, l.taint = lineTaint, f.next(), f.uint("the token", math.MaxUint64)
		if l.taint == 0 {
			f.fail("token 0 cannot be tainted")
		}
	default:
		l.what, l.op.Kind = lineOp, parseKind(word)
		if l.op.Kind == 0 {
			return fmt.Errorf("starts with %s, not as a line of a ticketing history does", quote(word))
		}
		l.parseTextOp(&f)
	}
	return f.end()
}

func (h *Header) parseText(f *fields) error {
	if v := f.uint("the version", math.MaxUint32); f.err == nil && v != Version {
		return versionError(v)
	}
	f.word("drift")
	h.DriftPPM = uint32(f.uint("the drift", DriftPPMMax))
	f.word("uncertainty")
	h.UncertaintyNanos = int64(f.uint("the uncertainty", UncertaintyNanosMax))
	f.word(wordLane)
	switch b := f.next(); string(b) {
	case wordRecorded:
		h.LaneRecorded = true
	case wordUnrecorded:
	default:
		f.fail("lane %s, want %s or %s", quote(b), wordRecorded, wordUnrecorded)
	}
	return f.end()
}

func versionError(v uint64) error {
	return fmt.Errorf("version %d of the history schema, and only %d is read here", v, Version)
}

func (l *line) parseTextOp(f *fields) {
	op := &l.op
	client := f.next()
	c, ok := parseInt(bytes.TrimPrefix(client, []byte{'c'}))
	if !ok || client[0] != 'c' || c != int64(int32(c)) {
		f.fail("%s as the caller, want c and a number", quote(client))
	}
	op.Client = int32(c)
	l.key = f.next()
	op.Call, op.Return = f.stamp("the call"), f.stamp("the return")
	if op.Kind == Acquire {
		f.word("wait")
		op.Wait = uint32(f.uint("the wait", millisMax))
		op.Outcome = f.outcome(f.next())
		if f.more {
			op.Token = f.uint("the token", math.MaxUint64)
			f.word("lease")
			op.Lease = uint32(f.uint("the lease", millisMax))
		}
		return
	}
	f.word("token")
	op.Token = f.uint("the token", math.MaxUint64)
	f.word("tries")
	op.Tries = uint8(f.uint("the tries", math.MaxUint8))
	word := f.next()
	if string(word) == wordLane {
		op.Lane, word = true, f.next()
	}
	op.Outcome = f.outcome(word)
}

func (f *fields) outcome(word []byte) Outcome {
	o := parseOutcome(word)
	if o == 0 {
		f.fail("%s is no outcome", quote(word))
	}
	return o
}

// quote shows the beginning of b, whatever it holds, on one line.
func quote(b []byte) string {
	const most = 40
	if len(b) > most {
		return strconv.QuoteToASCII(string(b[:most])) + "..."
	}
	if len(b) == 0 {
		return "nothing"
	}
	return strconv.QuoteToASCII(string(b))
}

// parseUint reads a decimal without a sign or a leading zero.
func parseUint(b []byte) (uint64, bool) {
	if len(b) == 0 || len(b) > 20 || b[0] == '0' && len(b) > 1 {
		return 0, false
	}
	v := uint64(0)
	for _, c := range b {
		d := uint64(c - '0')
		if d > 9 || v > math.MaxUint64/10 || v == math.MaxUint64/10 && d > math.MaxUint64%10 {
			return 0, false
		}
		v = v*10 + d
	}
	return v, true
}

// parseInt reads a decimal that may have a minus sign.
func parseInt(b []byte) (int64, bool) {
	if rest, minus := bytes.CutPrefix(b, []byte{'-'}); minus {
		v, ok := parseUint(rest)
		return -int64(v), ok && v <= math.MaxInt64
	}
	v, ok := parseUint(b)
	return int64(v), ok && v <= math.MaxInt64
}
