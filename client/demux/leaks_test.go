package demux

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A machine that lost a place, or the way to it, says so.
func TestLeaksAreTold(t *testing.T) {
	busy := func() *Machine {
		m, err := New(Options{Addrs: []string{"a:1"}, Credential: "x", Prefix: "p"})
		require.NoError(t, err)
		for op := OpID(1); op <= 6; op += 2 {
			m.Step(0, &Input{Kind: InputAcquire, Op: op, Key: "k", Wait: 1, Lease: 1})
			m.Step(0, &Input{Kind: InputRelease, Op: op + 1, Key: "k", Token: uint64(op)})
		}
		m.hold("k", 7, 1)
		m.hold("k", 8, 1)
		for _, op := range []OpID{3, 4} {
			m.Step(0, &Input{Kind: InputCancel, Op: op})
		}
		m.Step(0, &Input{Kind: InputRelease, Op: 9, Key: "k", Token: 7})
		return m
	}
	require.Zero(t, busy().Leaks())
	require.Zero(t, new(Machine).Leaks())
	for name, lose := range map[string]func(m *Machine){
		"requests":         func(m *Machine) { m.pending.free = 0 },
		"callers":          func(m *Machine) { m.pending.numCalls-- },
		"grants":           func(m *Machine) { m.held.grants = append(m.held.grants, grant{}) },
		"the way there":    func(m *Machine) { m.pending.byID.n++ },
		"the way to an op": func(m *Machine) { m.pending.byOp.n-- },
		"the way to held":  func(m *Machine) { m.held.byID.n++ },
		"too many held":    func(m *Machine) { m.o.MaxHeld = m.held.len() - 1 },
		"too many calls":   func(m *Machine) { m.o.MaxReleases = m.pending.numCalls - 1 },
		"too many waiting": func(m *Machine) { m.o.MaxAcquires = m.pending.all.len(acquires) - 1 },
		"too full a lane":  func(m *Machine) { m.o.MaxLane = -1 },
		"a circle":         func(m *Machine) { m.pending.reqs[m.pending.free].start = m.pending.free },
	} {
		m := busy()
		lose(m)
		require.Positive(t, m.Leaks(), name)
	}
}
