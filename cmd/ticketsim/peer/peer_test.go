package peer_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/checker/blackbox"
	"ticketing/cmd/ticketsim/peer"
	"ticketing/sim"
	"ticketing/sim/choice"
)

// scenario has no faults: what the two sides do is alike there.
const scenario = "calm"

func draw(t testing.TB, seed uint64) *sim.Params {
	var src choice.Seeded
	src.Reset(seed)
	s, ok := sim.FindScenario(scenario)
	require.True(t, ok)
	p := s.Draw(&src)
	return &p
}

func TestWorldsInABubbleDoAllTheirWork(t *testing.T) {
	judge := blackbox.NewJudge()
	var granted uint64
	for seed := range uint64(20) {
		p := draw(t, seed)
		seen := &peer.Seen{}
		var res peer.Result
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			var err error
			res, err = peer.Run(p, seed, peer.NewMemory(peer.SpansOf(p, seed)), seen)
			require.NoError(t, err)
			require.Positive(t, time.Since(began))
		})
		require.Equal(t, uint64(p.Clients*p.Callers*p.Ops), res.Acquires, "seed %d", seed)
		v := judge.Check(seen.History(p.Keys))
		require.Equal(t, blackbox.Legal, v.Result, "seed %d: %v", seed, v.Facts)
		require.Equal(t, int(res.Acquires+res.Granted), v.Ops, "each grant is released once")
		granted += res.Granted
	}
	require.NotZero(t, granted)
}

func TestWorldOverLoopback(t *testing.T) {
	p := draw(t, 0)
	p.Caller.Think, p.Caller.Hold, p.Caller.WaitsMax = sim.Window{}, sim.Window{}, 50
	res, err := peer.Run(p, 0, peer.NewLoopback(), nil)
	require.NoError(t, err)
	require.Equal(t, uint64(p.Clients*p.Callers*p.Ops), res.Acquires)
}
