package demux

import "math/bits"

// index finds slots by a number that is not zero: a hash table with linear probing, plain data. A number may
// lead to several slots; the order among them says nothing.
type index struct {
	cells []cell // a power of two, at least twice n
	n     int
}

type cell struct {
	key  uint64 // zero: free
	slot int32
}

const indexMin = 8

// first returns the position of a cell with key, or -1. next goes on from there.
func (x *index) first(key uint64) int {
	if x.n == 0 {
		return -1
	}
	return x.seek(key, x.home(key))
}

func (x *index) next(key uint64, at int) int { return x.seek(key, (at+1)&(len(x.cells)-1)) }

func (x *index) at(pos int) int32 { return x.cells[pos].slot }

func (x *index) seek(key uint64, i int) int {
	for ; x.cells[i].key != 0; i = (i + 1) & (len(x.cells) - 1) {
		if x.cells[i].key == key {
			return i
		}
	}
	return -1
}

// home is where a key would like to be: the top bits of a multiplication.
func (x *index) home(key uint64) int {
	return int(key * 0x9e3779b97f4a7c15 >> bits.LeadingZeros64(uint64(len(x.cells)-1)))
}

func (x *index) insert(key uint64, slot int32) {
	if 2*(x.n+1) > len(x.cells) {
		x.grow()
	}
	x.put(key, slot)
	x.n++
}

func (x *index) put(key uint64, slot int32) {
	i := x.home(key)
	for x.cells[i].key != 0 {
		i = (i + 1) & (len(x.cells) - 1)
	}
	x.cells[i] = cell{key, slot}
}

func (x *index) grow() {
	old := x.cells
	x.cells = make([]cell, max(indexMin, 2*len(old)))
	for _, c := range old {
		if c.key != 0 {
			x.put(c.key, c.slot)
		}
	}
}

// remove takes out a pair that is there. What probed past it moves up, so that no marker stays behind.
func (x *index) remove(key uint64, slot int32) {
	i := x.first(key)
	for x.cells[i].slot != slot {
		i = x.next(key, i)
	}
	mask := len(x.cells) - 1
	for j := (i + 1) & mask; x.cells[j].key != 0; j = (j + 1) & mask {
		if home := x.home(x.cells[j].key); (j-home)&mask >= (j-i)&mask {
			x.cells[i] = x.cells[j]
			i = j
		}
	}
	x.cells[i] = cell{}
	x.n--
}

func (x *index) reset() {
	clear(x.cells)
	x.n = 0
}

func (x *index) copyFrom(src *index) {
	x.cells = append(x.cells[:0], src.cells...)
	x.n = src.n
}
