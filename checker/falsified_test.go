package checker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/blackbox"
	"ticketing/client/demux"
)

// lie changes one outcome that a core tells.
type lie struct {
	name string
	from demux.Outcome
	tell func(*demux.Effect)
	// seen says that the history alone gives the lie away, in some worlds: by what it says of a lock, or because it is none
	// (a release that timed out, or was sent and is told not to be). Where it does not, no reader of the history can know: what
	// B, T and a lost reply say of a lock is that nothing is known to have happened.
	seen bool
}

func to(out demux.Outcome) func(*demux.Effect) {
	return func(e *demux.Effect) {
		e.Outcome, e.Resent = out, false
		if out != demux.Granted {
			e.Token, e.Lease = 0, 0
		}
	}
}

// inventing grants a token that is near to those given out.
func inventing(token uint64) func(*demux.Effect) {
	return func(e *demux.Effect) { e.Outcome, e.Token, e.Lease = demux.Granted, token, 4000 }
}

var lies = []lie{
	{"busy where granted", demux.Granted, to(demux.Busy), false},
	{"timed out where granted", demux.Granted, to(demux.TimedOut), false},
	{"indeterminate where granted", demux.Granted, to(demux.Indeterminate), false},
	{"another token", demux.Granted, func(e *demux.Effect) { e.Token-- }, true},
	{"another lease", demux.Granted, func(e *demux.Effect) { e.Lease += 60_000 }, true},
	{"granted where timed out", demux.TimedOut, inventing(3), true},
	{"granted where busy", demux.Busy, inventing(3), true},
	{"busy where timed out", demux.TimedOut, to(demux.Busy), false},
	{"timed out where busy", demux.Busy, to(demux.TimedOut), false},
	{"not found where released", demux.Released, to(demux.NotFound), true},
	{"indeterminate where released", demux.Released, to(demux.Indeterminate), false},
	{"not sent where released", demux.Released, to(demux.NotSent), true},
	{"released where not found", demux.NotFound, to(demux.Released), true},
	{"resent where once", demux.NotFound, func(e *demux.Effect) { e.Resent = !e.Resent }, false},
	{"not sent where indeterminate", demux.Indeterminate, to(demux.NotSent), true},
	{"timed out where indeterminate", demux.Indeterminate, to(demux.TimedOut), true},
	{"indeterminate where not sent", demux.NotSent, to(demux.Indeterminate), true},
	{"busy where not sent", demux.NotSent, to(demux.Busy), true},
}

// liar is the core that ships, but for its third outcome of a kind.
type liar struct {
	demux.Core
	lie  *lie
	left int
	told *bool
}

func (l *liar) Step(now demux.Time, in *demux.Input) []demux.Effect {
	effects := l.Core.Step(now, in)
	for i := range effects {
		if e := &effects[i]; e.Kind == demux.EffectComplete && e.Outcome == l.lie.from {
			if l.left--; l.left == 0 {
				l.lie.tell(e)
				*l.told = true
			}
		}
	}
	return effects
}

func (l *liar) Reset(o demux.Options) {
	l.Core.Reset(o)
	l.left = 3
}

// Every lie is found by the audits, in the very step. The histories alone give away what a history can.
func TestFalsifiedOutcomesAreFound(t *testing.T) {
	for i := range lies {
		l := &lies[i]
		t.Run(l.name, func(t *testing.T) {
			told := false
			newLiar := func(o demux.Options) (demux.Core, error) {
				core, err := demux.New(o)
				return &liar{Core: core, lie: l, left: 3, told: &told}, err
			}
			audited := NewRunnerOf(newLiar)
			blind := NewRunnerWith(newLiar, RunnerOptions{Without: namesOfAudits()})
			lied, seen := 0, 0
			for _, scenario := range []string{"calm", "swarm", "lease-edge", "capacity"} {
				for seed := range uint64(100) {
					told = false
					res, err := audited.Run(seed, Config{Scenario: scenario})
					require.NoError(t, err)
					if !told {
						require.Equal(t, Pass, res.Verdict, "%s seed %d: %s %q", scenario, seed, res.Property, res.Facts)
						continue
					}
					lied++
					require.Equal(t, Violation, res.Verdict, "%s seed %d passes", scenario, seed)
					res, err = blind.Run(seed, Config{Scenario: scenario})
					require.NoError(t, err)
					if res.Verdict == Violation || res.Property == blackbox.Invalid.String() {
						seen++
						continue
					}
					require.Equal(t, Pass, res.Verdict, "%s seed %d: %q", scenario, seed, res.Facts)
				}
			}
			t.Logf("told in %d worlds, seen in %d histories", lied, seen)
			require.Positive(t, lied)
			require.Equal(t, l.seen, seen > 0)
		})
	}
}
