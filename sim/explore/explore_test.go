package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
	"ticketing/checker/audit"
	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/choice"
	"ticketing/sim/explore"
)

// bad is the client that ships, but for what spoil does to its effects.
type bad struct {
	demux.Core
	spoil func([]demux.Effect) []demux.Effect
}

func (b *bad) Step(now demux.Time, in *demux.Input) []demux.Effect {
	return b.spoil(b.Core.Step(now, in))
}
func (b *bad) CopyFrom(src demux.Core) { b.Core.CopyFrom(src.(*bad).Core) }

func worlds(spoil func([]demux.Effect) []demux.Effect) func() *sim.World {
	return func() *sim.World {
		return sim.New(func(o demux.Options) (demux.Core, error) {
			core, err := demux.New(o)
			if spoil == nil || err != nil {
				return core, err
			}
			return &bad{core, spoil}, nil
		}, audit.All()...)
	}
}

// whole is a scope as it is run.
func whole(t *testing.T, name string) *sim.Params {
	s, ok := sim.FindScenario(name)
	require.True(t, ok)
	p := s.Draw(&choice.Bytes{})
	return &p
}

// scope is a scope with fewer calls and faults, for searches of a moment.
func scope(t *testing.T, name string) *sim.Params {
	p := whole(t, name)
	p.Caller.CancelOdds = 0
	p.Service.Hostile.Budget = min(p.Service.Hostile.Budget, 1)
	p.Chaos.Budget = min(p.Chaos.Budget, 1)
	return p
}

func options() explore.Options { return explore.Options{Panicked: checker.PanicOf} }

// spoilers break the client, each in a way that another property sees.
var spoilers = map[string]struct {
	property string
	spoil    func([]demux.Effect) []demux.Effect
}{
	"busy for timed out": {audit.Definite, func(effects []demux.Effect) []demux.Effect {
		for i := range effects {
			if effects[i].Outcome == demux.TimedOut {
				effects[i].Outcome = demux.Busy
			}
		}
		return effects
	}},
	"writes when it may not": {checker.Duty, func(effects []demux.Effect) []demux.Effect {
		for i := range effects {
			if effects[i].Kind == demux.EffectClose {
				effects[i].Gen += 7
			}
		}
		return effects
	}},
}

func TestViolationIsShortestAndReplays(t *testing.T) {
	for name, c := range spoilers {
		t.Run(name, func(t *testing.T) {
			newWorld := worlds(c.spoil)
			r := explore.Run(newWorld, whole(t, "replies"), options())
			require.NotNil(t, r.Violation)
			require.Equal(t, c.property, r.Violation.Property)
			require.True(t, r.Violation.Shortest)

			runner := checker.NewRunnerOf(func(o demux.Options) (demux.Core, error) {
				core, err := demux.New(o)
				return &bad{core, c.spoil}, err
			})
			var picks choice.Replay
			picks.Reset(r.Violation.Picks)
			res, err := runner.Run(0, checker.Config{Scenario: "replies", Source: &picks})
			require.NoError(t, err)
			require.Nil(t, picks.Divergence())
			require.Zero(t, picks.Left())
			require.Equal(t, checker.Violation, res.Verdict)
			require.Equal(t, r.Violation.Property, res.Property)
			require.Equal(t, int64(r.Violation.Events), res.Events)

			// All paths of fewer events are good.
			o := options()
			o.DepthMax = r.Violation.Events - 1
			shallow := explore.Run(newWorld, whole(t, "replies"), o)
			require.Nil(t, shallow.Violation)
			require.Equal(t, explore.LimitDepth, shallow.Limit)
		})
	}
}

// TestScopes looks into every scope: what ships is good as far as a short search goes, and a client that is wrong is not.
func TestScopes(t *testing.T) {
	for i := range sim.Scopes {
		name := sim.Scopes[i].Name
		t.Run(name, func(t *testing.T) {
			o := options()
			o.StatesMax = 10_000
			r := explore.Run(worlds(nil), whole(t, name), o)
			require.Nil(t, r.Violation)
			require.Equal(t, explore.LimitStates, r.Limit)

			o.StatesMax = 30_000
			r = explore.Run(worlds(spoilers["busy for timed out"].spoil), whole(t, name), o)
			require.NotNil(t, r.Violation)
			require.Equal(t, audit.Definite, r.Violation.Property)
			t.Logf("%d events, shortest: %v", r.Violation.Events, r.Violation.Shortest)
		})
	}
}

func TestClientPanicIsAViolation(t *testing.T) {
	r := explore.Run(worlds(func(effects []demux.Effect) []demux.Effect {
		if len(effects) == 2 {
			panic("two effects")
		}
		return effects
	}), scope(t, "replies"), explore.Options{Panicked: func(what any) *sim.Failure {
		return &sim.Failure{Property: "panic", Facts: []string{what.(string)}}
	}})
	require.NotNil(t, r.Violation)
	require.Equal(t, []string{"two effects"}, r.Violation.Facts)
	require.True(t, r.Violation.Shortest)
}

// restless is a client that wants to be woken at once, for ever.
type restless struct{ demux.Core }

func (r restless) Deadline() demux.Time    { return 0 }
func (r restless) CopyFrom(src demux.Core) { r.Core.CopyFrom(src.(restless).Core) }

func restlessWorlds() *sim.World {
	return sim.New(func(o demux.Options) (demux.Core, error) {
		core, err := demux.New(o)
		return restless{core}, err
	}, audit.All()...)
}

func TestRoundIsAViolation(t *testing.T) {
	r := explore.Run(restlessWorlds, scope(t, "replies"), options())
	require.NotNil(t, r.Violation)
	require.Equal(t, explore.Round, r.Violation.Property)
	require.True(t, r.Violation.Shortest)
	require.Equal(t, r.Violation.Events, int(r.Violation.Event))
}

func TestForeignPanicIsNone(t *testing.T) {
	require.PanicsWithValue(t, "mine", func() {
		explore.Run(worlds(func([]demux.Effect) []demux.Effect { panic("mine") }), scope(t, "replies"),
			explore.Options{Panicked: func(any) *sim.Failure { return nil }})
	})
}

// TestSearchMissesNothing holds a search against one that keeps every encoding, breadth first and without hashes.
func TestSearchMissesNothing(t *testing.T) {
	p := scope(t, "replies")
	p.Callers = 1
	got := explore.Run(worlds(nil), p, explore.Options{Unreduced: true})
	require.Equal(t, explore.LimitNone, got.Limit)

	seen := map[string]bool{}
	var queue []*sim.World
	var roots choice.Odometer
	next := worlds(nil)()
	keep := func(w *sim.World) {
		key := string(w.AppendState(nil))
		if !seen[key] {
			seen[key] = true
			c := worlds(nil)()
			c.CopyFrom(w)
			queue = append(queue, c)
		}
	}
	for roots.Next() {
		w := worlds(nil)()
		w.Reset(p, calmClocks{&roots})
		keep(w)
	}
	steps := uint64(0)
	for ; len(queue) > 0; queue = queue[1:] {
		var o choice.Odometer
		for o.Next() {
			next.CopyFrom(queue[0])
			next.SetSource(&o)
			steps++
			if next.Step() {
				keep(next)
			}
		}
	}
	require.Equal(t, uint64(len(seen)), got.States)
	require.Equal(t, steps, got.Steps)
	require.Greater(t, len(seen), 400)
}

// calmClocks leaves the clocks of clients alone.
type calmClocks struct{ choice.Source }

func (c calmClocks) Choose(label choice.Label, n int) int {
	if label.Stream == choice.Clocks {
		return 0
	}
	return c.Source.Choose(label, n)
}

// TestReductionKeepsVerdicts compares searches with and without symmetry: of the client that ships, and of bad ones.
func TestReductionKeepsVerdicts(t *testing.T) {
	cases := map[string]func([]demux.Effect) []demux.Effect{"ships": nil}
	for name, c := range spoilers {
		cases[name] = c.spoil
	}
	for name, spoil := range cases {
		for _, s := range []string{"replies", "redirect"} {
			t.Run(name+" "+s, func(t *testing.T) {
				o := options()
				reduced := explore.Run(worlds(spoil), scope(t, s), o)
				o.Unreduced = true
				all := explore.Run(worlds(spoil), scope(t, s), o)
				require.Equal(t, all.Violation == nil, reduced.Violation == nil)
				require.Equal(t, all.Limit, reduced.Limit)
				if all.Violation != nil {
					require.Equal(t, all.Violation.Property, reduced.Violation.Property)
					require.Equal(t, all.Violation.Events, reduced.Violation.Events)
					return
				}
				require.Less(t, reduced.States, all.States)
			})
		}
	}
}

func TestLimitsEndTheSearch(t *testing.T) {
	p := scope(t, "replies")
	r := explore.Run(worlds(nil), p, explore.Options{StatesMax: 1000})
	require.Equal(t, explore.LimitStates, r.Limit)
	require.Equal(t, uint64(1001), r.States)
	r = explore.Run(worlds(nil), p, explore.Options{DepthMax: 5})
	require.Equal(t, explore.LimitDepth, r.Limit)
	require.Equal(t, 5, r.Depth)
	r = explore.Run(worlds(nil), p, explore.Options{Stop: func() bool { return true }})
	require.Equal(t, explore.LimitStop, r.Limit)
	require.Equal(t, uint64(4095), r.Steps)
}

// TestDepthHidesNothing sees that a bound beyond the longest path changes nothing.
func TestDepthHidesNothing(t *testing.T) {
	p := scope(t, "replies")
	all := explore.Run(worlds(nil), p, explore.Options{})
	require.Nil(t, all.Violation)
	bounded := explore.Run(worlds(nil), p, explore.Options{DepthMax: all.Depth + 1})
	require.Equal(t, explore.LimitNone, bounded.Limit)
	require.Equal(t, all.States, bounded.States)
	require.Equal(t, all.States*all.States, all.MissedPer2to64)
}

func TestSearchIsDeterministic(t *testing.T) {
	a := explore.Run(worlds(nil), scope(t, "redirect"), options())
	b := explore.Run(worlds(nil), scope(t, "redirect"), options())
	require.Equal(t, a, b)
}
