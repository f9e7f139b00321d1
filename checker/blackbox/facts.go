package blackbox

import (
	"fmt"

	"ticketing/model"
)

// illegal writes f into v.
func (j *Judge) illegal(v *Verdict, f finding) {
	n := &j.normal
	t := &n.tenures[f.tenure]
	op := &n.h.Ops[f.op]
	v.Result, v.Property = Illegal, f.property
	v.Key, v.At = n.h.Keys[op.Key], op.Return.At
	v.Facts = append(v.Facts[:0], n.fact(f.op))
	if f.other >= 0 {
		v.Facts = append(v.Facts, n.fact(f.other))
	}
	switch f.property {
	case TokenUnique:
		v.Facts = append(v.Facts, fmt.Sprintf("token %d was granted twice", t.token))
	case DoubleRelease:
		v.Facts = append(v.Facts, fmt.Sprintf("token %d was Released twice", t.token))
	case TokenOrder:
		v.Facts = append(v.Facts, fmt.Sprintf("so token %d was granted no earlier than %d ns, after the lower token",
			t.token, f.earliest.at))
	case Overlap:
		v.Facts = append(v.Facts, fmt.Sprintf("so token %d held the lock until %d ns at the least: %s",
			n.tenures[t.pred].token, f.earliest.at, n.why(&n.tenures[t.pred])))
	case StaleRelease:
		v.Facts = append(v.Facts, fmt.Sprintf("so token %d had lost the lock by %d ns and was Released after that",
			n.tenures[t.pred].token, n.h.Ops[f.other].Return.At))
	case NotFoundWhileHeld:
		v.Facts = append(v.Facts, fmt.Sprintf("so token %d held the lock until %d ns at the least: %s",
			t.token, f.earliest.at, n.why(t)))
	case NotFoundThenReleased:
		v.Facts = append(v.Facts, fmt.Sprintf("so token %d was gone by %d ns and was Released after that",
			t.token, n.h.Ops[f.other].Return.At))
	}
}

// why says what keeps t from ending before its earliest end.
func (n *normal) why(t *tenure) string {
	switch {
	case t.freed >= 0:
		return fmt.Sprintf("its release, op %d, was called at %d ns", t.freed, n.h.Ops[t.freed].Call.At)
	case t.point.max(t.stray) == t.free:
		return "no release of it was called before"
	}
	return fmt.Sprintf("granted at %d ns or later, with a lease of at least %d ns", t.point.at, n.lease(t))
}

// fact is operation i in the words of the text schema.
func (n *normal) fact(i int32) string {
	op := &n.h.Ops[i]
	return fmt.Sprintf("op %d: %s", i, model.AppendOp(nil, n.h.Keys[op.Key], op))
}

// unordered writes Porcupine's refusal of the segment that starts with tenure at into v.
func (j *Judge) unordered(v *Verdict, at int32) {
	t := &j.normal.tenures[at]
	op := &j.normal.h.Ops[t.grant]
	v.Property, v.Key, v.At = Linearizable, j.normal.h.Keys[t.key], op.Return.At
	v.Facts = append(v.Facts, j.scope(at))
}

// spent says where Porcupine gave up.
func (j *Judge) spent(v *Verdict, at int32) {
	v.Result = Inconclusive
	v.Facts = append(v.Facts, fmt.Sprintf("porcupine gave up after %d steps: %s", j.search.budget, j.scope(at)))
}

// disagree puts both judges' words side by side.
func (j *Judge) disagree(v *Verdict, f finding, at int32) {
	if f.found() {
		j.illegal(v, f)
		v.Facts = append(v.Facts, fmt.Sprintf("greedy calls that %s, porcupine finds an order for all of it", f.property))
		v.Property = ""
	} else {
		j.unordered(v, at)
		v.Facts = append(v.Facts, "greedy places every operation, porcupine finds no order")
		v.Property = ""
	}
	v.Result = Disagree
}

// scope names the segment that starts with tenure at.
func (j *Judge) scope(at int32) string {
	n := &j.normal
	t := &n.tenures[at]
	last := t
	for i := 1; i < j.search.grants && last.next >= 0; i++ {
		last = &n.tenures[last.next]
	}
	return fmt.Sprintf("key %q, tokens %d to %d, from op %d: %s", n.h.Keys[t.key], t.token, last.token,
		t.grant, model.AppendOp(nil, n.h.Keys[t.key], &n.h.Ops[t.grant]))
}
