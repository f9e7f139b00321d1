package checker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/audit"
	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/sim"
)

// fib changes, from its third occasion on, what the audits are told of the ground truth. The history stays what it was.
type fib struct {
	name string
	// tell falsifies a fact; it reports whether the fact is left.
	tell func(*sim.Fact) bool
	of   func(*sim.Fact) bool
}

func kind(k sim.FactKind) func(*sim.Fact) bool { return func(f *sim.Fact) bool { return f.Kind == k } }

func drop(*sim.Fact) bool { return false }

func kept(change func(*sim.Fact)) func(*sim.Fact) bool {
	return func(f *sim.Fact) bool {
		change(f)
		return true
	}
}

var fibs = []fib{
	{"a grant of another token", kept(func(f *sim.Fact) { f.Token++ }), kind(sim.FactGrant)},
	{"a grant to another owner", kept(func(f *sim.Fact) { f.Owner.N += 100 }), kind(sim.FactGrant)},
	{"a grant that never was", drop, kind(sim.FactGrant)},
	{"a lease that goes on", drop, kind(sim.FactFree)},
	{"a lease that ends another", kept(func(f *sim.Fact) { f.Token++ }), kind(sim.FactFree)},
	{"a denial by another", kept(func(f *sim.Fact) { f.Node++ }), kind(sim.FactDeny)},
	{"a denial of another", kept(func(f *sim.Fact) { f.Owner.N += 100 }), kind(sim.FactDeny)},
	{"a denial that never was", drop, kind(sim.FactDeny)},
	{"a line that is not ended", kept(func(f *sim.Fact) { f.Flag = true }), kind(sim.FactFrame)},
	{"a frame of which no byte went out", kept(func(f *sim.Fact) { f.Kind = sim.FactRefused }), kind(sim.FactAccepted)},
	{"a reply that never came", drop, kind(sim.FactReply)},
	{"a reply to another", kept(func(f *sim.Fact) { f.Owner.N++ }),
		func(f *sim.Fact) bool { return f.Kind == sim.FactReply && f.Verb == wire.OpGranted }},
	{"a reply for another key", kept(func(f *sim.Fact) { f.Key++ }),
		func(f *sim.Fact) bool { return f.Kind == sim.FactReply && f.Verb == wire.OpReleased }},
	{"a frame that was never handed over", drop, kind(sim.FactHanded)},
	{"a dial elsewhere", kept(func(f *sim.Fact) { f.N++ }), kind(sim.FactDial)},
	{"a call that never was", drop, kind(sim.FactAcquire)},
}

// fibbed is an audit that is told a fib.
type fibbed struct {
	sim.Audit
	fib  *fib
	seen int
	told *bool
}

func (b *fibbed) Reset(p *sim.Params) {
	b.Audit.Reset(p)
	b.seen = 0
}

func (b *fibbed) Observe(f *sim.Fact) {
	told := *f
	if b.fib.of(f) {
		if b.seen++; b.seen >= 3 {
			*b.told = true
			if !b.fib.tell(&told) {
				return
			}
		}
	}
	b.Audit.Observe(&told)
}

// A ground truth that is false is noticed by the audits, whatever the client and its history: what they say rests on it.
func TestFalsifiedTruthIsFound(t *testing.T) {
	for i := range fibs {
		l := &fibs[i]
		t.Run(l.name, func(t *testing.T) {
			told := false
			r := NewRunner()
			r.make = func() *sim.World {
				var all []sim.Audit
				for _, a := range audit.All() {
					all = append(all, &fibbed{Audit: a, fib: l, told: &told})
				}
				return sim.New(func(o demux.Options) (demux.Core, error) { return demux.New(o) }, all...)
			}
			r.world = r.make()
			r.world.SetRecorder(&r.record)
			fibs, found := 0, 0
			for seed := range uint64(100) {
				told = false
				res, err := r.Run(seed, Config{Scenario: "calm"})
				require.NoError(t, err)
				if !told {
					require.Equal(t, Pass, res.Verdict, "seed %d: %s %q", seed, res.Property, res.Facts)
					continue
				}
				fibs++
				if res.Verdict != Pass {
					found++
				}
			}
			t.Logf("told in %d worlds, found in %d", fibs, found)
			require.Positive(t, fibs)
			require.Equal(t, fibs, found)
		})
	}
}

// What only the naive core notices: a delay that the protocol's words allow and its formula does not. No audit can tell, for
// they know what a back-off must be at least; and no history shows it.
func TestOnlyTheReferenceKnowsTheJitter(t *testing.T) {
	other := canaries[len(canaries)-1]
	require.Equal(t, drawsOther, other.wrong)
	audited := NewRunnerOf(other.core)
	shadowed := other.runner()
	parted := 0
	for seed := range uint64(200) {
		res, err := audited.Run(seed, Config{Scenario: other.scenario})
		require.NoError(t, err)
		require.Equal(t, Pass, res.Verdict, "seed %d: %s %q", seed, res.Property, res.Facts)
		res, err = shadowed.Run(seed, Config{Scenario: other.scenario})
		require.NoError(t, err)
		if res.Verdict == Violation {
			require.Equal(t, Reference, res.Property)
			parted++
		}
	}
	require.Greater(t, parted, 50)
}
