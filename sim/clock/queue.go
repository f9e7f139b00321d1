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
	now   Time
	steps int
	due   []due    // the armed slots, in an order that nobody may see
	place []uint16 // by slot: where it is in due, plus 1; 0: it is idle
	armed []uint64 // one bit a slot: the same, for those who go by number
	slots []int    // for a choice.Ranker, and only during a question
}

// due is an armed slot.
type due struct {
	earliest, latest Time
	id               int
}

// Reset makes q a queue of n idle slots, numbered from 0, at instant 0, with DefaultSteps. It panics if n is
// not in 0..MaxSlots.
func (q *Queue) Reset(n int) {
	if n < 0 || n > MaxSlots {
		panic("clock: a queue of fewer than 0 or more than MaxSlots slots")
	}
	q.now, q.steps = 0, DefaultSteps
	q.due = q.due[:0]
	q.place = resize(q.place, n)
	q.armed = resize(q.armed, (n+63)/64)
	clear(q.place)
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
func (q *Queue) Len() int { return len(q.place) }

// Set arms slot id, or arms it anew: it is to be taken not before earliest and not after latest. Instants that
// have passed count as now. It panics if latest is before earliest, or is Never.
func (q *Queue) Set(id int, earliest, latest Time) {
	if latest < earliest || latest == Never {
		panic("clock: a window that ends before it begins, or never")
	}
	if q.place[id] == 0 {
		q.due = append(q.due, due{id: id})
		q.place[id] = uint16(len(q.due))
		q.armed[id>>6] |= 1 << (id & 63)
	}
	d := &q.due[q.place[id]-1]
	d.earliest, d.latest = max(earliest, q.now), max(latest, q.now)
}

// Clear makes slot id idle.
func (q *Queue) Clear(id int) {
	if q.place[id] != 0 {
		q.remove(id)
	}
}

// remove makes slot id idle, which is armed, and returns when its window opened. The last of all takes its place.
func (q *Queue) remove(id int) (earliest Time) {
	at, last := q.place[id]-1, len(q.due)-1
	earliest = q.due[at].earliest
	q.place[q.due[last].id] = at + 1
	q.due[at] = q.due[last]
	q.due = q.due[:last]
	q.place[id] = 0
	q.armed[id>>6] &^= 1 << (id & 63)
	return earliest
}

// Armed reports whether slot id is armed.
func (q *Queue) Armed(id int) bool { return q.place[id] != 0 }

// Window returns the window of slot id, which is armed. It panics otherwise.
func (q *Queue) Window(id int) (earliest, latest Time) {
	if !q.Armed(id) {
		panic("clock: the window of an idle slot")
	}
	d := &q.due[q.place[id]-1]
	return max(d.earliest, q.now), max(d.latest, q.now)
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
	q.now = q.instant(src, max(q.now, q.remove(id)), bound)
	return id, true
}

// bounds are the earliest end of an armed window, Never if there is none, and the earliest beginning.
func (q *Queue) bounds() (bound, opens Time) {
	bound, opens = Never, Never
	for i := range q.due {
		bound = min(bound, q.due[i].latest)
		opens = min(opens, q.due[i].earliest)
	}
	return bound, opens
}

// pick chooses among the slots that open by bound. The loop has no branch, for none could be predicted.
func (q *Queue) pick(src choice.Source, bound, opens Time) int {
	opens = max(opens, q.now) // all that are due have waited alike
	late, calm := 0, MaxSlots
	for i := range q.due {
		d := &q.due[i]
		late += after(d.earliest, bound)
		calm = min(calm, d.id+after(d.earliest, opens)*MaxSlots)
	}
	if late == len(q.due)-1 {
		return calm
	}
	if r, ok := src.(choice.Ranker); ok {
		slots := q.candidates(bound, calm)
		return slots[r.Rank(labelNext, slots)]
	}
	nth := src.Choose(labelNext, len(q.due)-late)
	if nth == 0 {
		return calm
	}
	var set [MaxSlots / 64]uint64
	q.others(&set, bound, calm)
	return nthBit(set[:len(q.armed)], nth-1)
}

// others adds to an empty set the slots that open by bound, but for the calm one.
func (q *Queue) others(set *[MaxSlots / 64]uint64, bound Time, calm int) {
	set[calm>>6] = 1 << (calm & 63)
	for i := range q.due {
		d := &q.due[i]
		set[d.id>>6] |= uint64(after(d.earliest, bound)) << (d.id & 63)
	}
	for i, w := range q.armed {
		set[i] = w &^ set[i]
	}
}

// candidates are the slots that the answers to "clock.next" stand for.
func (q *Queue) candidates(bound Time, calm int) []int {
	q.slots = append(q.slots[:0], calm)
	var set [MaxSlots / 64]uint64
	q.others(&set, bound, calm)
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			q.slots = append(q.slots, i*64+bits.TrailingZeros64(w))
		}
	}
	return q.slots
}

// after is 1 if a > b, and 0 otherwise. Both are 0 or more, so that the difference does not overflow.
func after(a, b Time) int { return int(uint64(b-a) >> 63) }

// nthBit is the position of the set bit that has n set bits below it.
func nthBit(set []uint64, n int) int {
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
	q.due = append(q.due[:0], src.due...)
	q.place = append(q.place[:0], src.place...)
	q.armed = append(q.armed[:0], src.armed...)
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
