package explore

import (
	"slices"
	"strings"

	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// Outcomes is an audit that never fails. Its state is what the callers of a world were told; where the world ends, it adds
// that to the set of all that can come to be told. Which caller was told what does not count, for a search leaves out what is
// the same but for that.
type Outcomes struct {
	Set *OutcomeSet // shared by the worlds of a search

	callers int      // of each client
	told    []string // by client: by caller
}

// OutcomeSet is a set of all that can come to be told, in order.
type OutcomeSet struct{ All []string }

func (s *OutcomeSet) add(what string) {
	if at, known := slices.BinarySearch(s.All, what); !known {
		s.All = slices.Insert(s.All, at, what)
	}
}

// Reset implements sim.Audit.
func (o *Outcomes) Reset(p *sim.Params) {
	o.callers, o.told = p.Callers, make([]string, p.Clients*p.Callers)
}

// Observe implements sim.Audit.
func (o *Outcomes) Observe(f *sim.Fact) {
	switch {
	case f.Kind == sim.FactComplete && f.Outcome != demux.Closed:
		what := f.Outcome.String()
		if f.Cause != demux.CauseNone {
			what += " (" + f.Cause.String() + ")"
		}
		o.told[int(f.Client)*o.callers+sim.CallerOf(f.Op)] += what + ", "
	case f.Kind == sim.FactEnded:
		all := slices.Clone(o.told)
		slices.Sort(all)
		o.Set.add(strings.Join(all, "; "))
	}
}

// Failure implements sim.Audit.
func (o *Outcomes) Failure() *sim.Failure { return nil }

// CopyFrom implements sim.Audit.
func (o *Outcomes) CopyFrom(src sim.Audit) {
	from := src.(*Outcomes)
	o.callers, o.told = from.callers, append(o.told[:0], from.told...)
}

// AppendState implements sim.Audit.
func (o *Outcomes) AppendState(_ clock.Time, dst []byte) []byte {
	for _, t := range o.told {
		dst = append(append(dst, t...), 0)
	}
	return dst
}
