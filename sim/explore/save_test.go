package explore_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/explore"
)

// TestResumedSearchEndsAlike stops searches again and again, saves them and goes on in a search of its own: the report at the
// end must be that of a search without a stop.
func TestResumedSearchEndsAlike(t *testing.T) {
	for _, c := range []struct {
		scope string
		depth int
		every int
	}{{"replies", 0, 1500}, {"redirect", 0, 1499}, {"leader-change", 0, 501}, {"redirect", 18, 1000}} {
		t.Run(c.scope, func(t *testing.T) {
			p := scope(t, c.scope)
			if p.Clients > 1 {
				p.Chaos.Budget = 0
			}
			o := options()
			o.DepthMax, o.Build = c.depth, 77
			want := explore.Run(worlds(nil), p, o)
			require.Nil(t, want.Violation)

			o.StatesMax = 1
			s := explore.New(worlds(nil), p, o)
			stops := 0
			for {
				got := s.Run()
				if got.Limit != explore.LimitStates {
					require.Nil(t, s.Save())
					require.Equal(t, want, got)
					break
				}
				require.Equal(t, uint64(o.StatesMax+1), got.States)
				saved := s.Save()
				require.Equal(t, saved, s.Save())
				o.StatesMax += c.every
				var err error
				s, err = explore.Resume(saved, worlds(nil), p, o)
				require.NoError(t, err)
				stops++
			}
			require.Greater(t, stops, 3)
		})
	}
}

// TestResumeAfterStop stops between two ways of one state, now and then, and goes on.
func TestResumeAfterStop(t *testing.T) {
	p := scope(t, "redirect")
	want := explore.Run(worlds(nil), p, options())
	o := options()
	o.Stop = func() bool { return true }
	s := explore.New(worlds(nil), p, o)
	require.Equal(t, explore.LimitStop, s.Run().Limit)
	asked := 0
	o.Stop = func() bool { asked++; return asked == 3 }
	s, err := explore.Resume(s.Save(), worlds(nil), p, o)
	require.NoError(t, err)
	require.Equal(t, explore.LimitStop, s.Run().Limit)
	s, err = explore.Resume(s.Save(), worlds(nil), p, options())
	require.NoError(t, err)
	require.Equal(t, want, s.Run())
}

// TestResumeFindsViolation goes on to a violation that lies behind the stop.
func TestResumeFindsViolation(t *testing.T) {
	newWorld := worlds(spoilers["busy for timed out"].spoil)
	p := whole(t, "redirect")
	want := explore.Run(newWorld, p, options())
	require.NotNil(t, want.Violation)
	o := options()
	o.StatesMax = 3
	s := explore.New(newWorld, p, o)
	require.Nil(t, s.Run().Violation)
	s, err := explore.Resume(s.Save(), newWorld, p, options())
	require.NoError(t, err)
	require.Equal(t, want, s.Run())
}

func TestNothingToSave(t *testing.T) {
	p := scope(t, "replies")
	o := options()
	o.DepthMax = 5
	s := explore.New(worlds(nil), p, o)
	require.Equal(t, explore.LimitDepth, s.Run().Limit)
	require.Nil(t, s.Save())
	s = explore.New(worlds(spoilers["busy for timed out"].spoil), p, options())
	require.NotNil(t, s.Run().Violation)
	require.Nil(t, s.Save())
}

// TestResumeRefuses tries all that is not what it should be: damaged, cut off, or of something else.
func TestResumeRefuses(t *testing.T) {
	p := scope(t, "replies")
	o := options()
	o.StatesMax, o.Build = 300, 77
	s := explore.New(worlds(nil), p, o)
	s.Run()
	saved := s.Save()
	resume := func(saved []byte) error {
		_, err := explore.Resume(saved, worlds(nil), p, o)
		return err
	}
	require.NoError(t, resume(saved))
	for size := range saved {
		require.ErrorIs(t, resume(saved[:size]), explore.ErrDamaged)
	}
	for at := 0; at < len(saved); at += 3 {
		bad := append([]byte(nil), saved...)
		bad[at] ^= 0x10
		require.ErrorIs(t, resume(bad), explore.ErrDamaged)
	}
	require.ErrorIs(t, resume(append(saved[:len(saved):len(saved)], 0)), explore.ErrDamaged)

	for name, change := range map[string]func(){
		"build":      func() { o.Build = 78 },
		"depth":      func() { o.DepthMax = 9 },
		"reduction":  func() { o.Sleepless = true },
		"reductions": func() { o.Unreduced = true },
		"scope":      func() { p = scope(t, "redirect") },
	} {
		keptOptions, keptParams := o, p
		change()
		err := resume(saved)
		require.ErrorIs(t, err, explore.ErrOther, name)
		require.False(t, errors.Is(err, explore.ErrDamaged))
		o, p = keptOptions, keptParams
	}
	// The same build in name, and another world.
	p.Callers = 1
	require.ErrorIs(t, resume(saved), explore.ErrOther)
}
