package demux

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// text is what an effect says, with generations told relative to one.
func text(e *Effect, newest Generation) string {
	gen := "-"
	if e.Gen != 0 {
		gen = fmt.Sprint(int64(e.Gen) - int64(newest))
	}
	return fmt.Sprintf("%d gen %s op %d addr %d %v %v %v resent %v tries %d token %d lease %d %q",
		e.Kind, gen, e.Op, e.Addr, e.Outcome, e.Cause, e.Reason, e.Resent, e.Tries, e.Token, e.Lease, e.Data)
}

func texts(effects []Effect, newest Generation) (out []string) {
	for i := range effects {
		out = append(out, text(&effects[i], newest))
	}
	return out
}

// A clone runs like its original, also one made into a machine that was used before.
func TestCloneRunsAlike(t *testing.T) {
	used := newDriver(t, smallOptions(), splitmix(99))
	for range 300 {
		used.step()
	}
	clone := used.m
	for seed := range uint64(150) {
		choose := splitmix(seed + 1000)
		d := newDriver(t, oddOptions(seed), choose)
		d.follow = func(now Time, in *Input, effects []Effect) {
			want := texts(effects, 0)
			require.Equal(t, want, texts(clone.Step(now, in), 0))
			require.Equal(t, d.m.Deadline(), clone.Deadline())
			require.Equal(t, d.m.AppendState(now, nil), clone.AppendState(now, nil))
		}
		clone.CopyFrom(d.m)
		for i := 0; i < 300 && !d.ended; i++ {
			d.step()
			if choose(20) == 1 {
				clone.CopyFrom(d.m)
			}
		}
		d.finish()
	}
}

// A clone shares nothing with its original that either writes to.
func TestCloneIsApart(t *testing.T) {
	for seed := range uint64(50) {
		d := newDriver(t, oddOptions(seed), splitmix(seed))
		for range 100 {
			d.step()
		}
		clone := new(Machine)
		clone.CopyFrom(d.m)
		at := d.now
		want := clone.AppendState(at, nil)
		require.Equal(t, d.m.AppendState(at, nil), want)
		for i := 0; i < 100 && !d.ended; i++ {
			d.step()
		}
		require.Equal(t, want, clone.AppendState(at, nil))
	}
}

// The encoding does not know when the origin of the clock was, nor how the tables are laid out.
func TestEncodingIsCanonical(t *testing.T) {
	const shift = 12345 * Time(time.Second)
	twin := new(Machine)
	for seed := range uint64(100) {
		d := newDriver(t, oddOptions(seed), splitmix(seed))
		twin.Reset(oddOptions(seed))
		d.follow = func(now Time, in *Input, effects []Effect) {
			moved := *in
			if moved.Deadline != 0 {
				moved.Deadline += shift
			}
			want := texts(effects, 0)
			require.Equal(t, want, texts(twin.Step(now+shift, &moved), 0))
			require.Equal(t, d.m.AppendState(now, nil), twin.AppendState(now+shift, nil))
		}
		for i := 0; i < 300 && !d.ended; i++ {
			d.step()
		}
	}
}

// Equal encodings behave alike: whatever reached a state, the same inputs have the same effects and lead to
// states that are equal again.
func TestEqualEncodingsBehaveAlike(t *testing.T) {
	o := Options{Addrs: []string{"n1:1", "n2:1"}, Credential: "c", Prefix: "me",
		MaxAcquires: 2, MaxReleases: 2, MaxLane: 1, MaxHeld: 1, MaxClosing: 2}
	seen := map[string]string{}
	merged := 0
	probe := new(Machine)
	for seed := range uint64(400) {
		d := newDriver(t, o, splitmix(seed))
		d.nextOp = 10
		for i := 0; i < 14 && !d.ended; i++ {
			d.step()
			state := string(d.m.AppendState(d.now, nil))
			future := behaviour(probe, d.m, d.now)
			if was, ok := seen[state]; ok {
				merged++
				require.Equal(t, was, future, "seed %d step %d", seed, i)
			}
			seen[state] = future
		}
	}
	require.Greater(t, merged, 200)
	t.Logf("%d states, reached again %d times", len(seen), merged)
}

// behaviour is what a state does under every one of a list of inputs, and where that leads.
func behaviour(probe, m *Machine, now Time) string {
	out := ""
	try := func(at Time, in Input) {
		probe.CopyFrom(m)
		in.Gen += m.gen
		effects := probe.Step(at, &in)
		out += fmt.Sprintln(texts(effects, m.gen), min(probe.Deadline()-at, Never/2), string(probe.AppendState(at, nil)))
	}
	for _, at := range []Time{now, now + millisecond, min(m.Deadline(), Never/2)} {
		for _, in := range probes {
			try(at, in)
		}
	}
	return out
}

// probes are inputs; their generations count from the newest dial.
var probes = []Input{
	{Kind: InputTick},
	{Kind: InputAcquire, Op: 1000, Key: "k0", Wait: 100, Lease: 5},
	{Kind: InputRelease, Op: 1000, Key: "k0", Token: 1},
	{Kind: InputClose, Op: 1000},
	{Kind: InputCancel, Op: 11},
	{Kind: InputCancel, Op: 12},
	{Kind: InputOpened},
	{Kind: InputReceived, Data: []byte("A k0 me-1 7 1\n")},
	{Kind: InputReceived, Data: []byte("A k1 me-2 1 1\n")},
	{Kind: InputReceived, Data: []byte("R k0 1\n")},
	{Kind: InputReceived, Data: []byte("L n2:1\nM n1:1\n")},
	{Kind: InputReceived, Data: []byte("\n")},
	{Kind: InputReceived, Data: []byte("E no_leader\n")},
	{Kind: InputWrote, N: 0},
	{Kind: InputWrote, N: 10},
	{Kind: InputWrote, N: math.MaxInt32},
	{Kind: InputWrote, N: math.MaxInt32, Gen: ^Generation(0)},
	{Kind: InputWrote, N: 8, Gen: ^Generation(0)},
	{Kind: InputClosed},
	{Kind: InputClosed, Gen: ^Generation(0)},
}

// A small machine is cheap to store.
func TestSmallStateIsShort(t *testing.T) {
	h := newHarness(t, Options{})
	require.Less(t, len(h.m.AppendState(h.now, nil)), 32)
	h.connect()
	for i := range 3 {
		h.acquire(OpID(i+1), "k", 1000)
	}
	require.Less(t, len(h.m.AppendState(h.now, nil)), 150)
}
