package sim_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/audit"
	"ticketing/sim"
	"ticketing/sim/choice"
)

// TestDump walks worlds of each scenario, each with a core of either kind: whatever their state, a dump shows every part,
// changes nothing, and keeps the credential to itself.
func TestDump(t *testing.T) {
	for name, newCore := range cores {
		t.Run(name, func(t *testing.T) {
			w := sim.New(newCore, audit.All()...)
			var seen bytes.Buffer
			for i := range sim.Scenarios {
				s := &sim.Scenarios[i]
				for seed := range uint64(10) {
					var src choice.Seeded
					src.Reset(seed)
					p := s.Draw(&src)
					w.Reset(&p, &src)
					for w.Step() {
						if w.Events()%7 != 0 {
							continue
						}
						before := w.AppendState(nil)
						w.Dump(&seen)
						require.Equal(t, before, w.AppendState(nil))
					}
				}
			}
			text := seen.String()
			for _, part := range []string{"world after event 7 at ", "scenario calm", "\n  due: client 0 timer within ", "\nservice leader=",
				"\n  lock a held by c0a-", "\n  waiter c", "\nnode 0 up=true", "\n  proposal acquire a owner=c", "\nsession link ", "\nnetwork\n",
				"\n  link ", " bytes in flight", "\nclient 0 clock=", "\n  conn 1 ", "\n  acquire ", "\n  release ", "\n  driver conn ",
				"\n  caller 0 holding", "\naudits\n", "\n    call ", "\n  owners "} {
				require.True(t, strings.Contains(text, part), "no %q", part)
			}
			require.False(t, strings.Contains(text, sim.Credential))
			require.False(t, strings.Contains(text, "%!"))
		})
	}
}
