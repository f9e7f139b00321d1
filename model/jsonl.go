package model

import (
	"fmt"
	"math"
	"strconv"
)

// appendJSONHeader and its like write the JSON lines schema. Field names are plain ASCII; of all strings
// only a key can need an escape.
func appendJSONHeader(dst []byte, h *Header) []byte {
	dst = appendField(dst, `{"`+magic+`":`, Version)
	dst = appendField(dst, `,"drift_ppm":`, uint64(h.DriftPPM))
	dst = strconv.AppendInt(append(dst, `,"uncertainty_nanos":`...), h.UncertaintyNanos, 10)
	dst = strconv.AppendBool(append(dst, `,"lane_recorded":`...), h.LaneRecorded)
	return append(dst, '}')
}

func appendJSONOp(dst []byte, key string, op *Op) []byte {
	dst = append(append(dst, `{"op":"`...), op.Kind.String()...)
	dst = strconv.AppendInt(append(dst, `","client":`...), int64(op.Client), 10)
	dst = appendJSONString(append(dst, `,"key":`...), key)
	dst = appendJSONStamp(append(dst, `,"call":`...), op.Call)
	dst = appendJSONStamp(append(dst, `,"return":`...), op.Return)
	if op.Kind == Acquire {
		dst = appendField(dst, `,"wait":`, uint64(op.Wait))
	} else {
		dst = appendField(dst, `,"token":`, op.Token)
		dst = appendField(dst, `,"tries":`, uint64(op.Tries))
	}
	if op.Lane {
		dst = append(dst, `,"lane":true`...)
	}
	dst = append(append(dst, `,"outcome":"`...), op.Outcome.String()...)
	dst = append(dst, '"')
	if op.Kind == Acquire && op.Token != 0 {
		dst = appendField(dst, `,"token":`, op.Token)
		dst = appendField(dst, `,"lease":`, uint64(op.Lease))
	}
	return append(dst, '}')
}

func appendJSONStamp(dst []byte, s Stamp) []byte {
	dst = strconv.AppendInt(append(dst, '['), s.Seq, 10)
	dst = strconv.AppendInt(append(dst, ','), s.At, 10)
	return append(dst, ']')
}

func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}

// seen is the set of fields that a line had.
type seen uint32

const (
	hasMagic seen = 1 << iota
	hasDrift
	hasUncertainty
	hasLaneRecorded
	hasOp
	hasClient
	hasKey
	hasCall
	hasReturn
	hasWait
	hasToken
	hasTries
	hasLane
	hasOutcome
	hasLease
	hasTaint
)

// The fields that a line must have, and those that it may have besides.
const (
	headerFields = hasMagic | hasDrift | hasUncertainty | hasLaneRecorded
	opFields     = hasOp | hasClient | hasKey | hasCall | hasReturn | hasOutcome
	opOptions    = hasWait | hasToken | hasTries | hasLane | hasLease
	taintFields  = hasTaint | hasKey
)

func (l *line) parseJSON(b []byte) error {
	*l = line{}
	o := object{rest: b}
	var has seen
	for o.pair() {
		field := l.field(&o, o.name)
		if has&field != 0 {
			o.fail("field %s twice", quote(o.name))
		}
		has |= field
	}
	if o.err != nil {
		return o.err
	}
	switch {
	case has == headerFields:
		l.what = lineHeader
	case has == hasKey:
		l.what = lineKey
	case has == taintFields:
		l.what = lineTaint
		if l.taint == 0 {
			return fmt.Errorf("token 0 cannot be tainted")
		}
	case has&opFields == opFields && has&^(opFields|opOptions) == 0:
		l.what = lineOp
	default:
		return fmt.Errorf("a field too few or too many for a header, a key, an operation or a taint")
	}
	return nil
}

// field reads the value of one field into l.
func (l *line) field(o *object, name []byte) seen {
	op := &l.op
	switch string(name) {
	case "op":
		b := o.string()
		if op.Kind = parseKind(b); op.Kind == 0 {
			o.fail("%s is no operation", quote(b))
		}
		return hasOp
	case "client":
		op.Client = int32(o.int(math.MinInt32, math.MaxInt32))
		return hasClient
	case "key":
		l.key = o.string()
		return hasKey
	case "call":
		op.Call = o.stamp()
		return hasCall
	case "return":
		op.Return = o.stamp()
		return hasReturn
	case "wait":
		op.Wait = uint32(o.int(0, millisMax))
		return hasWait
	case "token":
		op.Token = o.uint()
		return hasToken
	case "tries":
		op.Tries = uint8(o.int(0, math.MaxUint8))
		return hasTries
	case wordLane:
		op.Lane = o.bool()
		return hasLane
	case "outcome":
		b := o.string()
		if op.Outcome = parseOutcome(b); op.Outcome == 0 {
			o.fail("%s is no outcome", quote(b))
		}
		return hasOutcome
	case "lease":
		op.Lease = uint32(o.int(0, millisMax))
		return hasLease
	case "taint":
		l.taint = o.uint()
		return hasTaint
	}
	return l.header.field(o, name)
}

func (h *Header) field(o *object, name []byte) seen {
	switch string(name) {
	case magic:
		if v := o.uint(); o.err == nil && v != Version {
			o.err = versionError(v)
		}
		return hasMagic
	case "drift_ppm":
		h.DriftPPM = uint32(o.int(0, DriftPPMMax))
		return hasDrift
	case "uncertainty_nanos":
		h.UncertaintyNanos = o.int(0, UncertaintyNanosMax)
		return hasUncertainty
	case "lane_recorded":
		h.LaneRecorded = o.bool()
		return hasLaneRecorded
	}
	o.fail("unknown field %s", quote(name))
	return 0
}
