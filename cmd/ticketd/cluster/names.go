package cluster

import (
	"bytes"
	"hash/maphash"
)

// names numbers words that come and go. Numbers are used again, and so is the memory of words.
type names struct {
	seed    maphash.Seed
	words   []word
	buckets []int32 // a power of two of them; each the first word of a chain, less one
	spare   int32   // the first number that is free, less one
	used    int
}

type word struct {
	bytes []byte
	hash  uint64
	next  int32 // in its chain, or among those that are free; less one
}

func newNames() names { return names{seed: maphash.MakeSeed(), buckets: make([]int32, 64)} }

// find is the number of a word, or -1.
func (n *names) find(b []byte) int32 {
	h := maphash.Bytes(n.seed, b)
	for i := *n.bucket(h); i != 0; i = n.words[i-1].next {
		if w := &n.words[i-1]; w.hash == h && bytes.Equal(w.bytes, b) {
			return i - 1
		}
	}
	return -1
}

func (n *names) bucket(h uint64) *int32 { return &n.buckets[h&uint64(len(n.buckets)-1)] }

// add numbers a word that has no number.
func (n *names) add(b []byte) int32 {
	if n.used == len(n.buckets) {
		n.grow()
	}
	i := n.take(b)
	w := &n.words[i]
	w.hash = maphash.Bytes(n.seed, b)
	at := n.bucket(w.hash)
	w.next, *at = *at, i+1
	return i
}

func (n *names) grow() {
	old := n.buckets
	n.buckets = make([]int32, 2*len(old))
	for _, i := range old {
		for i != 0 {
			w := &n.words[i-1]
			next, at := w.next, n.bucket(w.hash)
			w.next, *at = *at, i
			i = next
		}
	}
}

// remove takes back the number of a word that was added.
func (n *names) remove(i int32) {
	at := n.bucket(n.words[i].hash)
	for *at != i+1 {
		at = &n.words[*at-1].next
	}
	*at = n.words[i].next
	n.free(i)
}

// take numbers a word that nobody will find, and free takes its number back.
func (n *names) take(b []byte) int32 {
	n.used++
	i := n.spare - 1
	if i < 0 {
		i = int32(len(n.words))
		n.words = append(n.words, word{})
	} else {
		n.spare = n.words[i].next
	}
	w := &n.words[i]
	w.bytes = append(w.bytes[:0], b...)
	return i
}

func (n *names) free(i int32) {
	n.words[i].next = n.spare
	n.spare = i + 1
	n.used--
}
