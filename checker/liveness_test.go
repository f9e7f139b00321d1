package checker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/audit"
	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// restless is a core that does nothing, and is never done.
type restless struct{ now demux.Time }

func (r *restless) Step(now demux.Time, _ *demux.Input) []demux.Effect {
	r.now = now
	return nil
}
func (r *restless) Deadline() demux.Time                  { return r.now + 1e9 }
func (r *restless) CopyFrom(src demux.Core)               { *r = *src.(*restless) }
func (r *restless) AppendState(demux.Time, []byte) []byte { return nil }
func (r *restless) Reset(demux.Options)                   { r.now = 0 }
func newRestless(demux.Options) (demux.Core, error)       { return &restless{}, nil }
func newMachine(o demux.Options) (demux.Core, error)      { return demux.New(o) }

func namesOfAudits() (names []string) {
	for _, a := range audit.Audits {
		names = append(names, a.Name)
	}
	return names
}

// Without the audits nothing but the bound on the whole world finds a client that never comes to rest.
func TestAWorldThatNeverRestsIsNotCalm(t *testing.T) {
	r := NewRunnerWith(newRestless, RunnerOptions{Without: namesOfAudits()})
	res, err := r.Run(1, Config{Scenario: "calm"})
	require.NoError(t, err)
	require.Equal(t, Violation, res.Verdict)
	require.Equal(t, Calm, res.Property)
	require.NotEmpty(t, res.Facts)
	require.GreaterOrEqual(t, res.At, restBy(r.world.Params()))
	require.Less(t, res.At, restBy(r.world.Params())+2*clock.Second)
}

// With them it is found as soon as something is due.
func TestAWorldThatNeverRestsIsFoundSooner(t *testing.T) {
	res, err := NewRunnerOf(newRestless).Run(1, Config{Scenario: "calm"})
	require.NoError(t, err)
	require.Equal(t, Violation, res.Verdict)
	require.NotEqual(t, Calm, res.Property)
	require.Less(t, res.At, 4*clock.Second)
}

// Worlds end long before they must: the bound is a sum of what cannot all happen at once.
func TestWorldsRestInTime(t *testing.T) {
	r := NewRunnerOf(newMachine)
	for _, s := range sim.Scenarios {
		for seed := range uint64(100) {
			_, err := r.Run(seed, Config{Scenario: s.Name})
			require.NoError(t, err)
			p := r.world.Params()
			require.Less(t, r.world.Now(), restBy(p), "%s seed %d", s.Name, seed)
			require.Less(t, restBy(p), 2*3600*clock.Second, "a bound that says nothing")
		}
	}
}

func TestScenariosDeclareWhatTheyBreak(t *testing.T) {
	require.True(t, Declares("broken-token", audit.TokenGrows))
	require.False(t, Declares("broken-token", audit.LeaseHolds))
	require.False(t, Declares("swarm", audit.TokenGrows))
	require.False(t, Declares("swarm", ""))
	require.False(t, Declares("nowhere", audit.TokenGrows))
}

// Each scenario that breaks an assumption is seen to break it, and nothing is blamed on the client there.
func TestBrokenAssumptionsAreFound(t *testing.T) {
	r := NewRunnerOf(newMachine)
	for _, s := range sim.Scenarios {
		if s.Breaks == "" {
			continue
		}
		found := 0
		for seed := range uint64(300) {
			res, err := r.Run(seed, Config{Scenario: s.Name})
			require.NoError(t, err)
			if res.Verdict == Assumption {
				require.True(t, Declares(s.Name, res.Property), "%s seed %d: %s %q", s.Name, seed, res.Property, res.Facts)
				found++
				continue
			}
			require.Equal(t, Pass, res.Verdict, "%s seed %d: %s %q", s.Name, seed, res.Property, res.Facts)
		}
		require.Positive(t, found, s.Name)
	}
}

// The audits tell the clients of a world apart, and their clocks; so does a clone.
func TestAuditsOfAClone(t *testing.T) {
	for _, name := range []string{"swarm", "clocks", "hostile-server"} {
		for seed := range uint64(20) {
			s, _ := sim.FindScenario(name)
			var src choice.Seeded
			src.Reset(seed)
			p := s.Draw(&src)
			a, b := sim.New(newMachine, audit.All()...), sim.New(newMachine, audit.All()...)
			a.Reset(&p, &src)
			b.Reset(&p, &src)
			for range 40 {
				a.Step()
			}
			b.CopyFrom(a)
			copied := src
			b.SetSource(&copied)
			for range 60 {
				require.Equal(t, a.AppendState(nil), b.AppendState(nil), "%s seed %d", name, seed)
				require.Equal(t, a.Step(), b.Step())
				require.Nil(t, b.Failure())
			}
		}
	}
}
