package dialogue

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ticketing/client/demux"
)

// Ledger judges what holds in every story, whatever the page leaves open:
//
//   - each operation is settled exactly once;
//   - NotSent only if no byte of its frames was accepted on any connection, Indeterminate only if one was;
//   - an outcome fits its operation, and a cause was given: a cancel, a Close;
//   - an owner of which a byte was accepted is not handed over again (rule no-resend);
//   - writes and closes go to a connection that is not closed, one write at a time.
//
// It keeps the books of a driver as well: which inputs are possible next.
type Ledger struct {
	ops     map[demux.OpID]*entry
	order   []demux.OpID
	conns   map[demux.Generation]*link
	lane    map[uint64]bool // tokens of an R that no caller asked for
	closing bool            // InputClose was fed
	errs    []error
}

// entry is one operation.
type entry struct {
	kind    demux.InputKind
	key     string
	lease   uint32
	token   uint64
	req     *request
	late    bool // it came after InputClose
	cancel  bool // its caller gave up
	settled bool
}

// request is an A or an R, which several releases share (rule one-release).
type request struct {
	owner    string
	accepted bool // a byte of it, on any connection
}

// link is one connection.
type link struct {
	opened, closed bool
	outstanding    []byte
	frames         []handed
}

// handed is a frame of the outstanding write: its first byte, and what it asks, nil for H and the lane's.
type handed struct {
	start int
	req   *request
}

// NewLedger returns the ledger of a core that has taken no step.
func NewLedger() *Ledger {
	return &Ledger{ops: map[demux.OpID]*entry{}, conns: map[demux.Generation]*link{}, lane: map[uint64]bool{}}
}

// Err is everything that was wrong so far, or nil.
func (l *Ledger) Err() error { return errors.Join(l.errs...) }

func (l *Ledger) wrong(format string, a ...any) {
	l.errs = append(l.errs, fmt.Errorf("dialogue: "+format, a...))
}

// Unsettled is the earliest operation that is still open, or zero.
func (l *Ledger) Unsettled() demux.OpID {
	for _, op := range l.order {
		if !l.ops[op].settled {
			return op
		}
	}
	return 0
}

func (l *Ledger) generations() []demux.Generation {
	var gens []demux.Generation
	//lint:sorted right below
	for gen := range l.conns {
		gens = append(gens, gen)
	}
	slices.Sort(gens)
	return gens
}

// Outstanding is the write that has not been answered, or nil.
func (l *Ledger) Outstanding(gen demux.Generation) []byte {
	if n := l.conns[gen]; n != nil {
		return n.outstanding
	}
	return nil
}

// MayFeed says whether a driver could feed this input now.
func (l *Ledger) MayFeed(in *demux.Input) bool {
	n := l.conns[in.Gen]
	switch in.Kind {
	case demux.InputAcquire, demux.InputRelease:
		return l.ops[in.Op] == nil
	case demux.InputClose:
		return l.ops[in.Op] == nil
	case demux.InputOpened:
		return n != nil && !n.opened && !n.closed
	case demux.InputReceived:
		return n != nil && n.opened
	case demux.InputWrote:
		return n != nil && n.outstanding != nil
	case demux.InputClosed:
		return n != nil && n.outstanding == nil
	}
	return true
}

// Fed notes an input that is about to be fed.
func (l *Ledger) Fed(in *demux.Input) {
	n := l.conns[in.Gen]
	switch in.Kind {
	case demux.InputAcquire, demux.InputRelease, demux.InputClose:
		if in.Kind == demux.InputClose && l.closing {
			return // a second one is ignored
		}
		l.ops[in.Op] = &entry{
			kind:  in.Kind,
			key:   in.Key,
			lease: in.Lease,
			token: in.Token,
			req:   l.request(in),
			late:  l.closing,
		}
		l.closing = l.closing || in.Kind == demux.InputClose
		l.order = append(l.order, in.Op)
	case demux.InputCancel:
		if e := l.ops[in.Op]; e != nil {
			e.cancel = true
		}
	case demux.InputOpened:
		if n != nil {
			n.opened = true
		}
	case demux.InputWrote:
		if n != nil && n.outstanding != nil {
			n.accept(in.N)
		}
	case demux.InputClosed:
		if n != nil {
			n.accept(len(n.outstanding)) // nothing shows that it was not
			delete(l.conns, in.Gen)
		}
	}
}

// request is the one that an operation makes, or joins.
func (l *Ledger) request(in *demux.Input) *request {
	for _, op := range l.order {
		e := l.ops[op]
		if in.Kind == demux.InputRelease && e.kind == in.Kind && !e.settled && e.key == in.Key && e.token == in.Token {
			return e.req
		}
	}
	return new(request)
}

// accept notes whose bytes are out.
func (n *link) accept(count int) {
	for _, f := range n.frames {
		if f.req != nil && f.start < count {
			f.req.accepted = true
		}
	}
	n.outstanding, n.frames = nil, nil
}

// Did notes and judges an effect of it.
func (l *Ledger) Did(e demux.Effect) {
	n := l.conns[e.Gen]
	switch e.Kind {
	case demux.EffectDial:
		if l.closing {
			l.wrong("dial %d after close", e.Gen)
		}
		l.conns[e.Gen] = &link{}
	case demux.EffectWrite:
		if n == nil || n.closed || !n.opened || n.outstanding != nil {
			l.wrong("write on %d, which takes none", e.Gen)
			return
		}
		l.handOver(n, e.Data)
	case demux.EffectClose:
		if n == nil || n.closed {
			l.wrong("close of %d, which is closed", e.Gen)
			return
		}
		n.closed = true
	case demux.EffectComplete:
		l.settled(e)
	}
}

// handOver finds out what each frame of a write asks, and judges rule no-resend.
func (l *Ledger) handOver(n *link, data []byte) {
	n.outstanding = slices.Clone(data)
	start := 0
	for _, line := range strings.SplitAfter(string(data), "\n") {
		var req *request
		switch f := strings.Fields(line); {
		case len(f) == 5 && f[0] == "A":
			req = l.acquire(f[1], f[2], f[4])
		case len(f) == 3 && f[0] == "R":
			req = l.release(f[1], l.token(f[2]))
		}
		n.frames = append(n.frames, handed{start, req})
		start += len(line)
	}
}

// acquire is the acquire with that owner; for a new owner, the earliest without one that the frame fits.
func (l *Ledger) acquire(key, owner, lease string) *request {
	for _, op := range l.order {
		if e := l.ops[op]; e.req.owner == owner {
			if e.req.accepted || e.settled {
				l.wrong("owner %s is sent again", owner)
			}
			return e.req
		}
	}
	for _, op := range l.order {
		e := l.ops[op]
		if e.kind == demux.InputAcquire && !e.settled && e.req.owner == "" && e.key == key && fmt.Sprint(e.lease) == lease {
			e.req.owner = owner
			return e.req
		}
	}
	l.wrong("owner %s has no acquire", owner)
	return nil
}

// release is the open release of a token. Without one the R is the lane's.
func (l *Ledger) release(key string, token uint64) *request {
	for _, op := range l.order {
		if e := l.ops[op]; e.kind == demux.InputRelease && !e.settled && e.key == key && e.token == token {
			return e.req
		}
	}
	l.lane[token] = true
	return nil
}

func (l *Ledger) token(field string) (token uint64) {
	if _, err := fmt.Sscan(field, &token); err != nil {
		l.wrong("R with token %q", field)
	}
	return token
}

func (l *Ledger) settled(e demux.Effect) {
	x := l.ops[e.Op]
	if x == nil || x.settled {
		l.wrong("operation %d is settled, but is not open", e.Op)
		return
	}
	x.settled = true
	l.fits(x, e)
	if x.kind == demux.InputRelease && l.lane[x.token] {
		return // an R of that token may be the lane's
	}
	turnedAway := e.Cause == demux.CauseFull || x.late // it never joined, whatever the R in flight has out
	if e.Outcome == demux.NotSent && !turnedAway && x.req.accepted {
		l.wrong("operation %d is NotSent, but a byte was accepted", e.Op)
	}
	if e.Outcome == demux.Indeterminate && !x.req.accepted {
		l.wrong("operation %d is Indeterminate, but no byte was accepted", e.Op)
	}
}

// fits judges whether an operation of that kind can end so, and for that cause.
func (l *Ledger) fits(x *entry, e demux.Effect) {
	kind := demux.InputAcquire
	switch e.Outcome {
	case demux.NotSent, demux.Indeterminate:
		kind = x.kind
	case demux.Released, demux.NotFound:
		kind = demux.InputRelease
	case demux.Closed:
		kind = demux.InputClose
	}
	if kind != x.kind || e.Outcome == demux.OutcomeNone || (x.kind == demux.InputClose) != (e.Outcome == demux.Closed) {
		l.wrong("operation %d cannot end %v", e.Op, e.Outcome)
	}
	switch {
	case (e.Outcome == demux.NotSent) == (e.Cause == demux.CauseNone),
		e.Cause == demux.CauseCancelled && !x.cancel,
		e.Cause == demux.CauseClosed && !l.closing:
		l.wrong("operation %d ends %v for the cause %v, which was not", e.Op, e.Outcome, e.Cause)
	}
	if e.Outcome == demux.Closed && len(l.conns) > 0 {
		l.wrong("operation %d ends Closed with a connection left", e.Op)
	}
}

// unsettledAfter returns the first acquire that is open though n bytes of these frames were accepted, its first one among
// them, and their connection ended (rule ends-sent). Zero: none.
func (l *Ledger) unsettledAfter(frames []handed, n int) demux.OpID {
	for _, op := range l.order {
		e := l.ops[op]
		for _, f := range frames {
			if e.kind == demux.InputAcquire && !e.settled && f.req == e.req && f.start < n {
				return op
			}
		}
	}
	return 0
}
