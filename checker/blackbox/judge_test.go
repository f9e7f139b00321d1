package blackbox

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/model"
	"ticketing/model/generate"
)

func TestFactsTellTheOperationsThatContradict(t *testing.T) {
	s := story{text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@9 wait 0 granted 8 lease 10`}
	v := NewJudge().Check(s.history(t))
	require.Equal(t, []string{
		"op 1: acquire c2 k 3@1000000 4@9000000 wait 0 granted 8 lease 10",
		"op 0: acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10",
		"so token 7 held the lock until 10000000 ns at the least: granted at 0 ns or later, with a lease of at least 10000000 ns",
	}, v.Facts)
	require.Equal(t, `illegal: overlap on key "k" at 9000000 ns`, v.String())
	require.Equal(t, []Result{Illegal, Illegal}, []Result{v.Greedy, v.Porcupine})
}

func TestCounts(t *testing.T) {
	s := story{text: `
		acquire c1 k 1@0 2@10 wait 0 granted 7 lease 10
		acquire c1 k 3@20 4@29 wait 0 granted 8 lease 10
		acquire c1 k 5@29 6@29 wait 0 timed-out
		acquire c1 k 7@29 8@29 wait 0 indeterminate
		release c1 k 9@30 10@30 token 8 tries 1 released
		release c1 k 11@31 12@31 token 8 tries 0 not-sent`}
	v := NewJudge().Check(s.history(t))
	require.Equal(t, "legal", v.String())
	require.Equal(t, []int{6, 3, 2, 1, 1}, []int{v.Ops, v.Judged, v.Grants, v.ShortGrants, v.Segments})
	require.Positive(t, v.Steps)
}

func TestNoHistoryIsInvalid(t *testing.T) {
	h := &model.History{Keys: []string{"k"}, Ops: []model.Op{{Kind: model.Release, Outcome: model.Released}}}
	j := NewJudge()
	for _, v := range []Verdict{j.Check(h), j.Greedy(h), j.Porcupine(h)} {
		require.Equal(t, Invalid, v.Result)
		require.Len(t, v.Facts, 1)
		require.Contains(t, v.Facts[0], "model: op 0")
		require.Zero(t, v.Greedy)
		require.Zero(t, v.Porcupine)
	}
}

// TestSpentBudget: the greedy judge's word stands, and without it nothing is claimed.
func TestSpentBudget(t *testing.T) {
	j := NewJudgeOptions(Options{StepsMax: 1})
	legal := generated(t, generate.Options{Ops: 100})
	v := j.Check(legal)
	require.Equal(t, []Result{Inconclusive, Legal, Inconclusive}, []Result{v.Result, v.Greedy, v.Porcupine})
	require.Contains(t, v.Facts[0], "porcupine gave up after 1 steps: key \"key-0\", tokens 1 to 32")
	require.Equal(t, Inconclusive, j.Porcupine(legal).Result)
	v = j.Check(generated(t, generate.Options{Ops: 100, Illegal: generate.DoubleRelease}))
	require.Equal(t, []Result{Illegal, Illegal, Inconclusive}, []Result{v.Result, v.Greedy, v.Porcupine})
	require.Equal(t, DoubleRelease, v.Property)
	require.Len(t, v.Facts, 3)
}

// TestBudgetIsExact: a budget is steps, so what it decides is the same every time.
func TestBudgetIsExact(t *testing.T) {
	h := generated(t, generate.Options{Ops: 40, LostReleases: 20})
	steps := NewJudge().Check(h).Steps
	require.Equal(t, Legal, NewJudgeOptions(Options{StepsMax: steps}).Check(h).Result)
	require.Equal(t, Inconclusive, NewJudgeOptions(Options{StepsMax: steps - 1}).Check(h).Result)
}

func TestJudgesThatDifferAreReported(t *testing.T) {
	legal := generated(t, generate.Options{Ops: 100})
	illegal := generated(t, generate.Options{Ops: 100, Illegal: generate.DoubleRelease})
	for _, answer := range []bool{false, true} {
		j := NewJudge()
		j.search.adapter.StepContext = func(_ context.Context, s, _, _ any) (bool, any) { return answer, s }
		h, word := legal, "greedy places every operation, porcupine finds no order"
		if answer {
			h, word = illegal, "greedy calls that double-release, porcupine finds an order for all of it"
		}
		v := j.Check(h)
		require.Equal(t, Disagree, v.Result)
		require.Empty(t, v.Property)
		require.Equal(t, word, v.Facts[len(v.Facts)-1])
		require.Equal(t, fmt.Sprintf(`disagree on key "key-0": greedy says %v, porcupine says %v`, v.Greedy, v.Porcupine), v.String())
	}
}

// TestDifferenceIsNotMasked: what Porcupine would say of later segments, which start where a false alarm of
// the greedy judge put them, is not taken for agreement.
func TestDifferenceIsNotMasked(t *testing.T) {
	s := story{text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@9 wait 0 granted 8 lease 10
		acquire c3 k 5@10 6@10 wait 0 granted 9 lease 10`}
	j := NewJudgeOptions(Options{SegmentGrants: 1})
	j.search.adapter.StepContext = func(_ context.Context, s, in, _ any) (bool, any) { return in.(*model.Step).Token < 9, s }
	require.Equal(t, Disagree, j.Check(s.history(t)).Result)
}

func TestGreedyAllocatesNothingOnceWarm(t *testing.T) {
	h := generated(t, generate.Options{Ops: 500, Keys: 3, LostAcquires: 10, LostReleases: 20, LateAcquires: 5})
	h.Taints = append(h.Taints, model.Taint{Token: 3, Key: h.Ops[0].Key})
	j := NewJudge()
	j.Greedy(h)
	require.Zero(t, testing.AllocsPerRun(10, func() { j.Greedy(h) }))
}

func TestOneJudgeManyHistories(t *testing.T) {
	j := NewJudge()
	for seed := range uint64(20) {
		o := generate.Options{Seed: seed, Ops: 20 + 200*int(seed%3), Keys: 1 + int(seed%4), LostReleases: 30, LateAcquires: 10}
		if seed%2 == 0 {
			o.Illegal = generate.DoubleRelease
		}
		h := generated(t, o)
		require.Equal(t, NewJudge().Check(h), j.Check(h))
	}
}

func TestOptions(t *testing.T) {
	require.Panics(t, func() { NewJudgeOptions(Options{StepsMax: -1}) })
	require.Panics(t, func() { NewJudgeOptions(Options{SegmentGrants: -1}) })
	require.Equal(t, "result(9)", Result(9).String())
	require.Equal(t, "result(0)", Result(0).String())
}

func generated(t testing.TB, o generate.Options) *model.History {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, generate.Write(&b, model.Text, o))
	h, err := model.Read(&b)
	require.NoError(t, err)
	return h
}

// million is the load that the judges were designed for: one key, 16 queued callers, a fifth of acquires
// and of releases Indeterminate.
func million(ops int, illegal string) generate.Options {
	return generate.Options{Seed: 1, Ops: ops, Callers: 16, LostAcquires: 20, LostReleases: 20, Illegal: illegal}
}

// TestStepsGrowLinearly: what Porcupine tries for an operation does not depend on how many there are, and a
// contradiction does not make it search.
func TestStepsGrowLinearly(t *testing.T) {
	for _, illegal := range append(generate.Contradictions(), "") {
		small := NewJudge().Check(generated(t, million(10_000, illegal)))
		large := NewJudge().Check(generated(t, million(80_000, illegal)))
		require.Equal(t, result(illegal == ""), small.Result, illegal)
		require.Equal(t, result(illegal == ""), large.Result, illegal)
		require.Less(t, large.Steps, 9*small.Steps, illegal)
	}
}

func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Log("short: a tenth of it")
	}
	for _, illegal := range []string{"", generate.Overlap} {
		ops := 1_000_000
		if testing.Short() {
			ops /= 10
		}
		v := NewJudge().Check(generated(t, million(ops, illegal)))
		require.Equal(t, result(illegal == ""), v.Result, "%v", &v)
		require.Equal(t, v.Property, illegal)
		require.GreaterOrEqual(t, v.Ops, ops)
	}
}

// BenchmarkMillion reads a million operations from memory and judges them.
func BenchmarkMillion(b *testing.B) {
	for _, f := range []model.Format{model.Text, model.JSONL} {
		for _, illegal := range []string{"", generate.Overlap} {
			var buf bytes.Buffer
			require.NoError(b, generate.Write(&buf, f, million(1_000_000, illegal)))
			b.Run(fmt.Sprintf("%v/%v", f, result(illegal == "")), func(b *testing.B) {
				for b.Loop() {
					h, err := model.Read(bytes.NewReader(buf.Bytes()))
					require.NoError(b, err)
					require.Equal(b, result(illegal == ""), NewJudge().Check(h).Result)
				}
			})
		}
	}
}

// BenchmarkWorld judges histories of the size that one simulated world has.
func BenchmarkWorld(b *testing.B) {
	for _, ops := range []int{20, 200} {
		h := generated(b, generate.Options{Ops: ops, Keys: 2, Callers: 4, LostAcquires: 10, LostReleases: 10})
		b.Run(fmt.Sprintf("check/%d", ops), func(b *testing.B) {
			j := NewJudge()
			b.ReportAllocs()
			for b.Loop() {
				j.Check(h)
			}
		})
		b.Run(fmt.Sprintf("greedy/%d", ops), func(b *testing.B) {
			j := NewJudge()
			b.ReportAllocs()
			for b.Loop() {
				j.Greedy(h)
			}
		})
	}
}
