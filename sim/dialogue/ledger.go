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
	kind     demux.InputKind
	key      string
	lease    uint32
	token    uint64
	owner    string
	accepted bool
	settled  bool
}

// link is one connection.
type link struct {
	opened, closed bool
	outstanding    []byte
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
		l.closing = l.closing || in.Kind == demux.InputClose
		l.ops[in.Op] = &entry{kind: in.Kind, key: in.Key, lease: in.Lease, token: in.Token, accepted: l.joins(in)}
		l.order = append(l.order, in.Op)
	case demux.InputOpened:
		if n != nil {
			n.opened = true
		}
	case demux.InputWrote:
		if n != nil && n.outstanding != nil {
			l.accept(n.outstanding, in.N)
			n.outstanding = nil
		}
	case demux.InputClosed:
		if n != nil {
			l.accept(n.outstanding, len(n.outstanding)) // nothing shows that it was not
			delete(l.conns, in.Gen)
		}
	}
}

// joins says whether a release joins an R of which a byte is out (rule one-release).
func (l *Ledger) joins(in *demux.Input) bool {
	for _, e := range l.ops {
		if in.Kind == demux.InputRelease && e.kind == in.Kind && !e.settled && e.key == in.Key && e.token == in.Token && e.accepted {
			return true
		}
	}
	return false
}

// accept notes whose bytes are out.
func (l *Ledger) accept(data []byte, count int) {
	start := 0
	for _, f := range strings.SplitAfter(string(data), "\n") {
		if start < count {
			l.each(f, func(e *entry) { e.accepted = true })
		}
		start += len(f)
	}
}

// each calls do for every open operation that a frame belongs to. An R is shared by all who release its token.
func (l *Ledger) each(frame string, do func(*entry)) {
	f := strings.Fields(frame)
	for _, op := range l.order {
		e := l.ops[op]
		if e.settled || len(f) == 0 {
			continue
		}
		acquire := f[0] == "A" && e.kind == demux.InputAcquire && e.owner == f[2]
		release := f[0] == "R" && e.kind == demux.InputRelease && e.key == f[1] && fmt.Sprint(e.token) == f[2]
		if acquire || release {
			do(e)
		}
	}
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
		n.outstanding = slices.Clone(e.Data)
		for _, f := range strings.SplitAfter(string(e.Data), "\n") {
			l.handedOver(f)
		}
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

// handedOver gives an A to the earliest acquire that it fits, and judges rule no-resend.
func (l *Ledger) handedOver(frame string) {
	f := strings.Fields(frame)
	found := false
	l.each(frame, func(e *entry) {
		found = true
		if e.kind == demux.InputAcquire && e.accepted {
			l.wrong("owner %s is sent again", e.owner)
		}
	})
	if found || len(f) == 0 {
		return
	}
	if f[0] == "R" {
		l.lane[l.token(f[2])] = true
	}
	for _, op := range l.order {
		e := l.ops[op]
		if f[0] == "A" && e.kind == demux.InputAcquire && !e.settled && e.owner == "" && e.key == f[1] && fmt.Sprint(e.lease) == f[4] {
			e.owner = f[2]
			return
		}
	}
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
	if x.kind == demux.InputRelease && l.lane[x.token] {
		return // an R of that token may be the lane's
	}
	if e.Outcome == demux.NotSent && x.accepted {
		l.wrong("operation %d is NotSent, but a byte was accepted", e.Op)
	}
	if e.Outcome == demux.Indeterminate && !x.accepted {
		l.wrong("operation %d is Indeterminate, but no byte was accepted", e.Op)
	}
}
