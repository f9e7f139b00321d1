package plain_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/checker/blackbox"
	"ticketing/checker/blackbox/plain"
	"ticketing/model"
	"ticketing/model/generate"
)

func history(t *testing.T, o generate.Options) *model.History {
	var b bytes.Buffer
	require.NoError(t, generate.Write(&b, model.Text, o))
	h, err := model.Read(&b)
	require.NoError(t, err)
	return h
}

// TestJudgesAsBlackboxDoes holds it to the judge that it is compared with.
func TestJudgesAsBlackboxDoes(t *testing.T) {
	judge := blackbox.NewJudge()
	for _, illegal := range []string{"", generate.TokenUnique, generate.DoubleRelease, generate.NotFoundThenReleased} {
		for seed := range uint64(20) {
			h := history(t, generate.Options{Seed: seed, Ops: 80, Keys: 2, Callers: 3, LostAcquires: 10, LostReleases: 10, Illegal: illegal})
			want := plain.Legal
			if v := judge.Check(h); v.Result == blackbox.Illegal {
				want = plain.Illegal
			}
			require.Equal(t, want, plain.Check(h, time.Minute), "%q, seed %d", illegal, seed)
			require.Equal(t, illegal == "", want == plain.Legal)
		}
	}
}

func TestRefusesByHand(t *testing.T) {
	op := func(kind model.Kind, out model.Outcome, token uint64, call, ret int64) model.Op {
		return model.Op{Kind: kind, Outcome: out, Token: token, Lease: 1, Tries: 1,
			Call: model.Stamp{Seq: call, At: call}, Return: model.Stamp{Seq: ret, At: ret}}
	}
	grant := func(token uint64, call, ret int64) model.Op {
		return op(model.Acquire, model.Granted, token, call, ret)
	}
	for name, c := range map[string]struct {
		want plain.Result
		ops  []model.Op
	}{
		"held twice":            {plain.Illegal, []model.Op{grant(1, 1, 2), grant(2, 3, 4)}},
		"a lease between":       {plain.Legal, []model.Op{grant(1, 1, 2), grant(2, 3, 1_000_001)}},
		"a release between":     {plain.Legal, []model.Op{grant(1, 1, 2), op(model.Release, model.Released, 1, 3, 4), grant(2, 5, 6)}},
		"perhaps a release":     {plain.Legal, []model.Op{grant(1, 1, 2), op(model.Release, model.Indeterminate, 1, 3, 4), grant(2, 5, 6)}},
		"a release too late":    {plain.Illegal, []model.Op{grant(1, 1, 2), grant(2, 5, 6), op(model.Release, model.Indeterminate, 1, 7, 8)}},
		"unknown, and harmless": {plain.Legal, []model.Op{op(model.Acquire, model.Indeterminate, 0, 1, 2), grant(1, 3, 4)}},
		"never granted":         {plain.Illegal, []model.Op{op(model.Release, model.Released, 1, 1, 2)}},
		"not found while held":  {plain.Illegal, []model.Op{grant(1, 1, 2), op(model.Release, model.NotFound, 1, 3, 4)}},
		"tokens fall":           {plain.Illegal, []model.Op{grant(2, 1, 2), op(model.Release, model.Released, 2, 3, 4), grant(1, 5, 6)}},
	} {
		require.Equal(t, c.want, plain.Check(&model.History{Keys: []string{"k"}, Ops: c.ops}, time.Minute), name)
	}
}
