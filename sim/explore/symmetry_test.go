package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/audit"
	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/explore"
)

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
			search := func(unreduced bool) (explore.Report, []string) {
				set := &explore.OutcomeSet{}
				r := explore.Run(func() *sim.World {
					return sim.New(func(o demux.Options) (demux.Core, error) { return demux.New(o) },
						append(audit.All(), &explore.Outcomes{Set: set})...)
				}, p, explore.Options{Unreduced: unreduced})
				require.Nil(t, r.Violation)
				require.Equal(t, explore.LimitNone, r.Limit)
				return r, set.All
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
