package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim"
	"ticketing/sim/choice"
)

// TestStoriesAreWhole reads the stories of many worlds: no fact that is told is told by its number or its absence, and none
// shows the credential (redact).
func TestStoriesAreWhole(t *testing.T) {
	kinds := map[sim.FactKind]bool{}
	for name, newCore := range cores {
		w := sim.New(newCore)
		for i := range sim.Scenarios {
			for seed := range uint64(20) {
				var src choice.Seeded
				src.Reset(seed)
				p := sim.Scenarios[i].Draw(&src)
				w.SetTrace(func(f *sim.Fact) {
					line, ok := f.Story(w)
					if !ok {
						return
					}
					kinds[f.Kind] = true
					require.NotContains(t, line, sim.Credential, name)
					require.NotContains(t, line, "invalid(", name)
					require.NotContains(t, line, "none", name)
					require.False(t, strings.HasSuffix(line, " "), line)
				})
				w.Reset(&p, &src)
				for w.Step() && w.Events() < 3000 {
				}
			}
		}
	}
	for _, k := range []sim.FactKind{sim.FactAcquire, sim.FactRelease, sim.FactCancel, sim.FactShut, sim.FactComplete, sim.FactDial,
		sim.FactHanded, sim.FactClose, sim.FactRefused, sim.FactWrote, sim.FactFrame, sim.FactForged, sim.FactGrant, sim.FactFree,
		sim.FactDeny, sim.FactMissing, sim.FactLeader, sim.FactCrash, sim.FactDeposed, sim.FactHealed} {
		require.True(t, kinds[k], "kind %d was never told", k)
	}
	for _, k := range []sim.FactKind{sim.FactTick, sim.FactStepped, sim.FactWrite, sim.FactReceived} {
		require.False(t, kinds[k], "kind %d only repeats", k)
	}
}
