package sim

import (
	"slices"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/model"
	"ticketing/sim/clock"
)

// Recorder makes a history of what callers saw, as somebody who watches them and their sockets would.
//
// Calls of Release that shared one R are one operation. An acquire that ended Indeterminate and whose grant was read
// later is a grant that returned at that moment. Releases that the client sent for orphans are operations too.
type Recorder struct {
	h    model.History
	seq  int64
	open []openOp
	// calls are the calls that wait for an outcome, several for a release that they share.
	calls []openCall
	// grants finds the acquire that an owner stands for: one entry for each owner that reached a wire.
	grants []ownerOp
}

// openOp is an operation that has not settled, and how it stands so far.
type openOp struct {
	client int16
	index  int32
	calls  int32 // that wait for it; 0 for an orphan's release
	// writing is the connection to which its R was handed and whose word on it is due; a reply proves it too.
	writing demux.Generation
	gen     demux.Generation // the last one to which its R was handed
}

type openCall struct {
	client int16
	index  int32
	op     demux.OpID
}

type ownerOp struct {
	owner Owner
	index int32
}

// Reset makes it empty.
func (r *Recorder) Reset() {
	r.h.Ops, r.h.Taints, r.seq = r.h.Ops[:0], r.h.Taints[:0], 0
	r.open, r.calls, r.grants = r.open[:0], r.calls[:0], r.grants[:0]
}

// History is what was recorded, of a world of these parameters. It is valid until the next Reset.
func (r *Recorder) History(p *Params) *model.History {
	r.h.Keys = p.Keys
	r.h.Header = model.Header{DriftPPM: uint32(p.DriftPPM), LaneRecorded: true}
	return &r.h
}

func (r *Recorder) stamp(at clock.Time) model.Stamp {
	r.seq++
	return model.Stamp{Seq: r.seq, At: int64(at)}
}

func (r *Recorder) observe(f *Fact) {
	switch f.Kind {
	case FactAcquire:
		r.call(f, model.Acquire)
	case FactRelease:
		if o := r.release(f, func(o *openOp) bool { return o.calls > 0 }); o != nil {
			o.calls++
			r.calls = append(r.calls, openCall{f.Client, o.index, f.Op})
			return
		}
		r.call(f, model.Release)
	case FactComplete:
		r.complete(f)
	case FactHanded:
		r.handed(f)
	case FactAccepted, FactRefused:
		if f.Verb == wire.OpRelease {
			r.tried(f, f.Kind == FactAccepted)
		}
	case FactReply:
		r.reply(f)
	case FactForged:
		if f.Token != 0 && f.Key >= 0 {
			r.h.Taints = append(r.h.Taints, model.Taint{Token: f.Token, Key: int32(f.Key)})
		}
	case FactRestart:
		r.died(f)
	case FactEnded:
		r.end(f.At)
	}
}

// died ends what a client that is no more had open: it is Indeterminate, but for a release of which no byte went out.
func (r *Recorder) died(f *Fact) {
	r.calls = slices.DeleteFunc(r.calls, func(c openCall) bool { return c.client == f.Client })
	for i := len(r.open) - 1; i >= 0; i-- {
		o := &r.open[i]
		if o.client != f.Client {
			continue
		}
		op := &r.h.Ops[o.index]
		if o.writing != 0 {
			op.Tries++ // nobody will say; a byte may have gone out
		}
		switch {
		case op.Outcome != 0 && op.Outcome != model.NotSent: // one of those who shared it was told
		case op.Kind == model.Release && op.Tries == 0:
			op.Outcome = model.NotSent
		default:
			op.Outcome = model.Indeterminate
		}
		op.Return = r.stamp(f.At)
		r.forget(i)
	}
}

func (r *Recorder) call(f *Fact, kind model.Kind) {
	index := int32(len(r.h.Ops))
	r.open = append(r.open, openOp{client: f.Client, calls: 1, index: index})
	r.calls = append(r.calls, openCall{f.Client, index, f.Op})
	r.h.Ops = append(r.h.Ops, model.Op{Kind: kind, Call: r.stamp(f.At), Client: int32(f.Client), Key: int32(f.Key),
		Token: f.Token, Wait: f.Wait})
}

var outcomes = [...]model.Outcome{
	demux.Granted: model.Granted, demux.TimedOut: model.TimedOut, demux.Busy: model.Busy, demux.NotSent: model.NotSent,
	demux.Indeterminate: model.Indeterminate, demux.Released: model.Released, demux.NotFound: model.NotFound, demux.Closed: 0,
}

func (r *Recorder) complete(f *Fact) {
	at := slices.IndexFunc(r.calls, func(c openCall) bool { return c.client == f.Client && c.op == f.Op })
	if at < 0 {
		return // a Close, or nobody's: an audit says so
	}
	index := r.calls[at].index
	r.calls = slices.Delete(r.calls, at, at+1)
	op := &r.h.Ops[index]
	// What one caller of a shared release learned for certain is what became of it.
	if out := outcomes[f.Outcome]; op.Outcome == 0 || out != model.NotSent && op.Outcome != model.Released && op.Outcome != model.NotFound {
		op.Outcome = out
	}
	op.Return = r.stamp(f.At)
	if f.Outcome == demux.Granted {
		op.Token, op.Lease = f.Token, f.Lease
	}
	for i := range r.open {
		if o := &r.open[i]; o.index == index {
			if o.calls--; o.calls == 0 {
				r.forget(i)
			}
			return
		}
	}
}

func (r *Recorder) forget(i int) {
	last := len(r.open) - 1
	r.open[i] = r.open[last]
	r.open = r.open[:last]
}

// tried takes the word on the R that is due.
func (r *Recorder) tried(f *Fact, sent bool) {
	if o := r.release(f, func(o *openOp) bool { return o.writing == f.Gen }); o != nil {
		o.writing = 0
		if sent {
			r.h.Ops[o.index].Tries++
		}
	}
}

// release finds a release of the fact's token that its client has under way.
func (r *Recorder) release(f *Fact, fits func(*openOp) bool) *openOp {
	for i := range r.open {
		o := &r.open[i]
		op := &r.h.Ops[o.index]
		if o.client == f.Client && op.Kind == model.Release && op.Token == f.Token && op.Key == int32(f.Key) && fits(o) {
			return o
		}
	}
	return nil
}

// handedRelease finds whose R is handed over: a caller's, or an orphan's, whose operation begins here.
func (r *Recorder) handedRelease(f *Fact) *openOp {
	if o := r.release(f, func(o *openOp) bool { return o.calls > 0 && o.writing == 0 }); o != nil {
		return o
	}
	if o := r.release(f, func(o *openOp) bool { return o.calls == 0 }); o != nil {
		return o
	}
	r.open = append(r.open, openOp{client: f.Client, index: int32(len(r.h.Ops))})
	r.h.Ops = append(r.h.Ops, model.Op{Kind: model.Release, Call: r.stamp(f.At), Client: int32(f.Client),
		Key: int32(f.Key), Token: f.Token, Lane: true})
	return &r.open[len(r.open)-1]
}

func (r *Recorder) handed(f *Fact) {
	switch {
	case f.Key < 0:
	case f.Verb == wire.OpAcquire:
		for _, c := range r.calls {
			if c.client == f.Client && c.op == AcquireOp(f.Lease) {
				r.grants = append(r.grants, ownerOp{owner: f.Owner, index: c.index})
			}
		}
	case f.Verb == wire.OpRelease:
		o := r.handedRelease(f)
		o.writing, o.gen = f.Gen, f.Gen
	}
}

// reply settles what only the socket shows: orphans' releases, and grants that came too late for their caller.
func (r *Recorder) reply(f *Fact) {
	switch f.Verb {
	case wire.OpReleased, wire.OpNotFound:
		r.tried(f, true)
		for i := range r.open {
			o := &r.open[i]
			op := &r.h.Ops[o.index]
			if o.calls == 0 && o.gen == f.Gen && op.Tries > 0 && o.client == f.Client && op.Token == f.Token && op.Key == int32(f.Key) {
				op.Outcome, op.Return = model.Released, r.stamp(f.At)
				if f.Verb == wire.OpNotFound {
					op.Outcome = model.NotFound
				}
				r.forget(i)
				return
			}
		}
	case wire.OpGranted:
		for _, g := range r.grants {
			op := &r.h.Ops[g.index]
			if g.owner == f.Owner && op.Outcome == model.Indeterminate && op.Key == int32(f.Key) {
				op.Outcome, op.Token, op.Lease, op.Return = model.Granted, f.Token, f.Lease, r.stamp(f.At)
			}
		}
	}
}

// end makes what is still open Indeterminate; an orphan's release of which no byte was accepted was not sent.
func (r *Recorder) end(at clock.Time) {
	for i := range r.open {
		op := &r.h.Ops[r.open[i].index]
		if r.open[i].calls == 0 && op.Tries == 0 {
			op.Outcome, op.Return = model.NotSent, r.stamp(at)
			continue
		}
		if op.Outcome == 0 || op.Outcome == model.NotSent {
			op.Outcome, op.Return = model.Indeterminate, r.stamp(at)
		}
	}
	r.open = r.open[:0]
}
