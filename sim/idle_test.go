package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim"
	"ticketing/sim/choice"
)

// TestIdleCountsDispatchesInVain holds Idle to what the facts of each event show.
func TestIdleCountsDispatchesInVain(t *testing.T) {
	w := sim.New(cores["machine"])
	facts := map[sim.FactKind]int{}
	w.SetTrace(func(f *sim.Fact) { facts[f.Kind]++ })
	var src choice.Seeded
	ticks, silent := 0, 0
	idle, events := int64(0), int64(0)
	for seed := range uint64(200) {
		src.Reset(seed)
		p := sim.Scenarios[0].Draw(&src)
		w.Reset(&p, &src)
		for done := false; !done; {
			clear(facts)
			before := w.Idle()
			done = !w.Step() || w.Events() >= p.EventsMax
			switch told := len(facts); {
			case w.Idle() == before:
			case told == 0:
				silent++
			default:
				ticks++
				require.Equal(t, map[sim.FactKind]int{sim.FactTick: 1, sim.FactStepped: 1}, facts, "seed %d, event %d", seed, w.Events())
			}
		}
		idle, events = idle+w.Idle(), events+w.Events()
	}
	require.Less(t, idle, events/2)
	require.NotZero(t, ticks)
	require.NotZero(t, silent)
}
