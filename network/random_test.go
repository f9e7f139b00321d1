package network

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// TestContract runs many worlds against the contract, and then heals and closes them: nothing is left.
func TestContract(t *testing.T) {
	var counts Counts
	for seed := range uint64(600) {
		o := smallOptions
		o.Cuts = int(seed % 4)
		o.Faults = allFaults([]uint16{0, choice.OddsOne / 64, choice.OddsOne / 16, choice.OddsOne / 4}[seed/4%4])
		r := newRig(t, o, seed)
		for range 400 {
			r.step(false)
		}
		r.drain()
		for i, v := range r.n.Counts() {
			counts[i] += v
		}
	}
	for i, v := range counts {
		require.NotZero(t, v, "%v never happened", Count(i))
	}
}

func (r *rig) drain() {
	r.n.Heal(&r.q)
	for range 50 {
		r.step(true)
	}
	for c := range r.n.conns {
		for _, s := range [2]Side{Dialer, Acceptor} {
			r.n.Close(&r.q, &r.src, Conn(c), s)
		}
	}
	for range 1000 {
		r.take()
	}
	for c := range r.n.conns {
		require.True(r.t, r.n.conns[c].free(), "connection %d is not free", c)
	}
	_, ok := r.q.Take(&r.src)
	require.False(r.t, ok)
	listening := r.n.listening
	fresh := newRig(r.t, r.n.o, 0)
	fresh.n.Heal(&fresh.q)
	fresh.n.listening = listening
	require.Equal(r.t, fresh.n.AppendState(0, nil), r.n.AppendState(r.q.Now(), nil), "what is over is still encoded")
}

// TestHealedIsCalm: what is open when the network heals carries bytes within bounded time, unless it was dead.
func TestHealedIsCalm(t *testing.T) {
	for seed := range uint64(300) {
		o := smallOptions
		o.Faults = allFaults(choice.OddsOne / 16)
		r := newRig(t, o, seed)
		for range 300 {
			r.step(false)
		}
		healed := r.q.Now()
		r.n.Heal(&r.q)
		counts := *r.n.Counts()
		for range 200 {
			r.take()
		}
		last := r.q.Now()
		require.LessOrEqual(t, last, healed+2*r.n.o.KeepAlive+100*r.n.o.DelayMax)
		for f := range NumFaults {
			require.Equal(t, counts[f], r.n.counts[f])
		}
		for i := range r.n.conns {
			k := &r.n.conns[i]
			require.False(t, k.write.pending, "a write was not answered")
			for s := range k.pipe {
				require.Zero(t, k.pipe[s].size(), "bytes are left")
			}
		}
	}
}

func TestCloneRunsAlike(t *testing.T) {
	for seed := range uint64(200) {
		o := smallOptions
		o.Faults = allFaults(choice.OddsOne / 16)
		r, twin := newRig(t, o, seed), newRig(t, Options{Hosts: 1, Conns: 9}, 0)
		for range 200 {
			r.step(false)
		}
		for range 20 {
			twin.step(false) // it has a past of its own
		}
		twin.copyFrom(r)
		require.Equal(t, r.state(), twin.state())
		r.log, twin.log = nil, nil
		for range 200 {
			r.step(false)
			twin.step(false)
		}
		require.Equal(t, string(r.log), string(twin.log))
		require.Equal(t, r.state(), twin.state())
	}
}

// TestEqualStatesBehaveAlike lets small worlds wander, and whenever a state comes back, by another way and at another
// time, the same choices must lead on to the same events.
func TestEqualStatesBehaveAlike(t *testing.T) {
	o := Options{Hosts: 2, Conns: 2, Buffer: 4, Chunks: 2, DelayMax: 2, WroteMax: 1, StallMin: 3, StallMax: 4, KeepAlive: 5}
	o.Faults = allFaults(choice.OddsOne / 8)
	future := map[string]string{}
	met := 0
	branch := newRig(t, o, 0)
	for seed := range uint64(400) {
		r := newRig(t, o, seed)
		for range 60 {
			r.step(false)
			state := string(r.state())
			branch.copyFrom(r)
			branch.src.Reset(99)
			branch.log = branch.log[:0]
			for range 12 {
				branch.step(false)
			}
			is := string(branch.log) + string(branch.state())
			was, ok := future[state]
			if ok {
				require.Equal(t, was, is)
				met++
			}
			future[state] = is
		}
	}
	require.Greater(t, met, 500)
	t.Logf("%d states, %d met again", len(future), met)
}

// TestEncodingIsSharp: what can still show is encoded.
func TestEncodingIsSharp(t *testing.T) {
	base := func() *rig {
		r := newRig(t, smallOptions, 1)
		r.dial(0, 1)
		for range 2 {
			r.take()
		}
		r.n.Write(&r.q, &r.src, 0, Dialer, []byte("abc"))
		return r
	}
	was := string(base().state())
	require.Equal(t, was, string(base().state()))
	for name, change := range map[string]func(r *rig){
		"bytes":     func(r *rig) { r.n.conns[0].pipe[Dialer].data[2] = 'x' },
		"trickle":   func(r *rig) { r.n.conns[0].pipe[Dialer].chunks[0].trickle = true },
		"hole":      func(r *rig) { r.n.conns[0].pipe[Acceptor].hole = true },
		"window":    func(r *rig) { r.n.conns[0].pipe[Dialer].chunks[0].at.latest++ },
		"accepted":  func(r *rig) { r.n.conns[0].write.n-- },
		"failed":    func(r *rig) { r.n.conns[0].write.failed = true },
		"host":      func(r *rig) { r.n.conns[0].host[Acceptor] = 2 },
		"listening": func(r *rig) { r.n.SetListening(2, false) },
		"partition": func(r *rig) { r.n.Block(&r.q, 2, 0, true) },
		"healed":    func(r *rig) { r.n.healed = true },
		"end":       func(r *rig) { r.n.conns[0].pipe[Dialer].end = endFin },
	} {
		r := base()
		change(r)
		require.NotEqual(t, was, string(r.state()), name)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	r, twin := benchRig(t), benchRig(t)
	state := make([]byte, 0, 1<<16)
	require.Zero(t, testing.AllocsPerRun(2000, func() {
		r.traffic()
		twin.n.CopyFrom(&r.n)
		state = r.n.AppendState(r.q.Now(), state[:0])
	}))
}

func benchRig(t testing.TB) *rig {
	o := Options{Hosts: 4, Conns: 12}
	o.Faults = allFaults(choice.OddsOne / 256)
	o.Faults[FaultBlackHole], o.Faults[FaultDialHole], o.Faults[FaultZeroWindow] = 0, 0, 0
	r := newRig(t, o, 1)
	r.data = make([]byte, 60)
	for range 20_000 {
		r.traffic()
	}
	return r
}

// traffic takes one event and answers it: dialled connections write 60 bytes, are answered by 40, and write again.
func (r *rig) traffic() {
	for r.live() < 4 {
		if _, ok := r.n.Dial(&r.q, &r.src, 0, Host(1+r.pick(3))); !ok {
			break
		}
	}
	slot, ok := r.q.Take(&r.src)
	if !ok { // each dialer waits for something that never comes
		for c := range r.n.conns {
			r.n.Close(&r.q, &r.src, Conn(c), Dialer)
		}
		return
	}
	e := r.n.Take(&r.q, &r.src, slot)
	switch {
	case e.Kind == EventOpened || e.Kind == EventReceived && e.Side == Dialer && r.pick(64) > 0:
		if !r.n.conns[e.Conn].write.pending {
			r.n.Write(&r.q, &r.src, e.Conn, Dialer, r.data)
		}
	case e.Kind == EventReceived && e.Side == Dialer || e.Kind == EventWrote && (e.Failed || e.N < len(r.data)):
		r.n.Close(&r.q, &r.src, e.Conn, Dialer)
	case e.Kind == EventReceived && e.Side == Acceptor:
		r.n.Write(&r.q, &r.src, e.Conn, Acceptor, r.data[:40])
	}
}

func (r *rig) live() (live int) {
	for i := range r.n.conns {
		if k := &r.n.conns[i]; k.phase[Dialer] == coming || k.phase[Dialer] == open {
			live++
		}
	}
	return live
}

func BenchmarkEvent(b *testing.B) {
	r := benchRig(b)
	b.ReportAllocs()
	for b.Loop() {
		r.traffic()
	}
}

func BenchmarkCopyFrom(b *testing.B) {
	for _, conns := range []int{1, 4, 12} {
		b.Run(fmt.Sprintf("conns=%d", conns), func(b *testing.B) {
			r := newRig(b, Options{Conns: conns}, 1)
			for range conns {
				r.dial(0, 1)
			}
			for range 2 * conns {
				r.take()
			}
			for c := range conns {
				r.n.Write(&r.q, &r.src, Conn(c), Dialer, make([]byte, 60))
			}
			var twin Net
			twin.CopyFrom(&r.n)
			b.ReportAllocs()
			for b.Loop() {
				twin.CopyFrom(&r.n)
			}
			b.ReportMetric(float64(len(r.n.AppendState(0, nil))), "state-bytes")
		})
	}
}

func BenchmarkAppendState(b *testing.B) {
	r := benchRig(b)
	var dst []byte
	var now clock.Time
	b.ReportAllocs()
	for b.Loop() {
		dst = r.n.AppendState(now, dst[:0])
	}
}
