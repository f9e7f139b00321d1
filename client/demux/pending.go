package demux

// pending is the table of every request that is not settled.
//
// A request is in one of three states (rule sent-per-frame):
//
//   - queued: on no connection; in its side's queue.
//   - writing: handed to a transport that has not said yet how much it took. It stays so on no connection
//     once that one ended.
//   - sent: a byte was accepted on the current connection.
type pending struct {
	reqs  []request // slot 0 is no slot
	free  int32     // head of the free slots, linked by request.start
	seq   uint64    // arrivals so far
	all   chain     // every live request, in order of arrival
	queue chain     // the queued ones, in order of arrival
	byID  index     // owner counters and tokens, to slots
	byOp  index     // OpIDs, to 2*slot of an acquire, 2*call+1 of a release call
	due   []timer   // heap, see deadline.go

	calls    []call // callers of the releases; slot 0 is no slot
	freeCall int32  // head of the free calls, linked by call.next
	numCalls int
}

// side is the op side of a request (rule match).
type side uint8

const (
	releases side = iota // before acquires wherever an order is needed
	acquires
	numSides
)

type stage uint8

const (
	queued stage = iota
	writing
	sent
)

type request struct {
	key       string
	id        uint64     // the owner counter of an acquire, the token of a release
	seq       uint64     // arrival; zero while the slot is free
	op        OpID       // of an acquire
	gen       Generation // the connection that it was handed to; zero while queued
	waitEnd   Time       // of an acquire: call + wait
	grace     Time       // of an acquire
	lease     uint32     // of an acquire
	start     int32      // while writing: where its frame begins in the write
	timer     int32      // its place in the heap plus 1; zero: none
	firstCall int32      // of a release: those who wait for it, in order
	lastCall  int32
	side      side
	stage     stage
	tries     uint8 // connections on which a byte was accepted or a reply parsed; at most 1 for an acquire
	giveUp    Cause // remembered until the write is answered (rule sent-per-frame)
}

// call is one caller of a release (rule one-release).
type call struct {
	op        OpID
	req       int32
	next      int32
	cancelled bool // remembered until the write is answered
}

func (p *pending) add(s side, key string, id uint64) int32 {
	slot := p.free
	if slot != 0 {
		p.free = p.reqs[slot].start
	} else {
		if len(p.reqs) == 0 {
			p.reqs = append(p.reqs, request{})
		}
		slot = int32(len(p.reqs))
		p.reqs = append(p.reqs, request{})
	}
	p.seq++
	p.reqs[slot] = request{side: s, key: key, id: id, seq: p.seq}
	p.all.push(s, slot)
	p.queue.push(s, slot)
	p.byID.insert(id, slot)
	return slot
}

// drop frees a request whose callers are gone.
func (p *pending) drop(slot int32) {
	r := &p.reqs[slot]
	p.disarm(slot)
	if r.stage == queued {
		p.queue.remove(r.side, slot)
	}
	p.all.remove(r.side, slot)
	p.byID.remove(r.id, slot)
	*r = request{start: p.free}
	p.free = slot
}

func (p *pending) bindAcquire(slot int32, op OpID) {
	p.reqs[slot].op = op
	p.byOp.insert(uint64(op), 2*slot)
}

// bindCall adds a caller to a release.
func (p *pending) bindCall(slot int32, op OpID) {
	at := p.freeCall
	if at != 0 {
		p.freeCall = p.calls[at].next
	} else {
		if len(p.calls) == 0 {
			p.calls = append(p.calls, call{})
		}
		at = int32(len(p.calls))
		p.calls = append(p.calls, call{})
	}
	p.calls[at] = call{op: op, req: slot}
	if r := &p.reqs[slot]; r.firstCall == 0 {
		r.firstCall, r.lastCall = at, at
	} else {
		p.calls[r.lastCall].next = at
		r.lastCall = at
	}
	p.byOp.insert(uint64(op), 2*at+1)
	p.numCalls++
}

// unbindCall takes a caller off its release.
func (p *pending) unbindCall(at int32) {
	c := p.calls[at]
	r := &p.reqs[c.req]
	prev := int32(0)
	for i := r.firstCall; i != at; i = p.calls[i].next {
		prev = i
	}
	if prev == 0 {
		r.firstCall = c.next
	} else {
		p.calls[prev].next = c.next
	}
	if r.lastCall == at {
		r.lastCall = prev
	}
	p.byOp.remove(uint64(c.op), 2*at+1)
	p.calls[at] = call{next: p.freeCall}
	p.freeCall = at
	p.numCalls--
}

func (p *pending) live(op OpID) bool { return p.byOp.first(uint64(op)) >= 0 }

// release finds the R of a key and token, in any state; zero: none.
func (p *pending) release(key string, token uint64) int32 {
	for i := p.byID.first(token); i >= 0; i = p.byID.next(token, i) {
		if r := &p.reqs[p.byID.at(i)]; r.side == releases && r.key == key {
			return p.byID.at(i)
		}
	}
	return 0
}

// releasing says whether any R of a token is queued or in flight, whatever its key.
func (p *pending) releasing(token uint64) bool {
	for i := p.byID.first(token); i >= 0; i = p.byID.next(token, i) {
		if p.reqs[p.byID.at(i)].side == releases {
			return true
		}
	}
	return false
}

// take moves the head of a queue onto a connection.
func (p *pending) take(slot int32, gen Generation, start int) {
	r := &p.reqs[slot]
	p.queue.remove(r.side, slot)
	r.stage, r.gen, r.start = writing, gen, int32(start)
}

// putBack makes a request queued again. Its place in the queue is only right after requeue.
func (p *pending) putBack(slot int32) {
	r := &p.reqs[slot]
	r.stage, r.gen = queued, 0
}

// requeue builds the queues anew from the order of arrival. Only the end of a connection needs it.
func (p *pending) requeue() {
	p.queue.ends = [numSides]ends{}
	for s := range numSides {
		for slot := p.all.head(s); slot != 0; slot = p.all.next(slot) {
			if p.reqs[slot].stage == queued {
				p.queue.push(s, slot)
			}
		}
	}
}

func (p *pending) reset() {
	p.reqs, p.calls, p.due = p.reqs[:0], p.calls[:0], p.due[:0]
	p.free, p.freeCall, p.numCalls, p.seq = 0, 0, 0, 0
	p.all.reset()
	p.queue.reset()
	p.byID.reset()
	p.byOp.reset()
}

func (p *pending) copyFrom(src *pending) {
	p.reqs = append(p.reqs[:0], src.reqs...)
	p.calls = append(p.calls[:0], src.calls...)
	p.due = append(p.due[:0], src.due...)
	p.free, p.freeCall, p.numCalls, p.seq = src.free, src.freeCall, src.numCalls, src.seq
	p.all.copyFrom(&src.all)
	p.queue.copyFrom(&src.queue)
	p.byID.copyFrom(&src.byID)
	p.byOp.copyFrom(&src.byOp)
}
