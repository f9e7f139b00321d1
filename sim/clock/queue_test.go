package clock_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// calm answers 0.
type calm struct{}

func (calm) Choose(choice.Label, int) int { return 0 }

func TestTakeIsCalmByDefault(t *testing.T) {
	var q clock.Queue
	q.Reset(70)
	q.Set(69, 30, 40)
	q.Set(3, 10, 50)
	q.Set(2, 10, 20)
	for _, want := range []struct {
		id int
		at clock.Time
	}{{2, 10}, {3, 10}, {69, 30}} {
		id, ok := q.Take(calm{})
		require.True(t, ok)
		require.Equal(t, want.id, id)
		require.Equal(t, want.at, q.Now())
		require.False(t, q.Armed(id))
	}
	_, ok := q.Take(calm{})
	require.False(t, ok)
}

func TestClearedSlotIsNeverTaken(t *testing.T) {
	var q clock.Queue
	q.Reset(2)
	q.Set(0, 1, 1)
	q.Set(1, 2, 2)
	q.Clear(0)
	id, ok := q.Take(calm{})
	require.True(t, ok)
	require.Equal(t, 1, id)
	require.Equal(t, clock.Time(2), q.Now())
}

func TestThePastCountsAsNow(t *testing.T) {
	var q clock.Queue
	q.Reset(3)
	q.Set(0, 100, 100)
	q.Take(calm{})
	q.Set(2, 0, 5)
	q.Set(1, 50, 200)
	for _, id := range []int{1, 2} {
		lo, hi := q.Window(id)
		require.Equal(t, clock.Time(100), lo)
		require.GreaterOrEqual(t, hi, lo)
	}
	id, _ := q.Take(calm{})
	require.Equal(t, 1, id, "both are due: the lower number is the calm one")
}

// TestEveryOrderIsReachable visits all answers, and compares with all orders that the windows allow.
func TestEveryOrderIsReachable(t *testing.T) {
	windows := [][2]clock.Time{{0, 5}, {5, 9}, {3, 3}, {6, 8}, {0, 9}}
	got := map[string]bool{}
	var o choice.Odometer
	for o.Next() {
		var q clock.Queue
		q.Reset(len(windows))
		q.SetSteps(2)
		for id, w := range windows {
			q.Set(id, w[0], w[1])
		}
		got[order(t, &q, &o, windows)] = true
	}
	want := map[string]bool{}
	allOrders(windows, nil, 0, want)
	require.Equal(t, want, got)
}

func order(t *testing.T, q *clock.Queue, src choice.Source, windows [][2]clock.Time) string {
	var ids []int
	last := clock.Time(0)
	for {
		id, ok := q.Take(src)
		if !ok {
			return fmt.Sprint(ids)
		}
		require.GreaterOrEqual(t, q.Now(), max(last, windows[id][0]))
		require.LessOrEqual(t, q.Now(), windows[id][1])
		last = q.Now()
		ids = append(ids, id)
	}
}

func allOrders(windows [][2]clock.Time, done []int, now clock.Time, out map[string]bool) {
	if len(done) == len(windows) {
		out[fmt.Sprint(done)] = true
		return
	}
	for id, w := range windows {
		if !slices.Contains(done, id) && now <= w[1] {
			allOrders(windows, append(slices.Clip(done), id), max(now, w[0]), out)
		}
	}
}

func TestInstantsSpreadOverTheWindow(t *testing.T) {
	for _, c := range []struct {
		lo, hi clock.Time
		steps  int
		want   []clock.Time
	}{
		{10, 10, 8, []clock.Time{10}},
		{10, 90, 1, []clock.Time{10}},
		{10, 90, 3, []clock.Time{10, 50, 90}},
		{10, 12, 8, []clock.Time{10, 11, 12}},
		{0, 8, 8, []clock.Time{0, 1, 2, 3, 4, 5, 6, 8}},
	} {
		var got []clock.Time
		var o choice.Odometer
		for o.Next() {
			var q clock.Queue
			q.Reset(1)
			q.SetSteps(c.steps)
			q.Set(0, c.lo, c.hi)
			q.Take(&o)
			got = append(got, q.Now())
		}
		require.Equal(t, c.want, got)
	}
}

func TestAdvance(t *testing.T) {
	var q clock.Queue
	q.Reset(1)
	q.Advance(7)
	q.Set(0, 8, 10)
	q.Advance(10)
	require.Panics(t, func() { q.Advance(11) })
	require.Panics(t, func() { q.Advance(9) })
	require.Equal(t, clock.Time(10), q.Now())
}

func TestQueuePanicsOnMisuse(t *testing.T) {
	var q clock.Queue
	require.Panics(t, func() { q.Reset(-1) })
	require.Panics(t, func() { q.Reset(clock.MaxSlots + 1) })
	q.Reset(clock.MaxSlots)
	require.Panics(t, func() { q.Set(0, 2, 1) })
	require.Panics(t, func() { q.Set(0, 0, clock.Never) })
	require.Panics(t, func() { q.Set(clock.MaxSlots, 0, 1) })
	require.Panics(t, func() { q.Window(0) })
	require.Panics(t, func() { q.SetSteps(0) })
}

// wander arms, clears and takes at random, and returns the answers that Take gave.
func wander(q *clock.Queue, src *choice.Seeded, slots, steps int) (log []clock.Time) {
	label := choice.Label{Stream: choice.Scenario, Name: "test.wander"}
	pick := func(n int) clock.Time { return clock.Time(src.Choose(label, n)) }
	for range steps {
		id := int(pick(slots))
		if pick(8) == 0 {
			q.Clear(id)
		} else {
			lo := q.Now() + pick(1000)
			q.Set(id, lo, lo+pick(1000))
		}
		began := q.Now()
		if taken, ok := q.Take(src); ok && pick(2) == 0 {
			log = append(log, clock.Time(taken), q.Now()-began)
		}
	}
	return log
}

func TestCloneRunsAlike(t *testing.T) {
	for seed := range uint64(50) {
		var q, twin clock.Queue
		var src choice.Seeded
		src.Reset(seed)
		q.Reset(100)
		wander(&q, &src, 100, 200)
		twin.Reset(5)
		twin.CopyFrom(&q)
		again := src
		require.Equal(t, q.AppendState(nil), twin.AppendState(nil))
		require.Equal(t, wander(&q, &src, 100, 200), wander(&twin, &again, 100, 200))
	}
}

// TestEqualStatesBehaveAlike takes a queue to the same state at another instant and with another past.
func TestEqualStatesBehaveAlike(t *testing.T) {
	for seed := range uint64(50) {
		var q, other clock.Queue
		var src, past choice.Seeded
		src.Reset(seed)
		past.Reset(seed + 1000)
		q.Reset(100)
		wander(&q, &src, 100, 200)
		other.Reset(100)
		wander(&other, &past, 100, 100)
		for id := range 100 {
			other.Clear(id)
			if q.Armed(id) {
				lo, hi := q.Window(id)
				other.Set(id, lo-q.Now()+other.Now(), hi-q.Now()+other.Now())
			}
		}
		again := src
		require.Equal(t, q.AppendState(nil), other.AppendState(nil))
		require.Equal(t, wander(&q, &src, 100, 200), wander(&other, &again, 100, 200))
	}
}

func TestQueueDoesNotAllocate(t *testing.T) {
	var q, twin clock.Queue
	var src choice.Seeded
	src.Reset(1)
	q.Reset(128)
	twin.Reset(128)
	state := make([]byte, 0, 4096)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		q.Set(int(q.Now()%128), q.Now(), q.Now()+1000)
		q.Set(int(q.Now()%127), q.Now()+10, q.Now()+90)
		q.Take(&src)
		twin.CopyFrom(&q)
		state = q.AppendState(state[:0])
	}))
}

func BenchmarkTakeSet(b *testing.B) {
	for _, slots := range []int{16, 64, 128} {
		for _, armed := range []int{4, 10, 20, 40} {
			if armed > slots {
				continue
			}
			b.Run(fmt.Sprintf("slots=%d/armed=%d", slots, armed), func(b *testing.B) {
				var q clock.Queue
				var src choice.Seeded
				src.Reset(1)
				q.Reset(slots)
				for i := range armed {
					q.Set(i*slots/armed, clock.Time(i)*100, clock.Time(i)*100+500)
				}
				b.ReportAllocs()
				for b.Loop() {
					id, _ := q.Take(&src)
					at := q.Now() + clock.Time(armed*100)
					q.Set(id, at, at+500)
				}
			})
		}
	}
}

func BenchmarkCopyFrom(b *testing.B) {
	var q, twin clock.Queue
	q.Reset(128)
	twin.Reset(128)
	for b.Loop() {
		twin.CopyFrom(&q)
	}
}

// last is a Ranker that takes the slot of the highest number.
type last struct{ choice.Bytes }

func (*last) Rank(_ choice.Label, slots []int) int { return slices.Index(slots, slices.Max(slots)) }

// TestRankersAreToldTheSlots: what is chosen of the slots is what is taken, wherever the calm one stands among them.
func TestRankersAreToldTheSlots(t *testing.T) {
	var q clock.Queue
	q.Reset(200)
	for _, id := range []int{3, 64, 70, 130, 199} {
		q.Set(id, clock.Time(200-id), 1000)
	}
	for _, want := range []int{199, 130, 70, 64, 3} {
		id, ok := q.Take(&last{})
		require.True(t, ok)
		require.Equal(t, want, id)
	}
}
