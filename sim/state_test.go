package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/audit"
	"ticketing/sim"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// story makes a world tell its facts into lines, without the number of the event.
func story(w *sim.World) *[]string {
	var lines []string
	w.SetTrace(func(f *sim.Fact) {
		g := *f
		g.Event = 0
		lines = append(lines, g.Text(w))
	})
	return &lines
}

func TestCloneRunsAlike(t *testing.T) {
	for name, newCore := range cores {
		t.Run(name, func(t *testing.T) {
			w := sim.New(newCore, audit.All()...)
			clone := sim.New(newCore, audit.All()...)
			for i, s := range sim.Scenarios {
				for seed := range uint64(12) {
					var src choice.Seeded
					src.Reset(seed)
					p := s.Draw(&src)
					w.SetTrace(nil)
					w.Reset(&p, &src)
					for range 7 * (int(seed) + i) {
						w.Step()
					}
					clone.CopyFrom(w)
					same := src
					clone.SetSource(&same)
					require.Equal(t, w.AppendState(nil), clone.AppendState(nil))
					want, got := story(w), story(clone)
					for w.Step() && w.Events() < 5000 {
						require.True(t, clone.Step())
						require.Equal(t, w.AppendState(nil), clone.AppendState(nil), "%s seed %d", s.Name, seed)
					}
					clone.Step()
					require.Equal(t, *want, *got)
				}
			}
		})
	}
}

// tiny is a world small enough to visit many of its states: two callers want one lock of one node.
func tiny() *sim.Params {
	s, _ := sim.FindScenario("calm")
	p := s.Draw(&choice.Bytes{})
	p.Nodes, p.Clients, p.Callers, p.Ops, p.Keys = 1, 1, 2, 1, []string{"a"}
	p.Net.Conns, p.Instants = 3, 1
	p.Net.DelayMin, p.Net.DelayMax = clock.Millisecond, 2*clock.Millisecond
	p.Caller.CancelOdds = choice.OddsOne / 2
	return &p
}

// TestEqualEncodingsBehaveAlike walks a tiny world in all its ways. Whenever two paths meet in one encoding, each answer to
// each question must lead both on to one encoding again.
func TestEqualEncodingsBehaveAlike(t *testing.T) {
	for name, newCore := range cores {
		t.Run(name, func(t *testing.T) { testEqualEncodings(t, newCore, tiny(), 2500) })
		t.Run(name+"/processes", func(t *testing.T) { testEqualEncodings(t, newCore, restless(), 1000) })
	}
}

// restless is tiny with one blow on its processes: a sleep, a jump, a death or a silent node.
func restless() *sim.Params {
	p := tiny()
	p.Nodes, p.Net.Conns = 2, 4
	p.Chaos = sim.ChaosParams{Budget: 1, Every: sim.Window{Min: clock.Millisecond, Max: 3 * clock.Millisecond},
		Election: sim.Window{Min: clock.Millisecond, Max: clock.Millisecond}, Nap: sim.Window{Min: 2 * clock.Millisecond, Max: 9 * clock.Millisecond},
		PauseOdds: 1, SleepOdds: 1, JumpOdds: 1, RestartOdds: 1}
	p.Service.SilentOdds = 1
	return p
}

func testEqualEncodings(t *testing.T, newCore sim.NewCore, p *sim.Params, statesMax int) {
	root := sim.New(newCore, audit.All()...)
	root.Reset(p, &choice.Bytes{})
	next := sim.New(newCore, audit.All()...)
	successors := func(w *sim.World, visit func(*sim.World)) (encodings []string) {
		var o choice.Odometer
		for o.Next() {
			next.CopyFrom(w)
			next.SetSource(&o)
			if next.Step() {
				encodings = append(encodings, string(next.AppendState(nil)))
				visit(next)
			}
		}
		return encodings
	}
	seen := map[string][]string{}
	queue := []*sim.World{root}
	met := 0
	for len(queue) > 0 {
		w := queue[0]
		queue = queue[1:]
		key := string(w.AppendState(nil))
		after, known := seen[key]
		var found []*sim.World
		now := successors(w, func(n *sim.World) {
			if !known && len(seen)+len(queue) < statesMax {
				c := sim.New(newCore, audit.All()...)
				c.CopyFrom(n)
				found = append(found, c)
			}
		})
		require.Nil(t, w.Failure())
		if known {
			met++
			require.Equal(t, after, now, "two worlds of one encoding part")
			continue
		}
		seen[key] = now
		queue = append(queue, found...)
	}
	require.Greater(t, met, 200, "paths must meet, or this shows nothing")
	t.Logf("%d states, %d meetings", len(seen), met)
}
