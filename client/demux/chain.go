package demux

// chain is one doubly linked list of slots a side. A slot is in at most one of the two. Slot 0 is no slot.
type chain struct {
	nodes []node
	ends  [numSides]ends
}

type node struct{ prev, next int32 }

type ends struct {
	head, tail int32
	n          int32
}

func (c *chain) head(s side) int32       { return c.ends[s].head }
func (c *chain) len(s side) int          { return int(c.ends[s].n) }
func (c *chain) next(slot int32) int32   { return c.nodes[slot].next }
func (c *chain) before(slot int32) int32 { return c.nodes[slot].prev }

func (c *chain) push(s side, slot int32) {
	for int(slot) >= len(c.nodes) {
		c.nodes = append(c.nodes, node{})
	}
	e := &c.ends[s]
	c.nodes[slot] = node{prev: e.tail}
	if e.tail == 0 {
		e.head = slot
	} else {
		c.nodes[e.tail].next = slot
	}
	e.tail = slot
	e.n++
}

func (c *chain) remove(s side, slot int32) {
	e, at := &c.ends[s], c.nodes[slot]
	if at.prev == 0 {
		e.head = at.next
	} else {
		c.nodes[at.prev].next = at.next
	}
	if at.next == 0 {
		e.tail = at.prev
	} else {
		c.nodes[at.next].prev = at.prev
	}
	e.n--
}

func (c *chain) reset() {
	c.nodes = c.nodes[:0]
	c.ends = [numSides]ends{}
}

func (c *chain) copyFrom(src *chain) {
	c.nodes = append(c.nodes[:0], src.nodes...)
	c.ends = src.ends
}
