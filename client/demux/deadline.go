package demux

// timer is the deadline of one request in the heap of pending.due. Ties go by side and arrival, so that
// the order in which timers fire does not depend on the layout of the heap.
type timer struct {
	at   Time
	seq  uint64
	slot int32
	side side
}

func (a *timer) before(b *timer) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.side != b.side {
		return a.side < b.side
	}
	return a.seq < b.seq
}

// earliest returns the first deadline of a request, or Never.
func (p *pending) earliest() Time {
	if len(p.due) == 0 {
		return Never
	}
	return p.due[0].at
}

// arm sets the deadline of a request, in place of the one that it has.
func (p *pending) arm(slot int32, at Time) {
	r := &p.reqs[slot]
	if r.timer == 0 {
		p.due = append(p.due, timer{seq: r.seq, slot: slot, side: r.side})
		r.timer = int32(len(p.due))
	}
	i := int(r.timer) - 1
	p.due[i].at = at
	p.sift(i)
}

func (p *pending) disarm(slot int32) {
	i := int(p.reqs[slot].timer) - 1
	if i < 0 {
		return
	}
	p.reqs[slot].timer = 0
	last := len(p.due) - 1
	moved := p.due[last]
	p.due = p.due[:last]
	if i == last {
		return
	}
	p.due[i] = moved
	p.sift(i)
}

// sift moves the timer at i to where it belongs.
func (p *pending) sift(i int) {
	t := p.due[i]
	for i > 0 {
		up := (i - 1) / 2
		if !t.before(&p.due[up]) {
			break
		}
		p.place(i, p.due[up])
		i = up
	}
	for {
		down := 2*i + 1
		if down >= len(p.due) {
			break
		}
		if down+1 < len(p.due) && p.due[down+1].before(&p.due[down]) {
			down++
		}
		if !p.due[down].before(&t) {
			break
		}
		p.place(i, p.due[down])
		i = down
	}
	p.place(i, t)
}

func (p *pending) place(i int, t timer) {
	p.due[i] = t
	p.reqs[t.slot].timer = int32(i) + 1
}

// after adds a span to an instant, at most Never.
func after(t, span Time) Time {
	if t > Never-span {
		return Never
	}
	return t + span
}
