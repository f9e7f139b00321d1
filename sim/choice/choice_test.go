package choice_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
)

// A world asks. Each question has a label, which says what it is about and how often a random source is to
// disturb, and a number of answers. 0 is always the calm one.
var (
	labelLoss  = choice.Label{Stream: choice.Network, Name: "post.loss", Odds: choice.OddsOne / 4}
	labelRoute = choice.Label{Stream: choice.Network, Name: "post.route"}
)

// post is the world of this tutorial: a letter takes one of three routes, and on the third it may be lost.
func post(src choice.Source) string {
	route := src.Choose(labelRoute, 3)
	if route == 2 && src.Choose(labelLoss, 2) == 1 {
		return "lost"
	}
	return [3]string{"road", "rail", "sea"}[route]
}

// TestTutorial runs one world by every kind of source.
func TestTutorial(t *testing.T) {
	// A seed is a random run that can be had again.
	var seeded choice.Seeded
	seeded.Reset(7)
	first := post(&seeded)
	seeded.Reset(7)
	require.Equal(t, first, post(&seeded))

	// A recorder keeps what a run was told.
	var odometer choice.Odometer
	var recorder choice.Recorder
	var story []choice.Pick
	var all []string
	// The odometer visits every run there is.
	for odometer.Next() {
		recorder.Reset(&odometer)
		all = append(all, post(&recorder))
		if all[len(all)-1] == "lost" {
			story = slices.Clone(recorder.Picks)
		}
	}
	require.Equal(t, []string{"road", "rail", "sea", "lost"}, all)

	// A record is text, for people to read and keep,
	text := choice.AppendText(nil, story)
	require.Equal(t, "post.route 2/3\npost.loss 1/2\n", string(text))
	picks, err := choice.ParseText(text)
	require.NoError(t, err)

	// and a run to replay. One that no longer asks what was recorded says where.
	var replay choice.Replay
	replay.Reset(picks)
	require.Equal(t, "lost", post(&replay))
	require.Nil(t, replay.Divergence())
	replay.Reset(picks[1:])
	require.Equal(t, "road", post(&replay))
	require.EqualError(t, replay.Divergence(), "choice: pick 0: the run asks post.route of 3, and the record has post.loss of 2")

	// Bytes are a run as well, so that a fuzzer can make worlds.
	var bytes choice.Bytes
	bytes.Reset([]byte{2, 1})
	require.Equal(t, "lost", post(&bytes))
}

// TestOneAnswerIsNoChoice holds for every source: nothing is consumed and nothing is recorded.
func TestOneAnswerIsNoChoice(t *testing.T) {
	var seeded choice.Seeded
	seeded.Reset(1)
	before := seeded
	recorder := choice.Recorder{Source: &seeded}
	require.Zero(t, recorder.Choose(labelRoute, 1))
	require.Empty(t, recorder.Picks)
	require.Equal(t, before, seeded)

	var replay choice.Replay
	require.Zero(t, replay.Choose(labelRoute, 1))
	require.Nil(t, replay.Divergence())

	var bytes choice.Bytes
	bytes.Reset([]byte{1})
	require.Zero(t, bytes.Choose(labelRoute, 1))
	require.Equal(t, 1, bytes.Choose(labelRoute, 2))

	var odometer choice.Odometer
	require.True(t, odometer.Next())
	require.Zero(t, odometer.Choose(labelRoute, 1))
	require.False(t, odometer.Next())
}

func TestNoAnswerPanics(t *testing.T) {
	for _, src := range []choice.Source{
		&choice.Seeded{}, &choice.Replay{}, &choice.Bytes{}, &choice.Odometer{}, &choice.Recorder{Source: &choice.Seeded{}},
	} {
		require.Panics(t, func() { src.Choose(labelRoute, 0) })
	}
}
