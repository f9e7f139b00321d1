package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/audit"
	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/choice"
)

// twins are two audits of a kind. One observes all facts, the other those that it wants.
type twins struct {
	sim.Audit
	picky  sim.Audit
	t      *testing.T
	last   sim.Fact
	state  [2][]byte
	spared int
}

func (w *twins) Reset(p *sim.Params) {
	w.Audit.Reset(p)
	w.picky.Reset(p)
	w.last = sim.Fact{}
}

// Observe compares the two whenever an event is over.
func (w *twins) Observe(f *sim.Fact) {
	if f.Event != w.last.Event {
		w.compare()
	}
	w.Audit.Observe(f)
	if s, ok := w.picky.(sim.Selective); !ok || s.Wants(f.Kind) {
		w.picky.Observe(f)
	} else {
		w.spared++
	}
	w.last = *f
	if f.Kind == sim.FactEnded {
		w.compare()
	}
}

func (w *twins) compare() {
	for i, a := range [...]sim.Audit{w.Audit, w.picky} {
		w.state[i] = a.AppendState(w.last.At, w.state[i][:0])
	}
	require.Equal(w.t, w.Audit.Failure(), w.picky.Failure())
	require.Equal(w.t, w.state[0], w.state[1], "event %d, the last fact of kind %d", w.last.Event, w.last.Kind)
}

// TestUnwantedFactsMeanNothing: an audit that is told all facts is, after every event, where one is that was told those that
// it wants.
func TestUnwantedFactsMeanNothing(t *testing.T) {
	var all []sim.Audit
	one, other := audit.All(), audit.All()
	for i := range one {
		all = append(all, &twins{Audit: one[i], picky: other[i], t: t})
	}
	w := sim.New(func(o demux.Options) (demux.Core, error) { return demux.New(o) }, all...)
	var src choice.Seeded
	for _, s := range sim.Scenarios {
		for seed := range uint64(10) {
			src.Reset(seed)
			p := s.Draw(&src)
			w.Reset(&p, &src)
			for w.Events() < 2000 && w.Failure() == nil && w.Step() {
			}
		}
	}
	for i := range all {
		_, selective := one[i].(sim.Selective)
		require.Equal(t, selective, all[i].(*twins).spared > 0)
	}
}
