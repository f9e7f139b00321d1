package blackbox

import (
	"math"

	"ticketing/model"
)

// instant is a place on the history's line of time: a time, and the stamp it comes after. Two stamps may
// share a time; their positions still tell which came first.
type instant struct {
	at  int64 // nanoseconds
	seq int64
}

func (a instant) before(b instant) bool {
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}

func (a instant) max(b instant) instant {
	if a.before(b) {
		return b
	}
	return a
}

// after returns the earliest instant at which d nanoseconds since a are over. No stamp of that time is
// known to come before it.
func (a instant) after(d int64) instant { return instant{a.at + d, math.MinInt64} }

// opens returns the first instant of an operation's window. Clocks that may be wrong widen it on both
// sides, and positions, which were made from those clocks, order nothing then.
func opens(h *model.Header, op *model.Op) instant {
	if h.UncertaintyNanos > 0 {
		return instant{op.Call.At - h.UncertaintyNanos, math.MinInt64}
	}
	return instant{op.Call.At, op.Call.Seq}
}

// shuts returns the last instant of an operation's window.
func shuts(h *model.Header, op *model.Op) instant {
	if h.UncertaintyNanos > 0 {
		return instant{op.Return.At + h.UncertaintyNanos, math.MaxInt64}
	}
	return instant{op.Return.At, op.Return.Seq}
}

// told returns the first instant at which the caller of op can have had its reply.
func told(h *model.Header, op *model.Op) instant {
	if h.UncertaintyNanos > 0 {
		return instant{op.Return.At - h.UncertaintyNanos, math.MinInt64}
	}
	return instant{op.Return.At, op.Return.Seq}
}
