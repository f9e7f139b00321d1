package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/model"
)

func TestNames(t *testing.T) {
	require.Equal(t, "acquire", model.Acquire.String())
	require.Equal(t, "release", model.Release.String())
	require.Equal(t, "kind(0)", model.Kind(0).String())
	require.Equal(t, "kind(3)", model.Kind(3).String())
	require.Equal(t, "granted", model.Granted.String())
	require.Equal(t, "not-found", model.NotFound.String())
	require.Equal(t, "outcome(0)", model.Outcome(0).String())
	require.Equal(t, "outcome(8)", model.Outcome(8).String())
	require.Equal(t, "format(0)", model.Format(0).String())
	for _, f := range []model.Format{model.Text, model.JSONL} {
		parsed, err := model.ParseFormat(f.String())
		require.NoError(t, err)
		require.Equal(t, f, parsed)
	}
	_, err := model.ParseFormat("xml")
	require.EqualError(t, err, `model: unknown format "xml", want text or jsonl`)
}

// TestOutcomesOfKinds is the table of protocol §6.
func TestOutcomesOfKinds(t *testing.T) {
	acquire := map[model.Outcome]bool{model.Granted: true, model.TimedOut: true, model.Busy: true, model.NotSent: true, model.Indeterminate: true}
	release := map[model.Outcome]bool{model.Released: true, model.NotFound: true, model.NotSent: true, model.Indeterminate: true}
	for o := model.Outcome(0); o < 10; o++ {
		require.Equal(t, acquire[o], o.Of(model.Acquire), o)
		require.Equal(t, release[o], o.Of(model.Release), o)
		require.False(t, o.Of(0), o)
	}
}

// good is a small history with something of everything.
func good() *model.History {
	stamp := func(seq int64) model.Stamp { return model.Stamp{Seq: seq, At: seq*100 - 500} }
	return &model.History{
		Header: model.Header{DriftPPM: 200, UncertaintyNanos: 7, LaneRecorded: true},
		Keys:   []string{"unused", "a", `"\{}#`},
		Ops: []model.Op{
			{Kind: model.Acquire, Client: 1, Key: 1, Call: stamp(1), Return: stamp(2), Wait: 5, Outcome: model.Granted, Token: 7, Lease: 3000},
			{Kind: model.Release, Client: -1, Key: 1, Call: stamp(3), Return: stamp(6), Outcome: model.Released, Token: 7, Tries: 3},
			{Kind: model.Acquire, Client: 2, Key: 2, Call: stamp(4), Return: stamp(5), Outcome: model.Indeterminate, Token: 1<<64 - 1, Lease: 1<<31 - 1},
			{Kind: model.Release, Client: 2, Key: 2, Call: stamp(7), Return: stamp(8), Outcome: model.NotFound, Token: 1<<64 - 1, Tries: 255, Lane: true},
			{Kind: model.Acquire, Client: 3, Key: 1, Call: stamp(9), Return: stamp(10), Wait: 1<<31 - 1, Outcome: model.TimedOut},
			{Kind: model.Acquire, Client: 3, Key: 1, Call: stamp(11), Return: stamp(12), Outcome: model.Busy},
			{Kind: model.Acquire, Client: 3, Key: 1, Call: stamp(13), Return: stamp(14), Outcome: model.NotSent},
			{Kind: model.Acquire, Client: 3, Key: 1, Call: stamp(15), Return: stamp(16), Outcome: model.Indeterminate},
			{Kind: model.Release, Client: 3, Key: 1, Call: stamp(17), Return: stamp(18), Outcome: model.NotSent, Token: 7},
			{Kind: model.Release, Client: 3, Key: 1, Call: stamp(19), Return: stamp(20), Outcome: model.Indeterminate, Token: 7, Tries: 1},
			{Kind: model.Release, Client: 4, Key: 1, Call: stamp(21), Return: stamp(22), Outcome: model.Released, Token: 99, Tries: 1, Lane: true},
		},
		Taints: []model.Taint{{Token: 8, Key: 1}, {Token: 1<<64 - 1, Key: 2}},
	}
}

// TestValidate breaks a good history in one place at a time.
func TestValidate(t *testing.T) {
	require.NoError(t, good().Validate())
	require.NoError(t, new(model.History).Validate())
	sparse := good()
	spread(sparse)
	require.NoError(t, sparse.Validate())
	for _, c := range []struct {
		want string
		harm func(h *model.History)
	}{
		{"drift of 1000001 ppm", func(h *model.History) { h.Header.DriftPPM = 1_000_001 }},
		{"uncertainty of -1 ns", func(h *model.History) { h.Header.UncertaintyNanos = -1 }},
		{"uncertainty of 1152921504606846977 ns", func(h *model.History) { h.Header.UncertaintyNanos = 1<<60 + 1 }},
		{"key 1: a key of 0 bytes", func(h *model.History) { h.Keys[1] = "" }},
		{"key 1: a key with the byte 0x20", func(h *model.History) { h.Keys[1] = "a b" }},
		{`key "a" is listed twice`, func(h *model.History) { h.Keys[0] = "a" }},
		{"op 0 (acquire at position 1): key index 3 of 3 keys", func(h *model.History) { h.Ops[0].Key = 3 }},
		{"op 0 (acquire at position 1): key index -1 of 3 keys", func(h *model.History) { h.Ops[0].Key = -1 }},
		{"op 0 (kind(9) at position 1): granted cannot be the outcome of kind(9)", func(h *model.History) { h.Ops[0].Kind = 9 }},
		{"op 0 (acquire at position 1): released cannot be the outcome of acquire", func(h *model.History) { h.Ops[0].Outcome = model.Released }},
		{"op 1 (release at position 3): busy cannot be the outcome of release", func(h *model.History) { h.Ops[1].Outcome = model.Busy }},
		{"op 0 (acquire at position 2): called at position 2 and returned at 2", func(h *model.History) { h.Ops[0].Call.Seq = 2 }},
		{"op 0 (acquire at position -1)", func(h *model.History) { h.Ops[0].Call.Seq = -1 }},
		{"op 0 (acquire at position 1): called at -299 ns and returned at -300 ns", func(h *model.History) { h.Ops[0].Call.At = -299 }},
		{"op 0 (acquire at position 1): called at", func(h *model.History) { h.Ops[0].Call.At = -1<<62 - 1 }},
		{"op 10 (release at position 21): called at", func(h *model.History) { h.Ops[10].Return.At = 1<<62 + 1 }},
		{"op 0 (acquire at position 1): tries and lane belong to a release", func(h *model.History) { h.Ops[0].Tries = 1 }},
		{"op 0 (acquire at position 1): tries and lane belong to a release", func(h *model.History) { h.Ops[0].Lane = true }},
		{"op 0 (acquire at position 1): a wait of 2147483648 ms", func(h *model.History) { h.Ops[0].Wait = 1 << 31 }},
		{"op 0 (acquire at position 1): granted without a token", func(h *model.History) { h.Ops[0].Token = 0 }},
		{"op 0 (acquire at position 1): token 7 granted without a lease", func(h *model.History) { h.Ops[0].Lease = 0 }},
		{"op 4 (acquire at position 9): timed-out shows no token", func(h *model.History) { h.Ops[4].Token = 3 }},
		{"op 7 (acquire at position 15): indeterminate shows no token", func(h *model.History) { h.Ops[7].Lease = 3 }},
		{"op 1 (release at position 3): a release names a token", func(h *model.History) { h.Ops[1].Token = 0 }},
		{"op 1 (release at position 3): wait and lease belong to an acquire", func(h *model.History) { h.Ops[1].Wait = 1 }},
		{"op 1 (release at position 3): released after 0 tries", func(h *model.History) { h.Ops[1].Tries = 0 }},
		{"op 8 (release at position 17): not-sent after 1 tries", func(h *model.History) { h.Ops[8].Tries = 1 }},
		{"op 2 (acquire at position 3): position 3 is taken twice", func(h *model.History) { h.Ops[2].Call = h.Ops[1].Call }},
		{"op 2 (acquire at position 4): the clock fell from -200 ns to -201 ns between positions 3 and 4", func(h *model.History) { h.Ops[2].Call.At = -201 }},
		{"op 1 (release at position 3): no grant of the key shows token 6", func(h *model.History) { h.Ops[1].Token = 6 }},
		{"op 1 (release at position 3): no grant of the key shows token 7", func(h *model.History) { h.Ops[1].Key = 2 }},
		{"op 1 (release at position 3): called at position 3, before the grant of token 7 returned at 23", func(h *model.History) {
			h.Ops[0].Return = model.Stamp{Seq: 23, At: 5000}
		}},
		{"taint 0: token 0", func(h *model.History) { h.Taints[0].Token = 0 }},
		{"taint 1: token 18446744073709551615 of key index 3", func(h *model.History) { h.Taints[1].Key = 3 }},
	} {
		h := good()
		c.harm(h)
		require.ErrorContains(t, h.Validate(), "model: "+c.want)
		spread(h)
		require.ErrorContains(t, h.Validate(), "model: ", c.want)
	}
}

// spread leaves so many positions out between any two that they are sorted, and not counted off.
func spread(h *model.History) {
	for i := range h.Ops {
		h.Ops[i].Call.Seq *= 100
		h.Ops[i].Return.Seq *= 100
	}
}

func TestValidatorAllocatesNothingOnceWarm(t *testing.T) {
	var v model.Validator
	h := good()
	require.NoError(t, v.Validate(h))
	require.Zero(t, testing.AllocsPerRun(10, func() { _ = v.Validate(h) }))
}

func TestLeaseFloor(t *testing.T) {
	h := model.Header{DriftPPM: 200}
	require.Equal(t, int64(999_800_000), h.LeaseFloor(1000))
	require.Equal(t, int64(999_800), h.LeaseFloor(1))
	h.DriftPPM = 0
	require.Equal(t, int64(1<<31-1)*1e6, h.LeaseFloor(1<<31-1))
	h.DriftPPM = model.DriftPPMMax
	require.Zero(t, h.LeaseFloor(1<<31-1))
}
