package explore_test

import (
	"testing"

	"ticketing/sim"
	"ticketing/sim/choice"
	"ticketing/sim/explore"
)

// BenchmarkScopes visits 200,000 states of each scope.
func BenchmarkScopes(b *testing.B) {
	for i := range sim.Scopes {
		s := &sim.Scopes[i]
		b.Run(s.Name, func(b *testing.B) {
			p := s.Draw(&choice.Bytes{})
			states, steps := uint64(0), uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				r := explore.Run(worlds(nil), &p, explore.Options{StatesMax: 200_000})
				states, steps = states+r.States, steps+r.Steps
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
