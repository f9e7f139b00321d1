package demux

// Leaks is how many places of the tables are neither in use nor free, how many entries of the indices lead to nothing, and
// how much more is in use than the options allow: always 0. It walks through what is free, and is for those who try a machine.
func (m *Machine) Leaks() int {
	p, h := &m.pending, &m.held
	acquires, releases := p.all.len(acquires), p.all.len(releases)
	lost := unfree(len(p.reqs), p.free, func(i int32) int32 { return p.reqs[i].start }) - acquires - releases
	lost += unfree(len(p.calls), p.freeCall, func(i int32) int32 { return p.calls[i].next }) - p.numCalls
	lost += unfree(len(h.grants), h.free, func(i int32) int32 { return h.grants[i].link }) - h.len()
	astray := p.byID.n - acquires - releases + p.byOp.n - acquires - p.numCalls + h.byID.n - h.len()
	over := max(0, acquires-m.o.MaxAcquires) + max(0, p.numCalls-m.o.MaxReleases) + max(0, h.len()-m.o.MaxHeld) +
		max(0, len(m.lane.entries)-m.o.MaxLane)
	return max(lost, -lost) + max(astray, -astray) + over
}

// unfree counts the slots of a table that are not in its list of free ones. A list that runs in a circle frees too much.
func unfree(length int, head int32, next func(int32) int32) int {
	n := max(0, length-1) // slot 0 is no slot
	for i := head; i != 0 && n >= 0; i = next(i) {
		n--
	}
	return n
}
