package explore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/audit"
	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/clock"
	"ticketing/sim/explore"
)

// outcomes is an audit that never fails. Its state is what each operation came to; where a world ends it adds that to a set
// of all, with clients and callers put in order, since which of them is which does not matter.
type outcomes struct {
	callers int      // of each client
	told    []string // by client: by caller
	set     map[string]bool
}

func (o *outcomes) Reset(p *sim.Params) {
	o.callers, o.told = p.Callers, make([]string, p.Clients*p.Callers)
}

func (o *outcomes) Observe(f *sim.Fact) {
	switch {
	case f.Kind == sim.FactComplete && f.Outcome != demux.Closed:
		o.told[int(f.Client)*o.callers+sim.CallerOf(f.Op)] += f.Outcome.String() + f.Cause.String() + " "
	case f.Kind == sim.FactEnded:
		all := slices.Clone(o.told)
		slices.Sort(all)
		o.set[strings.Join(all, "; ")] = true
	}
}

func (o *outcomes) Failure() *sim.Failure { return nil }

func (o *outcomes) CopyFrom(src sim.Audit) {
	o.callers = src.(*outcomes).callers
	o.told = append(o.told[:0], src.(*outcomes).told...)
}

func (o *outcomes) AppendState(_ clock.Time, dst []byte) []byte {
	for _, t := range o.told {
		dst = append(append(dst, t...), 0)
	}
	return dst
}

// TestReductionKeepsOutcomes compares all that callers can come to be told, with symmetry and without: of two callers of one
// client, and of one caller of each of two.
func TestReductionKeepsOutcomes(t *testing.T) {
	for _, c := range []struct {
		scope            string
		clients, callers int
	}{{"redirect", 1, 2}, {"leader-change", 2, 1}} {
		t.Run(c.scope, func(t *testing.T) {
			p := scope(t, c.scope)
			p.Clients, p.Callers = c.clients, c.callers
			p.Chaos.NoticeOdds, p.Service.NoticeOdds, p.Chaos.Budget = 0, 0, 2-c.clients
			search := func(unreduced bool) (explore.Report, map[string]bool) {
				set := map[string]bool{}
				r := explore.Run(func() *sim.World {
					return sim.New(func(o demux.Options) (demux.Core, error) { return demux.New(o) },
						append(audit.All(), &outcomes{set: set})...)
				}, p, explore.Options{Unreduced: unreduced})
				require.Nil(t, r.Violation)
				require.Equal(t, explore.LimitNone, r.Limit)
				return r, set
			}
			reduced, some := search(false)
			whole, all := search(true)
			require.Equal(t, all, some)
			require.GreaterOrEqual(t, len(all), 3)
			require.Less(t, reduced.States, whole.States)
			t.Logf("%d of %d states, %d outcomes", reduced.States, whole.States, len(all))
		})
	}
}
