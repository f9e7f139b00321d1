package explore

import (
	"encoding/binary"
	"math/bits"
)

// table is a set of keys, in open addressing. A key is the hash of an encoded state without its lowest bit, which says
// that the state is on the path: that its ways are not all taken yet.
type table struct {
	slots []uint64 // 0: free
	depth []uint16 // of the slots, in a search of bounded depth: the least at which the state was met
	shift uint     // of a key, to the slot where its probing begins
	used  int
}

const (
	onPath   = 1
	slotsMin = 1 << 12
)

// reset empties the table. withDepth keeps depths.
func (t *table) reset(withDepth bool) {
	if len(t.slots) == slotsMin {
		clear(t.slots)
	} else {
		t.resize(slotsMin)
	}
	t.used = 0
	t.depth = t.depth[:0]
	if withDepth {
		t.depth = append(t.depth, make([]uint16, len(t.slots))...)
	}
}

func (t *table) resize(slots int) {
	t.slots = make([]uint64, slots)
	t.shift = uint(64 - bits.TrailingZeros(uint(slots)))
}

// find is the slot of key, or the free one where it belongs.
func (t *table) find(key uint64) int {
	for i := key >> t.shift; ; i = (i + 1) & uint64(len(t.slots)-1) {
		if k := t.slots[i] &^ onPath; k == key || k == 0 {
			return int(i)
		}
	}
}

// visit notes that key was met at this depth.
func (t *table) visit(key uint64, depth int) meeting {
	if t.used >= len(t.slots)/4*3 {
		t.grow()
	}
	i := t.find(key)
	switch {
	case t.slots[i] == 0:
		t.used++
	case t.slots[i]&onPath != 0:
		return metRound
	case len(t.depth) == 0 || int(t.depth[i]) <= depth:
		return metBefore
	}
	t.slots[i] = key | onPath
	if len(t.depth) > 0 {
		t.depth[i] = uint16(depth)
	}
	return metNew
}

// meeting is what a search does about a state that it met.
type meeting uint8

const (
	metNew    meeting = iota // go on from it
	metBefore                // all that follows was or will be seen
	metRound                 // the path came back to itself
)

// leave notes that all ways of key were taken.
func (t *table) leave(key uint64) { t.slots[t.find(key)] &^= onPath }

func (t *table) grow() {
	slots, depth := t.slots, t.depth
	t.resize(2 * len(slots))
	if len(depth) > 0 {
		t.depth = make([]uint16, len(t.slots))
	}
	for i, k := range slots {
		if k == 0 {
			continue
		}
		at := t.find(k &^ onPath)
		t.slots[at] = k
		if len(depth) > 0 {
			t.depth[at] = depth[i]
		}
	}
}

// digest is one number for the set of keys: their sum.
func (t *table) digest() (sum uint64) {
	for _, k := range t.slots {
		sum += k &^ onPath
	}
	return sum
}

// bytes is the memory of the table.
func (t *table) bytes() int { return 8*len(t.slots) + 2*len(t.depth) }

// keyOf hashes an encoded state: two multiplications, folded, for each 16 bytes, and the length.
func keyOf(state []byte) uint64 {
	const k0, k1, k2 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93, 0xa0761d6478bd642f
	h := uint64(len(state)) * k2
	for len(state) >= 16 {
		h = fold(binary.LittleEndian.Uint64(state)^h^k0, binary.LittleEndian.Uint64(state[8:])^bits.RotateLeft64(h, 32)^k1)
		state = state[16:]
	}
	var last [16]byte
	copy(last[:], state)
	h = fold(binary.LittleEndian.Uint64(last[:])^h^k1, binary.LittleEndian.Uint64(last[8:])^bits.RotateLeft64(h, 32)^k2)
	h = fold(h^k2, h^k0)
	if h&^onPath == 0 {
		return k0 &^ onPath // 0 is a free slot
	}
	return h &^ onPath
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
