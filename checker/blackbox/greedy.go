package blackbox

import "ticketing/model"

// finding is a contradiction: the property and the operations that make it, the last to return first.
type finding struct {
	property string
	tenure   int32 // whose key and token it is about
	op       int32 // the operation that cannot be
	other    int32 // an operation that forbids it, -1 if none
	earliest instant
}

func (f *finding) found() bool { return f.property != "" }

// settle gives every tenure its earliest point and end by what its own key demands, and returns the first
// contradiction in the order of tokens. It goes on after one, so that other keys are settled as well.
func (n *normal) settle() (first finding) {
	for i := range n.tenures {
		t := &n.tenures[i]
		t.point = n.opens(t)
		if t.pred >= 0 {
			t.point = t.point.max(n.tenures[t.pred].free)
		}
		t.free = n.end(t, t.point)
		c := &n.chains[t.key]
		if c.bad >= 0 {
			continue // a point that cannot be proves nothing about the next
		}
		f := n.contradiction(t)
		if !f.found() {
			continue
		}
		f.tenure, c.bad = int32(i), int32(i)
		if !first.found() {
			first = f
		}
	}
	return first
}

// contradiction holds t against its predecessor and its releases against t.
func (n *normal) contradiction(t *tenure) finding {
	if t.pred >= 0 {
		p := &n.tenures[t.pred]
		switch {
		case p.token == t.token:
			return finding{property: TokenUnique, op: t.grant, other: p.grant}
		case n.shuts(t).before(p.point):
			return finding{property: TokenOrder, op: t.grant, other: p.grant, earliest: p.point}
		case n.shuts(t).before(t.point):
			return n.overlap(t, p)
		}
	}
	if t.next >= 0 && n.tenures[t.next].token == t.token {
		return finding{} // whose releases these are nobody can tell; the next tenure is the contradiction
	}
	if t.again >= 0 {
		return finding{property: DoubleRelease, op: t.again, other: t.freed}
	}
	for _, r := range n.refs[t.from:t.to] {
		i := r.index()
		op := &n.h.Ops[i]
		if op.Outcome != model.NotFound || !shuts(&n.h.Header, op).before(t.free) {
			continue
		}
		if t.freed >= 0 && !shuts(&n.h.Header, op).before(t.point.after(n.lease(t))) {
			return finding{property: NotFoundThenReleased, op: t.freed, other: i, earliest: t.free}
		}
		return finding{property: NotFoundWhileHeld, op: i, other: t.freed, earliest: t.free}
	}
	return finding{}
}

// overlap tells a lock granted too early from one whose release was answered too late to be true.
func (n *normal) overlap(t, p *tenure) finding {
	if p.freed >= 0 && !n.shuts(t).before(p.point.after(n.lease(p))) {
		return finding{property: StaleRelease, op: p.freed, other: t.grant, earliest: p.free}
	}
	return finding{property: Overlap, op: t.grant, other: p.grant, earliest: p.free}
}

// growth is the pass over the whole service: tokens grow from key to key, on top of what each key demands.
// It returns the first contradiction; settle has found none.
func (n *normal) growth() finding {
	var f finding
	for i := range n.tenures {
		t := &n.tenures[i]
		t.point = n.opens(t)
		if t.pred >= 0 {
			t.point = t.point.max(n.tenures[t.pred].free)
		}
		own := t.point
		if i > 0 {
			t.point = t.point.max(n.tenures[i-1].point)
		}
		t.free = n.end(t, t.point)
		if i > 0 && n.tenures[i-1].token == t.token {
			f = finding{property: TokenUnique, op: t.grant, other: n.tenures[i-1].grant}
		} else if f = n.contradiction(t); f.found() && own.before(t.point) {
			f.property, f.other, f.earliest = TokenOrder, n.tenures[i-1].grant, n.tenures[i-1].point
		}
		if f.found() {
			f.tenure = int32(i)
			return f
		}
		if n.shuts(t).before(t.point) {
			return finding{property: TokenOrder, tenure: int32(i), op: t.grant, other: n.tenures[i-1].grant,
				earliest: n.tenures[i-1].point}
		}
	}
	return f
}
