package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/seeds/mutants"
)

// TestShortBounds: half of all planted bugs have to shrink well, whatever each of them does; of a few there is no half.
func TestShortBounds(t *testing.T) {
	print := func(only string, events ...int64) (exit, string) {
		var all []*mutants.Mutant
		var results []chan trial
		for _, n := range events {
			all = append(all, &mutants.Mutant{ID: "some"})
			results = append(results, make(chan trial, 1))
			results[len(results)-1] <- trial{short: shortened{events: n, property: "match", cpu: time.Second}}
		}
		var out bytes.Buffer
		code, err := (&mutantsCmd{Only: only}).printShort(&out, all, results)
		require.NoError(t, err)
		return code, out.String()
	}
	code, text := print("*", 20, 60, 3)
	require.Equal(t, exitOK, code)
	require.Contains(t, text, "3 failures shrink to 20 events in half of the cases (20 may be), 60 at most (60 may be), in 1.0 s")
	code, _ = print("*", 21, 60, 3)
	require.Equal(t, exitViolation, code)
	code, _ = print("s*", 21, 60, 3)
	require.Equal(t, exitOK, code)
}

func TestShortIsLong(t *testing.T) {
	require.False(t, (&shortened{events: 60, cpu: 30 * time.Second}).long())
	require.True(t, (&shortened{events: 61}).long())
	require.True(t, (&shortened{cpu: 30*time.Second + 1}).long())
}

func TestLastRun(t *testing.T) {
	w, err := lastRun([]byte(`{"type":"story","text":"a"}` + "\n" + `{"type":"run","events":7,"property":"match"}` + "\n"))
	require.NoError(t, err)
	require.EqualValues(t, 7, w.Events)
	_, err = lastRun([]byte(`{"type":"story"}`))
	require.ErrorContains(t, err, "no result")
	_, err = lastRun([]byte(`{"type":`))
	require.ErrorContains(t, err, "in other words")
	_, err = lastRun(nil)
	require.Error(t, err)
}
