package clock

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
)

// answer answers the first question, and all others 0.
type answer struct{ first, asked, of int }

func (a *answer) Choose(_ choice.Label, n int) int {
	if a.asked++; a.asked > 1 {
		return 0
	}
	a.of = n
	return a.first
}

// TestEnabledIsWhatTakePicks compares the two on queues of all kinds of windows, answer by answer.
func TestEnabledIsWhatTakePicks(t *testing.T) {
	var src choice.Seeded
	label := choice.Label{Name: "test.window"}
	several := 0
	for seed := range uint64(500) {
		src.Reset(seed)
		var q Queue
		q.Reset(130)
		q.SetSteps(1)
		for range src.Choose(label, 6) {
			from := Time(src.Choose(label, 4))
			q.Set(src.Choose(label, 130), from, from+Time(src.Choose(label, 3)))
		}
		enabled := q.Enabled([]int{7})
		require.Equal(t, 7, enabled[0])
		enabled = enabled[1:]
		for i, want := range enabled {
			clone := Queue{}
			clone.CopyFrom(&q)
			a := answer{first: i}
			got, ok := clone.Take(&a)
			require.True(t, ok)
			require.Equal(t, want, got)
			if len(enabled) > 1 {
				require.Equal(t, len(enabled), a.of)
				several++
			}
		}
		if len(enabled) == 0 {
			_, ok := q.Take(&src)
			require.False(t, ok)
		}
	}
	require.Greater(t, several, 300)
}
