package demux

import (
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
)

// An index against a list of pairs, with few numbers so that they repeat and probe past each other.
func TestIndexAgainstList(t *testing.T) {
	choose := splitmix(1)
	var x index
	var pairs []cell
	for range 20000 {
		if len(pairs) > 0 && choose(2) == 0 {
			i := choose(len(pairs))
			x.remove(pairs[i].key, pairs[i].slot)
			pairs = append(pairs[:i], pairs[i+1:]...)
		} else {
			p := cell{uint64(1 + choose(30)), int32(choose(1 << 30))}
			x.insert(p.key, p.slot)
			pairs = append(pairs, p)
		}
		key := uint64(1 + choose(30))
		var want, got []int
		for _, p := range pairs {
			if p.key == key {
				want = append(want, int(p.slot))
			}
		}
		for i := x.first(key); i >= 0; i = x.next(key, i) {
			got = append(got, int(x.at(i)))
		}
		sort.Ints(want)
		sort.Ints(got)
		require.Equal(t, want, got)
	}
	require.Equal(t, len(pairs), x.n)
	require.Negative(t, x.first(0), "zero finds a free cell")
}

// The heap against a scan.
func TestEarliestAgainstScan(t *testing.T) {
	choose := splitmix(2)
	var p pending
	var slots []int32
	at := map[int32]Time{}
	for i := range 5000 {
		switch choose(4) {
		case 0, 1:
			slot := p.add(side(choose(2)), "k", uint64(i+1))
			slots = append(slots, slot)
			at[slot] = Time(choose(100))
			p.arm(slot, at[slot])
		case 2:
			if len(slots) > 0 {
				slot := slots[choose(len(slots))]
				at[slot] = Time(choose(100))
				p.arm(slot, at[slot])
			}
		case 3:
			if len(slots) > 0 {
				j := choose(len(slots))
				delete(at, slots[j])
				p.drop(slots[j])
				slots = append(slots[:j], slots[j+1:]...)
			}
		}
		want := Never
		for _, v := range at {
			want = min(want, v)
		}
		require.Equal(t, want, p.earliest())
	}
}

func TestTimersOfOneInstantGoByArrival(t *testing.T) {
	var p pending
	a := p.add(acquires, "k", 1)
	b := p.add(acquires, "k", 2)
	c := p.add(releases, "k", 3)
	p.arm(b, 5)
	p.arm(a, 5)
	p.arm(c, 5)
	for _, want := range []int32{c, a, b} {
		require.Equal(t, want, p.due[0].slot)
		p.drop(want)
	}
	require.Equal(t, Never, p.earliest())
}

func TestRequeueRestoresArrival(t *testing.T) {
	var p pending
	var slots []int32
	for i := range 5 {
		slots = append(slots, p.add(acquires, "k", uint64(i+1)))
	}
	for _, s := range slots[:3] {
		p.take(s, 1, 0)
	}
	require.Equal(t, slots[3], p.queue.head(acquires))
	p.drop(slots[1])
	p.putBack(slots[2])
	p.putBack(slots[0])
	p.requeue()
	var order []int32
	for s := p.queue.head(acquires); s != 0; s = p.queue.next(s) {
		order = append(order, s)
	}
	require.Equal(t, []int32{slots[0], slots[2], slots[3], slots[4]}, order)
}

// Slots are reused: a frame of a settled request must not be taken for that of its successor.
func TestReusedSlotIsNotTheOldFrame(t *testing.T) {
	h := newHarness(t, Options{})
	h.connect()
	h.acquire(1, "k", 100)
	h.wantWrite(1, "A k me-2 100 9\n")
	h.recv(1, "A k me-2 7 9\n") // inside the write call
	h.acquire(2, "k", 100)      // takes the slot
	h.wantComplete(1, "granted token 7 lease 9")
	h.all(1)
	h.wantWrite(1, "A k me-3 100 9\n")
	h.wrote(1, 0)
	h.want("close 1 torn")
	h.cancel(2)
	h.wantComplete(2, "not-sent cancelled")
	h.wantIdle()
}
