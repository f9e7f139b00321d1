package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

const day = 24 * 3600 * clock.Second

func TestLocalShowsWorldTime(t *testing.T) {
	var l clock.Local
	require.Equal(t, 5*clock.Second, l.Local(5*clock.Second))
	require.Equal(t, 5*clock.Second, l.World(5*clock.Second))
}

func TestLocalDrifts(t *testing.T) {
	fast := clock.NewLocal(clock.Second, 200)
	require.Equal(t, clock.Second, fast.Local(0))
	require.Equal(t, clock.Second+day+200*(day/1_000_000), fast.Local(day))
	slow := clock.NewLocal(0, -clock.MaxPPM)
	require.Equal(t, 500*day, slow.Local(1000*day))
}

func TestWorldIsTheExactInverse(t *testing.T) {
	var g choice.Generator
	g.Reset(1)
	for range 100_000 {
		ppm := int64(g.Uint64()%(2*clock.MaxPPM+1)) - clock.MaxPPM
		l := clock.NewLocal(clock.Time(g.Uint64()%uint64(day))-day/2, ppm)
		now := clock.Time(g.Uint64() >> (8 + g.Uint64()%50))
		if now > clock.MaxLocal/4 {
			continue
		}
		l.Jump(now, clock.Time(g.Uint64()%uint64(day))-day/2)
		local := l.Local(now) + 1 + clock.Time(g.Uint64()>>(8+g.Uint64()%55))
		if local > clock.MaxLocal/2 {
			continue
		}
		world := l.World(local)
		require.GreaterOrEqual(t, l.Local(world), local)
		require.Less(t, l.Local(world-1), local)
	}
}

func TestWorldOfThePastIsTheLastJump(t *testing.T) {
	l := clock.NewLocal(0, 0)
	l.Jump(10, -4)
	require.Equal(t, clock.Time(6), l.Local(10))
	require.Equal(t, clock.Time(10), l.World(6))
	require.Equal(t, clock.Time(10), l.World(-100))
	require.Equal(t, clock.Time(11), l.World(7))
}

func TestWorldOfNeverIsNever(t *testing.T) {
	l := clock.NewLocal(day, -clock.MaxPPM)
	require.Equal(t, clock.Never, l.World(clock.Never))
	require.Equal(t, clock.Never, l.World(clock.MaxLocal+1))
	require.Less(t, l.World(clock.MaxLocal), clock.Never)
}

func TestLocalPanicsOutOfBounds(t *testing.T) {
	require.Panics(t, func() { clock.NewLocal(0, clock.MaxPPM+1) })
	require.Panics(t, func() { clock.NewLocal(0, -clock.MaxPPM-1) })
	require.Panics(t, func() { clock.NewLocal(clock.MaxLocal+1, 0) })
	l := clock.NewLocal(0, 0)
	l.Jump(10, 0)
	require.Panics(t, func() { l.Local(9) })
	require.Panics(t, func() { l.Local(clock.MaxLocal + 1) })
}

func TestLocalsOfEqualStateAdvanceAlike(t *testing.T) {
	a, b := clock.NewLocal(7, 123), clock.NewLocal(-day, 123)
	nowA, nowB := 3*clock.Second+17, clock.Time(17) // 3 s are whole millions, so the phase is equal
	require.Equal(t, a.AppendState(nowA, nil), b.AppendState(nowB, nil))
	require.NotEqual(t, a.AppendState(nowA, nil), b.AppendState(nowB+1, nil))
	for d := clock.Time(0); d < 20_000; d += 7 {
		require.Equal(t, a.Local(nowA+d)-a.Local(nowA), b.Local(nowB+d)-b.Local(nowB))
	}
}
