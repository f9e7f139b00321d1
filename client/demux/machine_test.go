package demux

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client/wire"
)

func TestStepPanicsOnDriversMistakes(t *testing.T) {
	for name, in := range map[string]Input{
		"kind":           {Kind: 99},
		"no kind":        {},
		"no OpID":        {Kind: InputAcquire, Key: "k", Lease: 1},
		"live OpID":      {Kind: InputAcquire, Op: 1, Key: "k", Lease: 1},
		"live OpID too":  {Kind: InputRelease, Op: 1, Key: "k", Token: 1},
		"live OpID here": {Kind: InputClose, Op: 1},
		"close without":  {Kind: InputClose},
		"key":            {Kind: InputAcquire, Op: 2, Key: "a b", Lease: 1},
		"lease":          {Kind: InputAcquire, Op: 2, Key: "k"},
		"wait":           {Kind: InputAcquire, Op: 2, Key: "k", Lease: 1, Wait: wire.MaxWait + 1},
		"token":          {Kind: InputRelease, Op: 2, Key: "k"},
	} {
		h := newHarness(t, Options{})
		h.acquire(1, "k", 1)
		require.Panics(t, func() { h.m.Step(h.now, &in) }, name)
	}
}

func TestOptions(t *testing.T) {
	good := Options{Addrs: []string{"a"}, Credential: "hunter2", Prefix: "p"}
	_, err := New(good)
	require.NoError(t, err)
	for name, spoil := range map[string]func(o *Options){
		"Addrs has 0":      func(o *Options) { o.Addrs = nil },
		"Addrs[1] repeats": func(o *Options) { o.Addrs = []string{"a", "a"} },
		"Addrs[0]":         func(o *Options) { o.Addrs = []string{"a b"} },
		"Credential":       func(o *Options) { o.Credential = "hunter2 hunter2" },
		"Prefix":           func(o *Options) { o.Prefix = long(MaxPrefix + 1) },
		"MaxWrite":         func(o *Options) { o.MaxWrite = 2047 },
		"MaxLane":          func(o *Options) { o.MaxLane = -1 },
		"Grace":            func(o *Options) { o.Grace = -1 },
		"Backoff.Own":      func(o *Options) { o.Backoff.Own = Backoff{2, 1} },
	} {
		o := good
		spoil(&o)
		_, err := New(o)
		require.ErrorContains(t, err, "demux: option "+name)
		require.NotContains(t, err.Error(), "hunter2")
		require.Panics(t, func() { new(Machine).Reset(o) })
	}
}

// The credential shows in no dump of the options or of a machine (rule redact).
func TestCredentialIsNotPrinted(t *testing.T) {
	o := Options{Addrs: []string{"a"}, Credential: "hunter2", Prefix: "p"}
	m, err := New(o)
	require.NoError(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%q", "%t"} {
		require.NotContains(t, fmt.Sprintf(verb, o), "hunter2")
		require.NotContains(t, fmt.Sprintf(verb, m), "hunter2")
	}
	// As hexadecimal digits, or as numbers, it would be the credential all the same.
	require.NotContains(t, fmt.Sprintf("%x", o), "68756e74657232")
	require.NotContains(t, string(m.AppendState(0, nil)), "hunter2")
	// Nor does a frame in what goes in and out.
	in := Input{Kind: InputReceived, Gen: 1, Data: []byte("hunter2")}
	out := Effect{Kind: EffectWrite, Gen: 1, Data: []byte("hunter2")}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%q", "%t"} {
		for _, v := range []any{in, &in, out, &out, []Effect{out}} {
			text := fmt.Sprintf(verb, v)
			require.Contains(t, text, "7 bytes")
			require.NotContains(t, text, "hunter2")
			require.NotContains(t, text, "104") // 'h'
		}
	}
}

func TestResetIsNew(t *testing.T) {
	d := newDriver(t, oddOptions(3), splitmix(3))
	for range 300 {
		d.step()
	}
	fresh, err := New(smallOptions())
	require.NoError(t, err)
	d.m.Reset(smallOptions())
	require.Equal(t, fresh.AppendState(0, nil), d.m.AppendState(0, nil))
	require.Equal(t, *fresh.Counts(), *d.m.Counts())
}

// Each of two hints is good for one dial, and a third node is found (rules one-hint, pacing).
func TestThirdNodeIsFound(t *testing.T) {
	h := newHarness(t, Options{})
	h.acquire(1, "k", 60000)
	var addrs []int
	for gen := Generation(1); gen < 20; gen++ {
		c := h.m.current()
		addrs = append(addrs, int(c.addr))
		if c.addr == 2 {
			break
		}
		h.opened(gen)
		h.recv(gen, fmt.Sprintf("M n%d:1\n", 2-c.addr))
		h.wrote(gen, 0)
		h.closed(gen)
		h.advanceTo(h.m.gate)
		h.feed(Input{Kind: InputTick})
	}
	require.Equal(t, []int{0, 1, 1, 0, 2}, addrs)
}

// A back-off doubles up to its cap, and a proof resets it (rules pacing, proven).
func TestBackoffGrows(t *testing.T) {
	h := newHarness(t, Options{Grace: time.Hour})
	h.acquire(1, "k", 0)
	var waits []Time
	for gen := Generation(1); gen <= 9; gen++ {
		h.closed(gen)
		waits = append(waits, (h.m.gate-h.now)/millisecond)
		h.advanceTo(h.m.gate)
	}
	require.Equal(t, []Time{50, 100, 200, 400, 800, 1600, 3200, 5000, 5000}, waits)
	h.opened(10)
	h.all(10)
	h.recv(10, "T k me-1\n")
	h.closed(10)
	require.Equal(t, 50*millisecond, h.m.gate-h.now)
}

func TestJitterIsWithinItsHalf(t *testing.T) {
	m, err := New(Options{Addrs: []string{"a"}, Credential: "c", Prefix: "p", Jitter: 7})
	require.NoError(t, err)
	seen := map[Time]bool{}
	for range 100 {
		m.gen++
		d := m.jitter(1001)
		require.True(t, 500 <= d && d <= 1001)
		require.Equal(t, d, m.jitter(1001))
		seen[d] = true
	}
	require.Greater(t, len(seen), 50)
}

// An instant past the end of time is the end of time, and not long ago.
func TestEndOfTime(t *testing.T) {
	m, err := New(smallOptions())
	require.NoError(t, err)
	effects := m.Step(Never-5, &Input{Kind: InputAcquire, Op: 1, Key: "k", Wait: 1000, Lease: 1})
	require.Len(t, effects, 1)
	require.Equal(t, EffectDial, effects[0].Kind)
	require.Equal(t, Never, m.Deadline())
}
