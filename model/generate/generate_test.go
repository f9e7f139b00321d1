package generate_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/blackbox"
	"ticketing/model"
	"ticketing/model/generate"
)

func full(seed uint64) generate.Options {
	return generate.Options{
		Seed: seed, Ops: 2_000, LostAcquires: 15, LateAcquires: 5,
		LostReleases: 20, ResentRelease: 10, Overheld: 5,
	}
}

func write(t *testing.T, o generate.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, generate.Write(&b, model.Text, o))
	return b.Bytes()
}

func judge(t *testing.T, o generate.Options) (*model.History, blackbox.Verdict) {
	t.Helper()
	h, err := model.Read(bytes.NewReader(write(t, o)))
	require.NoError(t, err)
	return h, blackbox.NewJudge().Check(h)
}

func TestIllegalOnesAreRejected(t *testing.T) {
	for _, what := range generate.Contradictions() {
		for seed := range uint64(20) {
			o := full(seed)
			o.Illegal, o.Keys = what, 1+int(seed%3)
			_, v := judge(t, o)
			require.Equal(t, blackbox.Illegal, v.Result, "%s %d: %v", what, seed, v)
			if what == generate.TokenOrder {
				continue // it breaks overlap or stale-release as well where calls cross
			}
			require.Equal(t, what, v.Property, "seed %d: %v", seed, v)
		}
	}
}

func TestLegalOnesPass(t *testing.T) {
	for seed := range uint64(20) {
		o := full(seed)
		o.Keys, o.LaneUnrecorded = 1+int(seed%3), seed%2 == 1
		h, v := judge(t, o)
		require.Equal(t, blackbox.Legal, v.Result, "seed %d: %v", seed, v)
		require.GreaterOrEqual(t, len(h.Ops), o.Ops)
		require.LessOrEqual(t, len(h.Ops), o.Ops+o.Keys*16)
	}
}

func TestEveryOutcomeComesAbout(t *testing.T) {
	h, _ := judge(t, full(1))
	seen := map[model.Outcome]int{}
	late, lane, resent := 0, 0, 0
	for _, op := range h.Ops {
		seen[op.Outcome]++
		if op.Kind == model.Acquire && op.Outcome == model.Indeterminate && op.Token != 0 {
			late++
		}
		if op.Lane {
			lane++
		}
		if op.Outcome == model.NotFound && op.Tries > 1 {
			resent++
		}
	}
	for _, o := range []model.Outcome{model.Granted, model.TimedOut, model.Indeterminate, model.Released, model.NotFound} {
		require.Positive(t, seen[o], o)
	}
	require.Positive(t, late)
	require.Equal(t, late, lane)
	require.Positive(t, resent)
}

func TestSameOptionsSameBytes(t *testing.T) {
	require.Equal(t, write(t, full(3)), write(t, full(3)))
	require.NotEqual(t, write(t, full(3)), write(t, full(4)))
}

func TestOptionsThatCannotBe(t *testing.T) {
	for name, o := range map[string]generate.Options{
		"operations":       {Ops: -1},
		"keys":             {Keys: 1_001},
		"callers":          {Callers: -1},
		"acquires":         {LostAcquires: 60, LateAcquires: 41},
		"releases":         {LostReleases: 101},
		"overheld":         {Overheld: -1},
		"contradiction":    {Illegal: "no-such"},
		"did not come":     {Ops: 1, Illegal: generate.DoubleRelease, LostAcquires: 100},
		"stale, one alone": {Ops: 10, Callers: 1, Illegal: generate.StaleRelease},
	} {
		require.ErrorContains(t, generate.Write(&bytes.Buffer{}, model.Text, o), "generate: ", name)
	}
}

func TestWriterErrorShows(t *testing.T) {
	require.ErrorIs(t, generate.Write(broken{}, model.JSONL, full(1)), errBroken)
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }
