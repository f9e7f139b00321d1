package checker

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/audit"
)

// Every canary is heard, and by the judge that it is for: in its worlds no other speaks.
func TestCanariesAreHeard(t *testing.T) {
	c := NewCanaries()
	for i := range canaries {
		for k := range uint64(10) {
			s := c.Try(uint64(i), math.MaxUint64-(k+1)*CanaryTries)
			require.True(t, s.Heard, "%s, for %s: %s", s.Canary.Name, s.Canary.Judge, s.Because)
			require.Empty(t, s.Because)
			require.Same(t, &canaries[i], s.Canary)
		}
	}
	require.Same(t, &canaries[0], c.Try(uint64(len(canaries)), 1).Canary)
}

// Without the fault no judge says a word, so that what is heard is the fault.
func TestCanariesAreSilentWithoutTheirFault(t *testing.T) {
	for _, c := range canaries {
		if c.wrong == notWrong {
			continue // the scenario is the fault; what follows would not know it from another
		}
		c.wrong = notWrong
		r := c.runner()
		for seed := range uint64(50) {
			res, err := r.Run(seed, Config{Scenario: c.scenario})
			require.NoError(t, err)
			require.Equal(t, Pass, res.Verdict, "%s seed %d: %s %q", c.Name, seed, res.Property, res.Facts)
		}
	}
}

// Every judge has a canary.
func TestEveryJudgeHasACanary(t *testing.T) {
	judges := []string{History, Calm, Memory, Reference}
	for _, a := range audit.Audits {
		judges = append(judges, a.Name)
	}
	names := map[string]bool{}
	var heard []string
	for i := range canaries {
		require.False(t, names[canaries[i].Name], "two canaries are %s", canaries[i].Name)
		names[canaries[i].Name] = true
		heard = append(heard, canaries[i].Judge)
	}
	require.Subset(t, heard, judges)
	require.Subset(t, judges, heard)
}

// A judge who has gone blind, or a fault that does not show any more, is missed: here the fault is not there.
func TestASilentCanaryIsMissed(t *testing.T) {
	c := NewCanaries()
	silent := canaries[1]
	silent.wrong = notWrong
	s := c.try(&canaries[1], silent.runner(), 7)
	require.False(t, s.Heard)
	require.Equal(t, CanaryTries, s.Worlds)
	require.Equal(t, "256 worlds of calm, and owners noticed nothing", s.Because)
}

// A canary whose world panics is missed.
func TestACanaryThatPanicsIsMissed(t *testing.T) {
	c := NewCanaries()
	s := c.try(&canaries[1], &Runner{}, 7)
	require.False(t, s.Heard)
	require.Contains(t, s.Because, "panic: ")
	require.True(t, c.Try(1, 7).Heard)
}

// A core that is astray is a core: a clone of it goes on as it would.
func TestAstrayIsCloned(t *testing.T) {
	for i := range canaries {
		c := &canaries[i]
		if c.Judge == Reference {
			continue // a clone of a pair is of another runner's business
		}
		r := c.runner()
		first, err := r.Run(11, Config{Scenario: c.scenario})
		require.NoError(t, err)
		again, err := r.Run(11, Config{Scenario: c.scenario, CloneEvery: first.Events/8 + 1})
		require.NoError(t, err)
		require.Equal(t, first, again, c.Name)
	}
}
