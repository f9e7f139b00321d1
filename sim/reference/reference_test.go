package reference_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
	"ticketing/sim/reference"
)

// Whatever the driver and the peer do, the ledger is in order, and after Close nothing is left.
func TestRandom(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(2000) {
		d := newDrive(seed, newCore, counts)
		d.run(200, func() {
			require.NoError(t, d.ledger.Err(), "seed %d\n%s", seed, tail(d))
		})
		require.Zero(t, d.ledger.Unsettled(), "seed %d\n%s", seed, tail(d))
		require.Equal(t, demux.Never, d.core.Deadline(), "seed %d", seed)
	}
	report(t, counts)
}

// A copy and its original run alike, and so do two cores with equal encodings.
func TestCopyRunsAlike(t *testing.T) {
	for seed := range uint64(300) {
		original := func(o demux.Options) (demux.Core, error) {
			a, err := reference.New(o)
			require.NoError(t, err)
			b, err := reference.New(o)
			require.NoError(t, err)
			return reference.NewPair(a, b), nil
		}
		d := newDrive(seed, original, map[string]int{})
		pair := d.core.(*reference.Pair)
		steps := 0
		d.run(120, func() {
			require.Nil(t, pair.Difference(), "seed %d", seed)
			if steps++; steps%40 == 0 {
				fresh, err := original(d.o)
				require.NoError(t, err)
				fresh.CopyFrom(pair)
				require.Equal(t, pair.AppendState(d.now, nil), fresh.AppendState(d.now, nil))
				d.core, pair = fresh, fresh.(*reference.Pair)
			}
		})
	}
}

func TestReset(t *testing.T) {
	d := newDrive(1, newCore, map[string]int{})
	fresh := d.core.AppendState(0, nil)
	d.run(100, func() {})
	require.NotEqual(t, fresh, d.core.AppendState(d.now, nil))
	d.core.Reset(d.o)
	require.Equal(t, fresh, d.core.AppendState(0, nil))
	require.Panics(t, func() { d.core.Reset(demux.Options{}) })
}

// A pair notices one input that only one half has seen.
func TestPairTellsDifference(t *testing.T) {
	o := demux.Options{Addrs: []string{"a:1"}, Credential: "c", Prefix: "p"}
	a, err := reference.New(o)
	require.NoError(t, err)
	b, err := reference.New(o)
	require.NoError(t, err)
	pair := reference.NewPair(a, b)
	pair.Step(0, &demux.Input{Kind: demux.InputAcquire, Op: 1, Key: "k", Wait: 1000, Lease: 1000})
	require.Nil(t, pair.Difference())
	b.Step(0, &demux.Input{Kind: demux.InputCancel, Op: 1})
	pair.Step(1, &demux.Input{Kind: demux.InputOpened, Gen: 1})
	require.NotNil(t, pair.Difference())
	require.Equal(t, 2, pair.Difference().Step)
	require.Contains(t, pair.Difference().String(), "write 1: H 1 <redacted> | A k p-1 999 1000")
}

func TestProgrammerMistakesPanic(t *testing.T) {
	o := demux.Options{Addrs: []string{"a:1"}, Credential: "c", Prefix: "p"}
	for _, in := range []demux.Input{
		{},
		{Kind: demux.InputAcquire, Key: "k", Lease: 1},
		{Kind: demux.InputAcquire, Op: 1, Lease: 1},
		{Kind: demux.InputAcquire, Op: 1, Key: "a b", Lease: 1},
		{Kind: demux.InputAcquire, Op: 1, Key: "k"},
		{Kind: demux.InputAcquire, Op: 1, Key: "k", Lease: 1 << 31},
		{Kind: demux.InputAcquire, Op: 1, Key: "k", Lease: 1, Wait: 1 << 31},
		{Kind: demux.InputRelease, Op: 1, Key: "k"},
	} {
		c, err := reference.New(o)
		require.NoError(t, err)
		require.Panics(t, func() { c.Step(0, &in) }, reference.FormatInput(&in))
	}
	_, err := reference.New(demux.Options{})
	require.Error(t, err)
}

func tail(d *drive) string { return strings.Join(d.trace[max(0, len(d.trace)-60):], "\n") }

func report(t *testing.T, counts map[string]int) {
	var lines []string
	for what, n := range counts {
		lines = append(lines, fmt.Sprintf("%8d %s", n, what))
	}
	slices.Sort(lines)
	t.Log("\n" + strings.Join(lines, "\n"))
}

// The encoding knows no absolute time: a core that lives later has the same one.
func TestEncodingIsRelative(t *testing.T) {
	for seed := range uint64(100) {
		d := newDrive(seed, newCore, map[string]int{})
		other, err := reference.New(d.o)
		require.NoError(t, err)
		l := &later{Core: d.core, other: other, by: 1 << 50}
		d.core = l
		d.run(100, func() {
			require.Equal(t, string(d.core.AppendState(l.now, nil)), string(other.AppendState(l.now+l.by, nil)), "seed %d", seed)
		})
	}
}

// later feeds another core the same inputs, later by a constant.
type later struct {
	demux.Core
	other   demux.Core
	now, by demux.Time
}

func (l *later) Step(now demux.Time, in *demux.Input) []demux.Effect {
	l.now = now
	shifted := *in
	if in.Deadline != 0 {
		shifted.Deadline += l.by
	}
	l.other.Step(now+l.by, &shifted)
	return l.Core.Step(now, in)
}
