package reference

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"ticketing/client/demux"
)

// Pair runs two cores on the same inputs and compares what they do. It is a core itself: a world that runs a
// Pair tests two cores at once. What it returns is always what the primary says.
//
// Equal means: the same dials, writes and closes in the same order, the same completions in any order among
// themselves and the others (the page leaves that order free). The primary's Deadline lies in the future, as a
// driver would spin otherwise, and is not later than the shadow's, as something would be missed; it may be earlier: a
// tick that changes nothing is harmless.
type Pair struct {
	primary, shadow demux.Core
	steps           int
	now             demux.Time // clamped, as the cores do
	data            []byte     // of the input: the primary must not change what the shadow sees
	diff            *Difference
}

var _ demux.Core = (*Pair)(nil)

// NewPair returns a pair of two cores that were made with the same options and have taken no step.
func NewPair(primary, shadow demux.Core) *Pair {
	return &Pair{primary: primary, shadow: shadow, now: minTime}
}

// Difference is the first step in which two cores parted.
type Difference struct {
	Step            int // from 1
	Now             demux.Time
	Input           demux.Input // with its own copy of Data
	Primary, Shadow []string    // the effects, as FormatEffect writes them
	PrimaryDeadline demux.Time
	ShadowDeadline  demux.Time
}

func (d *Difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "step %d at %d: %s\n", d.Step, d.Now, FormatInput(&d.Input))
	fmt.Fprintf(&b, "primary, deadline %d:\n  %s\n", d.PrimaryDeadline, strings.Join(d.Primary, "\n  "))
	fmt.Fprintf(&b, "shadow, deadline %d:\n  %s\n", d.ShadowDeadline, strings.Join(d.Shadow, "\n  "))
	return b.String()
}

// Difference returns the first difference, or nil. After one the shadow rests: its state no longer fits the
// inputs.
func (p *Pair) Difference() *Difference { return p.diff }

// Primary is the core whose word counts.
func (p *Pair) Primary() demux.Core { return p.primary }

// Step feeds both.
func (p *Pair) Step(now demux.Time, in *demux.Input) []demux.Effect {
	p.steps++
	input := *in
	p.data = append(p.data[:0], in.Data...)
	input.Data = p.data
	effects := p.primary.Step(now, in)
	if p.diff != nil {
		return effects
	}
	others := p.shadow.Step(now, &input)
	p.now = max(p.now, now)
	at := p.primary.Deadline()
	if !same(effects, others) || at <= p.now || at > p.shadow.Deadline() {
		input.Data = slices.Clone(p.data)
		p.diff = &Difference{p.steps, now, input, formatEffects(effects), formatEffects(others),
			at, p.shadow.Deadline()}
	}
	return effects
}

// same compares two lists of effects up to the order of completions.
func same(a, b []demux.Effect) bool {
	if slices.EqualFunc(a, b, equal) { // nearly always
		return true
	}
	wireA, doneA := split(a)
	wireB, doneB := split(b)
	slices.Sort(doneA)
	slices.Sort(doneB)
	return slices.Equal(doneA, doneB) && slices.EqualFunc(wireA, wireB, func(x, y demux.Effect) bool {
		return FormatEffect(x, nil) == FormatEffect(y, nil) && bytes.Equal(x.Data, y.Data)
	})
}

// equal compares every field.
func equal(a, b demux.Effect) bool {
	return a.Kind == b.Kind && a.Outcome == b.Outcome && a.Cause == b.Cause && a.Reason == b.Reason && a.Resent == b.Resent &&
		a.Tries == b.Tries && a.Addr == b.Addr && a.Op == b.Op && a.Gen == b.Gen && a.Token == b.Token && a.Lease == b.Lease &&
		bytes.Equal(a.Data, b.Data)
}

func split(effects []demux.Effect) (wire []demux.Effect, done []string) {
	for _, e := range effects {
		if e.Kind == demux.EffectComplete {
			done = append(done, FormatEffect(e, nil))
		} else {
			wire = append(wire, e)
		}
	}
	return wire, done
}

// Deadline is the primary's.
func (p *Pair) Deadline() demux.Time { return p.primary.Deadline() }

// CopyFrom makes both halves equal to those of src, which must be a *Pair.
func (p *Pair) CopyFrom(src demux.Core) {
	s := src.(*Pair)
	p.primary.CopyFrom(s.primary)
	p.shadow.CopyFrom(s.shadow)
	p.steps, p.now, p.diff = s.steps, s.now, s.diff
}

// AppendState appends both states.
func (p *Pair) AppendState(now demux.Time, dst []byte) []byte {
	return p.shadow.AppendState(now, p.primary.AppendState(now, dst))
}

// Reset resets both and forgets the difference.
func (p *Pair) Reset(o demux.Options) {
	p.primary.Reset(o)
	p.shadow.Reset(o)
	p.steps, p.now, p.diff = 0, minTime, nil
}
