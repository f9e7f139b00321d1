package main

// floor is what an event costs at least in any simulator whose events wait in a heap: of the values that wait, take the
// first, and push another. Its handler does nothing.
type floor struct {
	heap   []floorEvent
	order  uint64
	random uint64
	handle func(*floorEvent)
}

// floorEvent is an event by value, as small as one can be that says when, what and to whom. Of two at one instant the one that
// was pushed first goes first.
type floorEvent struct {
	at    int64
	order uint64
	what  int32
	whom  int32
}

// floorDepth is how many events wait all the time: as many as a big world of a sweep has.
const floorDepth = 64

// floorArity is how many children a node of the heap has. Four are faster than two here.
const floorArity = 4

func newFloor() *floor {
	f := &floor{heap: make([]floorEvent, 0, floorDepth), random: 1, handle: func(*floorEvent) {}}
	for range floorDepth {
		f.push(f.event(0))
	}
	return f
}

// run takes n events. Each is handled and pushes one.
func (f *floor) run(n int) {
	for range n {
		e := f.pop()
		f.handle(&e)
		f.push(f.event(e.at))
	}
}

// event is one at a random instant after now.
func (f *floor) event(now int64) floorEvent {
	f.random ^= f.random << 13
	f.random ^= f.random >> 7
	f.random ^= f.random << 17
	f.order++
	return floorEvent{at: now + int64(f.random>>44), order: f.order, what: int32(f.order), whom: int32(f.random)}
}

func (e *floorEvent) before(o *floorEvent) bool {
	return e.at < o.at || e.at == o.at && e.order < o.order
}

func (f *floor) push(e floorEvent) {
	f.heap = append(f.heap, e)
	i := len(f.heap) - 1
	for i > 0 {
		up := (i - 1) / floorArity
		if !e.before(&f.heap[up]) {
			break
		}
		f.heap[i] = f.heap[up]
		i = up
	}
	f.heap[i] = e
}

func (f *floor) pop() floorEvent {
	h := f.heap
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	f.heap = h
	i := 0
	for {
		first := i*floorArity + 1
		if first >= len(h) {
			break
		}
		least := first
		for c := first + 1; c < min(first+floorArity, len(h)); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	if len(h) > 0 {
		h[i] = last
	}
	return top
}
