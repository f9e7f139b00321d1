package blackbox

import (
	"cmp"
	"math"
	"slices"

	"ticketing/model"
)

// tenure is the life of one token on one key: a grant and the releases that name it. Two grants of one
// token are two tenures.
type tenure struct {
	token uint64
	point instant // earliest instant of the grant
	free  instant // earliest end
	stray instant // earliest instant of an unanswered release; never if there is none
	key   int32
	grant int32 // index of the grant's operation
	pred  int32 // the tenure before it on this key, -1 if none
	next  int32 // the tenure after it on this key, -1 if none
	from  int32 // its releases are refs[from:to]
	to    int32
	freed int32 // index of its release that was answered Released, -1 if none
	again int32 // index of a second one, -1 if none
}

var never = instant{math.MaxInt64, math.MaxInt64}

// ref is an operation that says something, as tenures are sorted by.
type ref struct {
	token uint64
	key   int32
	op    uint32 // its index; a release has releaseBit
}

const releaseBit = 1 << 31 // above model.OpsMax; grants sort first

func (r ref) index() int32 { return int32(r.op &^ releaseBit) }

// chain is one key's chain of tenures.
type chain struct {
	first int32
	last  int32
	bad   int32 // the first tenure that the greedy judge holds against the key, -1 if none
}

// normal is a history without the operations that say nothing, in the order of tokens over the whole
// service. Its memory is kept from one history to the next.
type normal struct {
	h       *model.History
	refs    []ref
	tenures []tenure
	chains  []chain // by key
	taints  []model.Taint
	judged  int
	short   int
}

// load takes h in. It allocates nothing once warm.
func (n *normal) load(h *model.History) {
	n.h, n.judged, n.short = h, 0, 0
	n.taints = append(n.taints[:0], h.Taints...)
	slices.SortFunc(n.taints, compareTaints)
	n.refs = n.refs[:0]
	for i := range h.Ops {
		n.keep(i)
	}
	slices.SortFunc(n.refs, func(a, b ref) int {
		if c := cmp.Compare(a.token, b.token); c != 0 {
			return c
		}
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return cmp.Compare(a.op, b.op)
	})
	n.chains = n.chains[:0]
	for range h.Keys {
		n.chains = append(n.chains, chain{-1, -1, -1})
	}
	n.tenures = n.tenures[:0]
	for lo := 0; lo < len(n.refs); {
		hi := lo + 1
		for hi < len(n.refs) && n.refs[hi].token == n.refs[lo].token && n.refs[hi].key == n.refs[lo].key {
			hi++
		}
		n.group(lo, hi)
		lo = hi
	}
}

// keep takes in operation i if it can say anything.
func (n *normal) keep(i int) {
	op := &n.h.Ops[i]
	r := ref{op.Token, op.Key, uint32(i)}
	switch op.Outcome {
	case model.Granted, model.Indeterminate:
		if op.Token == 0 {
			return // it can only have stood in the way of others
		}
	case model.Released, model.NotFound:
	default:
		return
	}
	if op.Kind == model.Release {
		r.op |= releaseBit
	}
	if len(n.taints) > 0 {
		if _, forged := slices.BinarySearchFunc(n.taints, model.Taint{Token: op.Token, Key: op.Key}, compareTaints); forged {
			return
		}
	}
	n.refs = append(n.refs, r)
}

func compareTaints(a, b model.Taint) int {
	if c := cmp.Compare(a.Token, b.Token); c != 0 {
		return c
	}
	return cmp.Compare(a.Key, b.Key)
}

// group makes tenures of refs[lo:hi], which are all that names one token on one key.
func (n *normal) group(lo, hi int) {
	releases := lo
	for releases < hi && n.refs[releases].op&releaseBit == 0 {
		releases++
	}
	for i := lo; i < releases; i++ {
		to := hi
		if i != lo {
			to = releases // the releases of a token granted twice are told once
		}
		n.link(n.refs[i].index(), releases, to)
	}
	if releases > lo {
		n.judged += hi - lo
	}
}

// link appends the tenure of one grant to its key's chain.
func (n *normal) link(grant int32, from, to int) {
	op := &n.h.Ops[grant]
	c := &n.chains[op.Key]
	t := tenure{
		token: op.Token, key: op.Key, grant: grant, pred: c.last, next: -1,
		from: int32(from), to: int32(to), freed: -1, again: -1, stray: never,
	}
	if op.Outcome == model.Indeterminate && !n.h.Header.LaneRecorded {
		t.stray = told(&n.h.Header, op) // by the lane, which nobody wrote down
	}
	for _, r := range n.refs[from:to] {
		n.attach(&t, r.index())
	}
	if op.Return.At-op.Call.At < int64(op.Lease)*1e6 {
		n.short++
	}
	at := int32(len(n.tenures))
	if c.last < 0 {
		c.first = at
	} else {
		n.tenures[c.last].next = at
	}
	c.last = at
	n.tenures = append(n.tenures, t)
}

// attach notes what release i can have been to t.
func (n *normal) attach(t *tenure, i int32) {
	op := &n.h.Ops[i]
	switch {
	case op.Outcome == model.Released && t.freed < 0:
		t.freed = i
	case op.Outcome == model.Released && t.again < 0:
		t.again = i
	case op.Outcome == model.Indeterminate, op.Outcome == model.NotFound && op.Tries > 1:
		if at := opens(&n.h.Header, op); at.before(t.stray) {
			t.stray = at
		}
	}
}

// opens and shuts are the window of t's grant.
func (n *normal) opens(t *tenure) instant { return opens(&n.h.Header, &n.h.Ops[t.grant]) }
func (n *normal) shuts(t *tenure) instant { return shuts(&n.h.Header, &n.h.Ops[t.grant]) }

// lease is the least that t's lease can last, nanoseconds.
func (n *normal) lease(t *tenure) int64 { return n.h.Header.LeaseFloor(n.h.Ops[t.grant].Lease) }

// end returns the earliest end of t if it was granted at point.
func (n *normal) end(t *tenure, point instant) instant {
	if t.freed >= 0 {
		return point.max(opens(&n.h.Header, &n.h.Ops[t.freed])) // and no unanswered release can have come before
	}
	end := point.after(n.lease(t))
	if stray := point.max(t.stray); stray.before(end) {
		return stray
	}
	return end
}
