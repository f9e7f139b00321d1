package blackbox

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/model"
)

// TestExact holds both judges against the oracle on small random histories with every outcome of protocol
// §6: the verdicts must be the same on every one of them, and there must be enough of each kind.
func TestExact(t *testing.T) {
	const shards, each = 8, 25_000
	var count struct{ legal, illegal, crossing, short atomic.Int64 }
	seen := make([]map[string]int, shards)
	t.Run("shards", func(t *testing.T) {
		for shard := range shards {
			t.Run(fmt.Sprint(shard), func(t *testing.T) {
				t.Parallel()
				e := newExact(uint64(shard))
				for range each {
					e.draw()
					key, whole := e.compare(t)
					switch {
					case whole:
						count.legal.Add(1)
					case key:
						count.crossing.Add(1)
						fallthrough
					default:
						count.illegal.Add(1)
					}
				}
				seen[shard] = e.seen
			})
		}
	})
	total := map[string]int{}
	for _, m := range seen {
		for k, v := range m {
			total[k] += v
		}
	}
	t.Logf("%d legal, %d illegal, of them %d only across keys; %v",
		count.legal.Load(), count.illegal.Load(), count.crossing.Load(), total)
	require.Greater(t, count.legal.Load(), int64(20_000))
	require.Greater(t, count.illegal.Load(), int64(20_000))
	require.Greater(t, count.crossing.Load(), int64(1_000))
	for _, what := range []string{
		"granted", "timed-out", "busy", "not-sent", "indeterminate", "released", "not-found", // protocol §6
		"late", "lane", "resent-n", "two-releases", "taint", "uncertain", "drift", "lane-unrecorded", "two-unknown",
		TokenUnique, TokenOrder, Overlap, DoubleRelease, StaleRelease, NotFoundWhileHeld, NotFoundThenReleased,
	} {
		require.Greater(t, total[what], 500, what)
	}
}

// exact draws histories and compares verdicts.
type exact struct {
	rng    *rand.Rand
	h      model.History
	oracle oracle
	judges []*Judge
	seen   map[string]int
	open   []int
	shown  []int
	at     int64
	seq    int64
}

func newExact(seed uint64) *exact {
	return &exact{
		rng: rand.New(rand.NewPCG(seed, 7)), seen: map[string]int{},
		// Short segments try the cuts, which small histories would never meet otherwise.
		judges: []*Judge{NewJudge(), NewJudgeOptions(Options{SegmentGrants: 1}), NewJudgeOptions(Options{SegmentGrants: 2})},
	}
}

// compare returns the truth about each key alone, and about the whole.
func (e *exact) compare(t *testing.T) (key, whole bool) {
	require.NoError(t, e.h.Validate(), e.text())
	key = true
	for k := range e.h.Keys {
		key = key && e.oracle.legal(&e.h, k)
	}
	whole = key
	if key && len(e.h.Keys) > 1 {
		whole = e.oracle.legal(&e.h, -1)
	}
	g := e.judges[0].Greedy(&e.h)
	if g.Result != result(whole) {
		require.Failf(t, "greedy", "want %v, is %v\n%s", result(whole), g, e.text())
	}
	e.seen[g.Property]++
	for _, j := range e.judges {
		if p := j.Porcupine(&e.h); p.Result != result(key) {
			require.Failf(t, "porcupine", "want %v, is %v\n%s", result(key), p, e.text())
		}
	}
	if v := e.judges[1].Check(&e.h); v.Result != result(whole) {
		require.Failf(t, "check", "want %v, is %v\n%s", result(whole), v, e.text())
	}
	return key, whole
}

func result(legal bool) Result {
	if legal {
		return Legal
	}
	return Illegal
}

func (e *exact) text() string {
	s := fmt.Sprintf("%+v taints %v\n", e.h.Header, e.h.Taints)
	for i := range e.h.Ops {
		s += string(model.AppendOp(nil, e.h.Keys[e.h.Ops[i].Key], &e.h.Ops[i])) + "\n"
	}
	return s
}

func (e *exact) one(in int) bool { return e.rng.IntN(in) == 0 }

// draw makes a history of up to seven operations on up to three keys.
func (e *exact) draw() {
	e.h.Keys = []string{"a", "b", "c"}[:1+max(0, e.rng.IntN(5)-2)]
	e.h.Ops, e.h.Taints = e.h.Ops[:0], e.h.Taints[:0]
	e.open, e.shown, e.at, e.seq = e.open[:0], e.shown[:0], 0, 0
	e.h.Header = model.Header{LaneRecorded: !e.one(3)}
	if e.one(3) {
		e.h.Header.DriftPPM = 500_000
		e.seen["drift"]++
	}
	if e.one(6) {
		e.h.Header.UncertaintyNanos = oracleUnit * int64(1+e.rng.IntN(2))
		e.seen["uncertain"]++
	}
	for want := 2 + e.rng.IntN(6); len(e.h.Ops) < want; {
		switch {
		case len(e.open) > 0 && e.rng.IntN(5) < 2:
			e.settle()
		case len(e.shown) > 0 && e.rng.IntN(5) < 3:
			e.release()
		default:
			e.acquire()
		}
	}
	for len(e.open) > 0 {
		e.settle()
	}
	e.number()
	e.count()
}

func (e *exact) stamp() model.Stamp {
	e.seq++
	e.at += int64(max(0, e.rng.IntN(4)-1)) * oracleUnit
	return model.Stamp{Seq: e.seq, At: e.at}
}

func (e *exact) acquire() {
	op := model.Op{Kind: model.Acquire, Key: int32(e.rng.IntN(len(e.h.Keys))), Call: e.stamp()}
	switch e.rng.IntN(20) {
	case 0:
		op.Outcome = model.TimedOut
	case 1:
		op.Outcome = model.Busy
	case 2:
		op.Outcome = model.NotSent
	case 3, 4:
		op.Outcome = model.Indeterminate
	case 5, 6:
		op.Outcome, op.Token = model.Indeterminate, 1
	default:
		op.Outcome, op.Token = model.Granted, 1
	}
	if op.Token != 0 {
		op.Lease = uint32(1 + e.rng.IntN(4))
	}
	e.open = append(e.open, len(e.h.Ops))
	e.h.Ops = append(e.h.Ops, op)
}

// release names a grant by its index until tokens are known.
func (e *exact) release() {
	g := e.shown[e.rng.IntN(len(e.shown))]
	op := model.Op{Kind: model.Release, Key: e.h.Ops[g].Key, Token: uint64(g), Call: e.stamp(), Tries: 1}
	op.Lane = e.h.Ops[g].Outcome == model.Indeterminate && e.h.Header.LaneRecorded
	switch e.rng.IntN(12) {
	case 0, 1, 2, 3, 4:
		op.Outcome = model.Released
	case 5, 6, 7:
		op.Outcome = model.NotFound
	case 8:
		op.Outcome, op.Tries = model.NotFound, 2
	case 9, 10:
		op.Outcome = model.Indeterminate
	default:
		op.Outcome, op.Tries = model.NotSent, 0
	}
	if op.Outcome == model.Released && e.one(4) {
		op.Tries = 3
	}
	e.open = append(e.open, len(e.h.Ops))
	e.h.Ops = append(e.h.Ops, op)
}

func (e *exact) settle() {
	i := e.rng.IntN(len(e.open))
	g := e.open[i]
	e.open[i] = e.open[len(e.open)-1]
	e.open = e.open[:len(e.open)-1]
	op := &e.h.Ops[g]
	op.Return = e.stamp()
	if op.Kind == model.Acquire && op.Token != 0 {
		e.shown = append(e.shown, g)
	}
}

// number gives grants their tokens: mostly in the order of their returns or calls, sometimes in none.
func (e *exact) number() {
	order := e.shown // of returns
	if e.one(4) {
		for i := range order {
			for j := i; j > 0 && order[j] < order[j-1]; j-- {
				order[j], order[j-1] = order[j-1], order[j]
			}
		}
	}
	if len(order) > 1 && e.one(4) {
		i := e.rng.IntN(len(order) - 1)
		order[i], order[i+1] = order[i+1], order[i]
	}
	for i, g := range order {
		e.h.Ops[g].Token = uint64(2*i + 2)
	}
	if len(order) > 1 && e.one(12) {
		e.h.Ops[order[1]].Token = e.h.Ops[order[0]].Token
	}
	for i := range e.h.Ops {
		if op := &e.h.Ops[i]; op.Kind == model.Release {
			op.Token = e.h.Ops[op.Token].Token
		}
	}
	if len(order) > 0 && e.one(12) {
		g := e.h.Ops[order[e.rng.IntN(len(order))]]
		e.h.Taints = append(e.h.Taints, model.Taint{Token: g.Token, Key: g.Key})
	}
	e.valid()
}

// valid moves a release away that was called between the returns of two grants of one token.
func (e *exact) valid() {
	if e.h.Validate() == nil {
		return
	}
	for i := range e.h.Ops {
		if op := &e.h.Ops[i]; op.Kind == model.Release {
			*op = model.Op{Kind: model.Acquire, Key: op.Key, Call: op.Call, Return: op.Return, Outcome: model.Busy}
		}
	}
}

// count notes what the history has.
func (e *exact) count() {
	releases, unknown := map[uint64]int{}, map[uint64]int{}
	for i := range e.h.Ops {
		op := &e.h.Ops[i]
		e.seen[op.Outcome.String()]++
		switch {
		case op.Kind == model.Acquire && op.Outcome == model.Indeterminate && op.Token != 0:
			e.seen["late"]++
			if !e.h.Header.LaneRecorded {
				e.seen["lane-unrecorded"]++
			}
		case op.Kind == model.Release && op.Outcome == model.Indeterminate:
			unknown[op.Token]++
		case op.Outcome == model.NotFound && op.Tries > 1:
			e.seen["resent-n"]++
		}
		if op.Lane {
			e.seen["lane"]++
		}
		if op.Kind == model.Release {
			releases[op.Token]++
		}
	}
	for token, n := range releases {
		if n > 1 {
			e.seen["two-releases"]++
		}
		if unknown[token] > 1 {
			e.seen["two-unknown"]++
		}
	}
	if len(e.h.Taints) > 0 {
		e.seen["taint"]++
	}
}
