package audit

import (
	"fmt"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// errand is an acquire, or a call of Release, that is not settled. Errands stand in the order of their calls.
type errand struct {
	op        demux.OpID
	kind      callKind
	stage     stage
	key       int16
	touched   bool // a byte was accepted, on whatever connection
	cancelled bool
	overdue   bool // it was due while it was writing: that is remembered
	full      bool // its table was full when it was called
	fresh     bool // called in this step
	replied   bool // its R or N was read in this step
	tries     uint8
	id        uint64           // the token of a release; the number of an acquire's owner, once it is handed over
	last      demux.Generation // the connection that it was handed to last
	grace     clock.Time       // of an acquire
	due       clock.Time       // when it must be settled as it stands
	unsent    clock.Time       // when it must be settled if it is not sent
}

func (d *desk) errand(op demux.OpID) *errand {
	for i := range d.errands {
		if d.errands[i].op == op {
			return &d.errands[i]
		}
	}
	return nil
}

func (d *desk) pending(kind callKind) int {
	n := 0
	for i := range d.errands {
		if d.errands[i].kind == kind {
			n++
		}
	}
	return n
}

// acquired takes the call of an acquire. Unsent, it is due at call + wait + grace; a deadline of the caller's own caps the
// wait (deadline).
func (c *Conduct) acquired(f *sim.Fact, d *desk) {
	wait := clock.Time(f.Wait) * millisecond
	grace := clock.Time(c.options.Grace) + wait/1000
	if f.N != 0 {
		wait = min(wait, max(0, f.Local+clock.Time(f.N)-d.now-grace))
	}
	due := d.now + wait + grace
	d.errands = append(d.errands, errand{op: f.Op, kind: acquire, key: f.Key, fresh: true, grace: grace, due: due, unsent: due,
		full: d.pending(acquire) >= c.options.MaxAcquires})
}

// released takes the call of a release. It shares the R of its token that is under way, with what became of it so far.
func (c *Conduct) released(f *sim.Fact, d *desk) {
	d.muddled = d.muddled || d.stray(f.Key, f.Token) != nil
	e := errand{due: d.now + clock.Time(c.options.Grace)}
	if o := d.release(f.Key, f.Token); o != nil {
		e = *o
	}
	e.op, e.kind, e.key, e.id, e.cancelled, e.fresh = f.Op, release, f.Key, f.Token, false, true
	e.full = d.pending(release) >= c.options.MaxReleases
	d.letGo(f)
	d.errands = append(d.errands, e)
}

// release finds a call whose R names key and token.
func (d *desk) release(key int16, token uint64) *errand {
	for i := range d.errands {
		if e := &d.errands[i]; e.kind == release && e.key == key && e.id == token {
			return e
		}
	}
	return nil
}

// is says whether the frame of f is this errand's.
func (e *errand) is(f *sim.Fact) bool {
	if f.Verb == wire.OpAcquire {
		return e.kind == acquire && e.id != 0 && e.id == f.Owner.N
	}
	return e.kind == release && f.Verb == wire.OpRelease && e.key == f.Key && e.id == f.Token
}

// answered takes the transport's word on a frame.
func (c *Conduct) answered(f *sim.Fact, d *desk) {
	live := d.link.gen == f.Gen
	for i := range d.errands {
		e := &d.errands[i]
		if !e.is(f) || e.stage != writing || e.last != f.Gen {
			continue
		}
		switch {
		case f.Kind == sim.FactRefused:
			e.stage = unsent
			if e.kind == acquire {
				e.due = max(e.unsent, d.now)
			}
		case e.kind == release && !live:
			e.touched, e.stage = true, unsent // it may go out again
			e.tries++
		default:
			e.touched, e.stage = true, sent
			e.tries++
		}
	}
}

// completed takes an outcome.
func (c *Conduct) completed(f *sim.Fact, d *desk) {
	at := 0
	for at < len(d.errands) && d.errands[at].op != f.Op {
		at++
	}
	if at == len(d.errands) {
		d.over = d.over || f.Outcome == demux.Closed
		return // a Close; or nobody's, and no concern of this audit
	}
	e := d.errands[at]
	d.errands = append(d.errands[:at], d.errands[at+1:]...)
	if f.Outcome == demux.NotSent && f.Cause == demux.CauseFull != e.full && !(d.shut && e.full) {
		c.breaks(RuleBounds, f, OwnCapacity, e.text(f)+fmt.Sprintf(" is told %v (%v)", f.Outcome, f.Cause),
			fmt.Sprintf("its table was full: %v", e.full))
	}
	switch f.Outcome {
	case demux.NotSent:
		c.explainUnsent(f, d, &e)
	case demux.Indeterminate:
		c.explainUnknown(f, d, &e)
	}
}

func (e *errand) text(f *sim.Fact) string {
	what := "acquire"
	if e.kind == release {
		what = "release"
	}
	return fmt.Sprintf("client %d %s (operation %d, key %d, number %d)", f.Client, what, e.op, e.key, e.id)
}
