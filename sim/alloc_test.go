package sim_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/audit"
	"ticketing/sim"
	"ticketing/sim/choice"
)

// TestWarmWorldAllocatesNothing runs the same seeds a second time through one world: its tables, its cores, its audits and
// its recorder have the room that these runs need, so that no event allocates.
func TestWarmWorldAllocatesNothing(t *testing.T) {
	w := sim.New(cores["machine"], audit.All()...)
	var rec sim.Recorder
	w.SetRecorder(&rec)
	for i := range sim.Scenarios {
		s := &sim.Scenarios[i]
		t.Run(s.Name, func(t *testing.T) {
			const seeds = 20
			run := func(seed uint64) (mallocs uint64) {
				var src choice.Seeded
				src.Reset(seed)
				p := s.Draw(&src)
				w.Reset(&p, &src)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for w.Failure() == nil && w.Step() && w.Events() < p.EventsMax {
				}
				runtime.ReadMemStats(&after)
				if w.Failure() != nil {
					return 0 // it says why, in words of its own
				}
				return after.Mallocs - before.Mallocs
			}
			for seed := range uint64(seeds) {
				run(seed)
			}
			for seed := range uint64(seeds) {
				n := run(seed)
				for again := 0; n > 0 && again < 3; again++ {
					n = run(seed) // the runtime allocates too, but not at the same places
				}
				require.Zero(t, n, "seed %d, %d events", seed, w.Events())
			}
		})
	}
}
