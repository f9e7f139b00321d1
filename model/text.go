package model

import "strconv"

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
		dst = append(dst, " lane"...)
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
