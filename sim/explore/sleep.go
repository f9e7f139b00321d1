package explore

import (
	"math/bits"

	"ticketing/sim"
)

// slotsMax is how many queue slots a world may have whose events are put to sleep.
const slotsMax = 64

// labelNext is the name of the question which of the enabled slots goes next.
const labelNext = "clock.next"

// rest is what a state of the path knows of its events, each by its queue slot: which of them need not be taken.
type rest struct {
	world  *sim.World
	slots  []int  // enabled, in the order of the answers to labelNext
	asleep uint64 // what follows them here is what follows from where they came first
	done   uint64 // all their ways were taken here
	slot   int    // whose ways are being taken; -1: none
	pruned bool   // one of these ways was left to a symmetric state: from there it was not followed
	parts  [slotsMax]sim.Parts
}

// begin prepares the state w, to which an event of from led; nil: w is the first. Asleep are the events that were so, or done,
// and concern nothing that this one did.
func (r *rest) begin(w *sim.World, from *frame) {
	r.world, r.slots = w, w.Enabled(r.slots[:0])
	r.asleep, r.done, r.slot, r.pruned = 0, 0, -1, false
	if from == nil {
		return
	}
	f := &from.rest
	for left := f.asleep | f.done; left != 0; left &= left - 1 {
		if slot := bits.TrailingZeros64(left); f.parts[slot]&f.parts[f.slot] == 0 {
			r.asleep |= 1 << slot
			r.parts[slot] = f.parts[slot]
		}
	}
}

// turn goes to the event that is the n-th answer, and says whether it is awake. Once all ways of the event before are taken,
// that one may sleep.
func (r *rest) turn(n int) bool {
	if len(r.slots) == 0 {
		return true // the end of the world
	}
	slot := r.slots[0]
	if len(r.slots) > 1 {
		slot = r.slots[n]
	}
	if slot == r.slot {
		return true
	}
	if r.slot >= 0 && !r.pruned {
		r.done |= 1 << r.slot
	}
	r.slot, r.pruned = -1, false
	if r.asleep>>slot&1 != 0 {
		return false
	}
	r.slot, r.parts[slot] = slot, r.world.Concerns(slot)
	return true
}

// concerns notes what a way of the present event met.
func (r *rest) concerns(parts sim.Parts) { r.parts[r.slot] |= parts }

// meet notes what a fact of the event under way concerns.
func (s *Search) meet(f *sim.Fact) {
	if s.sleeps && s.moving != nil {
		s.met |= s.moving.Meets(f)
	}
}
