package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim"
	"ticketing/sim/explore"
)

// TestComparedDiffers changes one thing after the other that two searches must have in common.
func TestComparedDiffers(t *testing.T) {
	of := func() *compared {
		x := &compared{}
		for i := range x.reports {
			x.reports[i] = explore.Report{States: 7, Digest: 8, Ends: 2, Steps: uint64(10 + i)}
			x.outcomes[i].All = []string{"a", "b"}
		}
		x.reports[2].Digest, x.reports[2].States, x.reports[2].Ends = 9, 14, 4
		return x
	}
	require.Empty(t, of().differs())
	violation := func(property string, events int) *explore.Violation {
		return &explore.Violation{Failure: sim.Failure{Property: property}, Events: events}
	}
	for what, change := range map[string]func(x *compared){
		"8 states of digest":                  func(x *compared) { x.reports[0].States, x.reports[0].Digest = 8, 1 },
		"7 states of digest":                  func(x *compared) { x.reports[1].Ends = 3 },
		"2 outcomes and 1":                    func(x *compared) { x.outcomes[2].All = x.outcomes[2].All[:1] },
		"1 outcomes and 2":                    func(x *compared) { x.outcomes[0].All = x.outcomes[0].All[1:] },
		"one finds a violation":               func(x *compared) { x.reports[2].Violation = violation("match", 3) },
		"match after 3 events, match after 4": func(x *compared) { violations(x, violation("match", 3), violation("match", 4)) },
	} {
		x := of()
		change(x)
		require.Contains(t, x.differs(), what)
	}
}

func violations(x *compared, a, b *explore.Violation) {
	x.reports[0].Violation, x.reports[1].Violation, x.reports[2].Violation = a, a, b
}
