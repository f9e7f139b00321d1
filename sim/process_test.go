package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/wire"
	"ticketing/sim"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// play runs one world of a scenario to its end and shows each fact.
func play(w *sim.World, s *sim.Scenario, seed uint64, watch func(*sim.Fact)) {
	var src choice.Seeded
	src.Reset(seed)
	p := s.Draw(&src)
	w.SetTrace(watch)
	w.Reset(&p, &src)
	for w.Step() {
	}
}

// TestWhoSleepsDoesNothing: no node and no client does anything from its sleep until it is to wake, which it does.
func TestWhoSleepsDoesNothing(t *testing.T) {
	w := sim.New(cores["machine"])
	for _, name := range []string{"clocks", "swarm", "leader-storm"} {
		s, _ := sim.FindScenario(name)
		naps := 0
		for seed := range uint64(400) {
			client, node, until := int16(sim.NoClient), int16(-1), clock.Time(0)
			play(w, s, seed, func(f *sim.Fact) {
				switch {
				case f.Kind == sim.FactSleep:
					client, node, until = f.Client, f.Node, f.At+clock.Time(f.N)
					naps++
				case f.Kind == sim.FactWake:
					require.Equal(t, client, f.Client)
					require.Equal(t, node, f.Node)
					client, node = sim.NoClient, -1
				case f.At >= until:
				case f.Kind <= sim.FactStepped:
					require.NotEqual(t, client, f.Client, "seed %d: %s", seed, f.Text(w))
				case f.Kind == sim.FactFrame || f.Kind == sim.FactAnswer || f.Kind == sim.FactGrant || f.Kind == sim.FactFree || f.Kind == sim.FactDeposed:
					require.NotEqual(t, node, f.Node, "seed %d: %s", seed, f.Text(w))
				}
			})
			require.Equal(t, int16(-1), node)
			require.Equal(t, int16(sim.NoClient), client)
		}
		require.Greater(t, naps, 20, name)
	}
}

// TestRestartBeginsAnew: after a restart the owners of a client carry another prefix, and its dials are numbered from 1.
func TestRestartBeginsAnew(t *testing.T) {
	w := sim.New(cores["machine"])
	s, _ := sim.FindScenario("swarm")
	restarts := 0
	for seed := range uint64(2000) {
		var lives [sim.MaxClients]uint64
		var fresh [sim.MaxClients]bool
		play(w, s, seed, func(f *sim.Fact) {
			switch {
			case f.Kind == sim.FactRestart:
				restarts++
				lives[f.Client]++
				fresh[f.Client] = true
			case f.Kind == sim.FactDial && fresh[f.Client]:
				require.EqualValues(t, 1, f.Gen)
				fresh[f.Client] = false
			case f.Kind == sim.FactHanded && f.Verb == wire.OpAcquire:
				require.Equal(t, lives[f.Client], f.Owner.N>>32, "seed %d", seed)
			}
		})
	}
	require.Greater(t, restarts, 20)
}

// TestOnlyBrokenScenariosBreak: a service breaks its assumption in the scenarios that say so, and in no other.
func TestOnlyBrokenScenariosBreak(t *testing.T) {
	w := sim.New(cores["machine"])
	for i := range sim.Scenarios {
		s := &sim.Scenarios[i]
		broken := uint64(0)
		for seed := range uint64(100) {
			play(w, s, seed, nil)
			broken += w.Counts()[sim.CountBroken]
		}
		require.Equal(t, s.Breaks != "", broken > 0, s.Name)
	}
}
