package checker_test

import (
	"bytes"
	"math/bits"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
	"ticketing/client/demux"
	"ticketing/sim/choice"
	"ticketing/sim/reference"
)

func TestFingerprint(t *testing.T) {
	require.Panics(t, func() { checker.Fingerprint("nonsense") })
	seen := map[uint64]string{}
	var wait sync.WaitGroup
	for _, name := range checker.Scenarios() {
		h := checker.Fingerprint(name)
		require.NotZero(t, h)
		require.Empty(t, seen[h], name)
		seen[h] = name
		wait.Go(func() {
			if checker.Fingerprint(name) != h {
				t.Errorf("%s: not the same twice", name)
			}
		})
	}
	wait.Wait()
}

// TestWorldFingerprint: it is that of the worlds of the naive core, and so no other than itself when the client changes.
func TestWorldFingerprint(t *testing.T) {
	r := checker.NewRunnerOf(func(o demux.Options) (demux.Core, error) { return reference.New(o) })
	want := uint64(0)
	for seed := range uint64(64) {
		res, err := r.Run(seed, checker.Config{Scenario: "calm"})
		require.NoError(t, err)
		want = bits.RotateLeft64(want, 5)*0x9e3779b97f4a7c15 ^ res.Hash
	}
	require.Equal(t, want, checker.WorldFingerprint("calm"))
	require.NotEqual(t, want, checker.WorldFingerprint("swarm"))
}

// deaf is a core that drops every tenth thing that it reads, so that callers wait in vain.
type deaf struct {
	*demux.Machine
	read int
}

func (d *deaf) Step(now demux.Time, in *demux.Input) []demux.Effect {
	if in.Kind == demux.InputReceived {
		if d.read++; d.read%10 == 0 {
			cut := *in
			cut.Data = nil
			return d.Machine.Step(now, &cut)
		}
	}
	return d.Machine.Step(now, in)
}

func (d *deaf) Reset(o demux.Options) {
	d.read = 0
	d.Machine.Reset(o)
}

func newDeaf(o demux.Options) (demux.Core, error) {
	m, err := demux.New(o)
	return &deaf{Machine: m}, err
}

// TestTail: a seed that fails tells its last facts, the same with a trace and without, and what is counted is counted once.
func TestTail(t *testing.T) {
	r := checker.NewRunnerOf(newDeaf)
	failed := 0
	for seed := range uint64(300) {
		res, err := r.Run(seed, checker.Config{})
		require.NoError(t, err)
		if res.Verdict == checker.Pass {
			require.Empty(t, res.Tail)
			continue
		}
		failed++
		require.NotEmpty(t, res.Tail)
		require.LessOrEqual(t, len(res.Tail), checker.TailMax)
		var lines []string
		again, err := r.Run(seed, checker.Config{Trace: func(l string) { lines = append(lines, l) }})
		require.NoError(t, err)
		require.Equal(t, res, again)
		for _, l := range res.Tail {
			require.Contains(t, lines, l)
		}
		var src choice.Seeded
		src.Reset(seed + 1)
		require.Empty(t, r.Tail(res, &src), "another world")
	}
	require.Positive(t, failed)

	once, twice := checker.NewRunnerOf(newDeaf), checker.NewRunnerOf(newDeaf)
	for seed := range uint64(50) {
		_, err := once.Run(seed, checker.Config{})
		require.NoError(t, err)
		var src choice.Seeded // a run that asks a source of the caller's has no tail
		src.Reset(seed)
		res, err := twice.Run(seed, checker.Config{Source: &src})
		require.NoError(t, err)
		require.Empty(t, res.Tail)
	}
	require.Equal(t, twice.Counters(), once.Counters())
}

// TestDump: the state is written once, after the event that was named, or after the last.
func TestDump(t *testing.T) {
	r := checker.NewRunner()
	plain, err := r.Run(1, checker.Config{})
	require.NoError(t, err)
	for at, want := range map[int64]string{
		0: "world after event 0 at 0.000000", 5: "world after event 5 at ", plain.Events: "", 1 << 40: "",
	} {
		var b bytes.Buffer
		res, err := r.Run(1, checker.Config{Dump: &b, At: at})
		require.NoError(t, err)
		require.Equal(t, plain, res)
		require.Equal(t, 1, strings.Count(b.String(), "world after event "))
		require.Contains(t, b.String(), want)
	}
}
