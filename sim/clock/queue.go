package clock

import (
	"encoding/binary"
	"math/bits"

	"ticketing/sim/choice"
)

// MaxSlots bounds the slots of a Queue, so that the set of enabled slots has a fixed size.
const MaxSlots = 1024

// DefaultSteps is how many instants of a window a Take offers: few enough to visit all of them, enough for
// two windows that overlap to interleave.
const DefaultSteps = 8

var (
	labelNext    = choice.Label{Stream: choice.Schedule, Name: "clock.next"}
	labelInstant = choice.Label{Stream: choice.Schedule, Name: "clock.instant"}
)

// Queue holds what can happen next: a fixed set of slots, each idle or armed with a window of time in which it
// is to be taken. Its owner knows what a slot stands for.
//
// Nothing is ordered when a slot is armed. Which of the slots that may go first does, and at which instant of
// its window, is chosen when it is taken, so that every order of the events of one instant is reachable. A
// slot that was cleared is never taken.
//
// The zero Queue has no slots; Reset gives it some.
type Queue struct {
	now    Time
	steps  int
	armed  []uint64 // one bit a slot
	window []window // dead where the slot is idle
	slots  []int    // for a choice.Ranker, and only during a question
}

type window struct{ earliest, latest Time }

// Reset makes q a queue of n idle slots, numbered from 0, at instant 0, with DefaultSteps. It panics if n is
// not in 0..MaxSlots.
func (q *Queue) Reset(n int) {
	if n < 0 || n > MaxSlots {
		panic("clock: a queue of fewer than 0 or more than MaxSlots slots")
	}
	q.now, q.steps = 0, DefaultSteps
	q.armed = resize(q.armed, (n+63)/64)
	q.window = resize(q.window, n)
	clear(q.armed)
}

// resize returns s with length n, its contents undefined.
func resize[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// SetSteps sets how many instants of a window a Take offers, evenly spread from its first to its last. With 1
// everything happens as early as it may. It panics below 1.
func (q *Queue) SetSteps(steps int) {
	if steps < 1 {
		panic("clock: fewer than 1 step")
	}
	q.steps = steps
}

// Now is the present instant.
func (q *Queue) Now() Time { return q.now }

// Len is the number of slots.
func (q *Queue) Len() int { return len(q.window) }

// Set arms slot id, or arms it anew: it is to be taken not before earliest and not after latest. Instants that
// have passed count as now. It panics if latest is before earliest, or is Never.
func (q *Queue) Set(id int, earliest, latest Time) {
	if latest < earliest || latest == Never {
		panic("clock: a window that ends before it begins, or never")
	}
	q.window[id] = window{max(earliest, q.now), max(latest, q.now)}
	q.armed[id>>6] |= 1 << (id & 63)
}

// Clear makes slot id idle.
func (q *Queue) Clear(id int) { q.armed[id>>6] &^= 1 << (id & 63) }

// Armed reports whether slot id is armed.
func (q *Queue) Armed(id int) bool { return q.armed[id>>6]>>(id&63)&1 != 0 }

// Window returns the window of slot id, which is armed. It panics otherwise.
func (q *Queue) Window(id int) (earliest, latest Time) {
	if !q.Armed(id) {
		panic("clock: the window of an idle slot")
	}
	w := q.window[id]
	return max(w.earliest, q.now), max(w.latest, q.now)
}

// Advance moves the present to t without taking anything, for an owner that has events of its own. It
// panics if that is in the past, or after the end of an armed window.
func (q *Queue) Advance(t Time) {
	bound, _ := q.bounds()
	if t < q.now || t > bound {
		panic("clock: an advance into the past or over an armed slot")
	}
	q.now = t
}

// Take picks the next slot, moves the present to the instant at which it is taken, and makes it idle. With
// no slot armed it reports false.
//
// No slot may be taken after the end of any other's window, so all whose windows open by then are enabled. Which
// of them goes is asked as "clock.next": 0 is the one whose window opens first (the lower number of two
// that open together), the others follow by number. When, is asked as "clock.instant".
func (q *Queue) Take(src choice.Source) (id int, ok bool) {
	bound, opens := q.bounds()
	if bound == Never {
		return 0, false
	}
	id = q.pick(src, bound, opens)
	q.Clear(id)
	q.now = q.instant(src, max(q.now, q.window[id].earliest), bound)
	return id, true
}

// bounds are the earliest end of an armed window, Never if there is none, and the earliest beginning.
func (q *Queue) bounds() (bound, opens Time) {
	bound, opens = Never, Never
	for i, w := range q.armed {
		part := q.window[i*64:]
		for ; w != 0; w &= w - 1 {
			at := part[bits.TrailingZeros64(w)]
			bound = min(bound, at.latest)
			opens = min(opens, at.earliest)
		}
	}
	return bound, opens
}

// pick chooses among the slots that open by bound. The loop has no branch, for none could be predicted.
func (q *Queue) pick(src choice.Source, bound, opens Time) int {
	var enabled, first [MaxSlots / 64]uint64
	opens = max(opens, q.now) // all that are due have waited alike
	count := 0
	for i, w := range q.armed {
		part := q.window[i*64:]
		var in, at uint64
		for ; w != 0; w &= w - 1 {
			bit := bits.TrailingZeros64(w)
			earliest := part[bit].earliest
			in |= notAfter(earliest, bound) << (bit & 63)
			at |= notAfter(earliest, opens) << (bit & 63)
		}
		enabled[i], first[i] = in, at
		count += bits.OnesCount64(in)
	}
	calm := nthBit(&first, 0)
	if count == 1 {
		return calm
	}
	var nth int
	if r, ok := src.(choice.Ranker); ok {
		nth = r.Rank(labelNext, q.candidates(&enabled, calm))
	} else {
		nth = src.Choose(labelNext, count)
	}
	if nth == 0 {
		return calm
	}
	enabled[calm>>6] &^= 1 << (calm & 63)
	return nthBit(&enabled, nth-1)
}

// candidates are the slots that the answers to "clock.next" stand for.
func (q *Queue) candidates(enabled *[MaxSlots / 64]uint64, calm int) []int {
	q.slots = append(q.slots[:0], calm)
	for i, w := range enabled {
		for ; w != 0; w &= w - 1 {
			if id := i*64 + bits.TrailingZeros64(w); id != calm {
				q.slots = append(q.slots, id)
			}
		}
	}
	return q.slots
}

// notAfter is 1 if a <= b, and 0 otherwise. Both are 0 or more, so that the difference does not overflow.
func notAfter(a, b Time) uint64 { return uint64(b-a)>>63 ^ 1 }

// nthBit is the position of the set bit that has n set bits below it.
func nthBit(set *[MaxSlots / 64]uint64, n int) int {
	for i, w := range set {
		if ones := bits.OnesCount64(w); n >= ones {
			n -= ones
			continue
		}
		for ; n > 0; n-- {
			w &= w - 1
		}
		return i*64 + bits.TrailingZeros64(w)
	}
	panic("clock: a source chose beyond what it was offered")
}

// instant chooses an instant in lo..hi.
func (q *Queue) instant(src choice.Source, lo, hi Time) Time {
	if lo == hi || q.steps == 1 {
		return lo
	}
	steps := Time(q.steps)
	if span := hi - lo; span < steps {
		return lo + Time(src.Choose(labelInstant, int(span)+1))
	}
	step := Time(src.Choose(labelInstant, q.steps))
	gap := (hi - lo) / (steps - 1)
	if step == steps-1 {
		return hi
	}
	return lo + step*gap
}

// CopyFrom makes q equal to src, reusing the memory of q.
func (q *Queue) CopyFrom(src *Queue) {
	q.now, q.steps = src.now, src.steps
	q.armed = append(q.armed[:0], src.armed...)
	q.window = append(q.window[:0], src.window...)
}

// AppendState appends the canonical encoding of q: the armed slots and their windows relative to now,
// instants that have passed as now. Queues of equal encoding and equal length behave alike, whenever they are.
func (q *Queue) AppendState(dst []byte) []byte {
	for _, w := range q.armed {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	for i, w := range q.armed {
		for ; w != 0; w &= w - 1 {
			earliest, latest := q.Window(i*64 + bits.TrailingZeros64(w))
			dst = binary.AppendUvarint(dst, uint64(earliest-q.now))
			dst = binary.AppendUvarint(dst, uint64(latest-earliest))
		}
	}
	return dst
}
