package choice_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
)

func TestReplaySaysWhereItDiverged(t *testing.T) {
	picks := []choice.Pick{{"post.route", 3, 2}, {"post.loss", 2, 1}}
	for _, c := range []struct {
		name string
		ask  func(r *choice.Replay)
		want string
	}{
		{"other name", func(r *choice.Replay) { r.Choose(labelRoute, 2) },
			"choice: pick 1: the run asks post.route of 2, and the record has post.loss of 2"},
		{"other number", func(r *choice.Replay) { r.Choose(labelLoss, 3) },
			"choice: pick 1: the run asks post.loss of 3, and the record has post.loss of 2"},
		{"exhausted", func(r *choice.Replay) { r.Choose(labelLoss, 2); r.Choose(labelLoss, 2) },
			"choice: pick 2: the run asks post.loss of 2, and the record ends"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r choice.Replay
			r.Reset(picks)
			require.Equal(t, 2, r.Choose(labelRoute, 3))
			require.Nil(t, r.Divergence())
			c.ask(&r)
			require.EqualError(t, r.Divergence(), c.want)
			first := *r.Divergence()
			r.Choose(labelLoss, 2)
			require.Equal(t, first, *r.Divergence(), "the first divergence is kept")
		})
	}
}

func TestReplayCountsWhatIsLeft(t *testing.T) {
	var r choice.Replay
	r.Reset([]choice.Pick{{"post.route", 3, 2}, {"post.loss", 2, 1}})
	r.Choose(labelRoute, 3)
	require.Equal(t, 1, r.Left())
}

func TestReplayAnswersTheScenarioByName(t *testing.T) {
	ask := func(r *choice.Replay, name string, n int) int {
		return r.Choose(choice.Label{Stream: choice.Scenario, Name: name}, n)
	}
	picks := []choice.Pick{{"scenario.sea", 4, 3}, {"scenario.wind", 2, 1}, {"post.route", 3, 2}}
	var r choice.Replay
	r.Reset(picks)
	require.Equal(t, 1, ask(&r, "scenario.wind", 2))
	require.Zero(t, ask(&r, "scenario.fog", 5), "a question that is new is calm")
	require.Equal(t, 3, ask(&r, "scenario.sea", 4))
	require.Equal(t, 1, r.Left())
	require.Equal(t, 2, r.Choose(labelRoute, 3))
	require.Zero(t, r.Left())
	require.Nil(t, r.Divergence())

	r.Reset(picks)
	ask(&r, "scenario.wind", 2)
	r.Choose(labelRoute, 3)
	require.Equal(t, 1, r.Left(), "the sea was rough, and nobody asked")
	require.Equal(t, 2, ask(&r, "scenario.sea", 3), "another number of answers is another question")
	require.ErrorContains(t, r.Divergence(), "scenario.sea")
}

// TestReplayFollows: after the first divergence a record is followed by the names of its questions.
func TestReplayFollows(t *testing.T) {
	var r choice.Replay
	r.Reset([]choice.Pick{{"post.route", 3, 2}, {"post.loss", 2, 1}, {"post.route", 3, 1}, {"post.route", 9, 8}})
	require.Equal(t, 1, r.Choose(labelLoss, 2), "the route that nobody asks for is skipped")
	require.Zero(t, r.Choose(labelLoss, 2), "a question that is new is calm, and skips nothing")
	require.Equal(t, 1, r.Choose(labelRoute, 3))
	require.Equal(t, 4, r.Choose(labelRoute, 5), "the last answer in range")
	require.Zero(t, r.Choose(labelRoute, 3))
	require.EqualError(t, r.Divergence(), "choice: pick 0: the run asks post.loss of 2, and the record has post.route of 3")

	far := make([]choice.Pick, 30)
	for i := range far {
		far[i] = choice.Pick{"post.loss", 2, 1}
	}
	r.Reset(append(far, choice.Pick{"post.route", 3, 2}))
	require.Nil(t, r.Divergence())
	require.Zero(t, r.Choose(labelRoute, 3), "what is far away belongs to something else")
	require.Equal(t, 1, r.Choose(labelLoss, 2))
}

func TestBytesAreAnswers(t *testing.T) {
	var b choice.Bytes
	b.Reset([]byte{1, 2, 7, 1})
	require.Equal(t, 0x102%1000, b.Choose(labelRoute, 1000), "two bytes for more than 256 answers")
	require.Equal(t, 7%5, b.Choose(labelRoute, 5))
	require.Equal(t, 1, b.Choose(labelRoute, 1<<20), "what is there")
	require.Zero(t, b.Choose(labelRoute, 5))
	b.Reset([]byte{255, 255})
	require.Equal(t, 255, b.Choose(labelRoute, 256))
	require.Equal(t, 255, b.Choose(labelRoute, 256))
}

func TestOdometerVisitsAll(t *testing.T) {
	var o choice.Odometer
	var got []string
	for range 2 { // it can be used again
		got = nil
		for o.Next() {
			a := o.Choose(labelRoute, 2)
			if a == 0 {
				o.Choose(labelRoute, 3)
			}
			got = append(got, string(choice.AppendText(nil, o.Picks())))
		}
	}
	require.Equal(t, []string{
		"post.route 0/2\npost.route 0/3\n", "post.route 0/2\npost.route 1/3\n", "post.route 0/2\npost.route 2/3\n", "post.route 1/2\n",
	}, got)
}

func TestOdometerRefusesFickleCode(t *testing.T) {
	var o choice.Odometer
	o.Next()
	o.Choose(labelRoute, 2)
	o.Next()
	require.PanicsWithValue(t, "choice: question 0 was post.route of 2, and is post.loss of 2 after the same answers",
		func() { o.Choose(labelLoss, 2) })
	require.Panics(t, func() {
		var endless choice.Odometer
		endless.Next()
		for {
			endless.Choose(labelLoss, 2)
		}
	})
}

func TestTextRoundTrip(t *testing.T) {
	var s choice.Seeded
	s.Reset(5)
	r := choice.Recorder{Source: &s}
	for range 3000 {
		r.Choose(labelRoute, 2+s.Choose(choice.Label{}, 2))
		r.Choose(labelLoss, 2)
		if s.Choose(choice.Label{}, 4) == 0 {
			r.Choose(choice.Label{Name: strings.Repeat("n", choice.MaxName)}, choice.MaxN)
		}
	}
	text := choice.AppendText(nil, r.Picks)
	picks, err := choice.ParseText(text)
	require.NoError(t, err)
	require.Equal(t, r.Picks, picks)
}

func TestTextSkipsComments(t *testing.T) {
	picks, err := choice.ParseText([]byte("# the letter is lost\n\npost.route 2/3\npost.loss 1/2 x3"))
	require.NoError(t, err)
	loss := choice.Pick{Name: "post.loss", N: 2, Answer: 1}
	require.Equal(t, []choice.Pick{{"post.route", 3, 2}, loss, loss, loss}, picks)
	require.Equal(t, "post.route 2/3\npost.loss 1/2 x3\n", string(choice.AppendText(nil, picks)))
}

func TestTextErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"a 0/2\nb":                       `choice: line 2: not "name answer/n" or "name answer/n xcount"`,
		"b 0":                            `choice: line 1: not "name answer/n" or "name answer/n xcount"`,
		"b 0/2 ":                         `choice: line 1: not "name answer/n" or "name answer/n xcount"`,
		"b  0/2":                         `choice: line 1: not "name answer/n" or "name answer/n xcount"`,
		"b 00/2":                         `choice: line 1: not "name answer/n" or "name answer/n xcount"`,
		"b -1/2":                         `choice: line 1: not "name answer/n" or "name answer/n xcount"`,
		"b 0/2 x1":                       `choice: line 1: not "name answer/n" or "name answer/n xcount"`,
		"b 0/2 x":                        `choice: line 1: not "name answer/n" or "name answer/n xcount"`,
		"b 0/2 2":                        `choice: line 1: not "name answer/n" or "name answer/n xcount"`,
		"b 0/99999999999":                `choice: line 1: not "name answer/n" or "name answer/n xcount"`,
		"b 0/2\r":                        `choice: line 1: not "name answer/n" or "name answer/n xcount"`,
		"b 2/2":                          "choice: line 1: answer 2 of 2",
		"b 0/1":                          "choice: line 1: answer 0 of 1",
		" 0/2":                           "choice: line 1: a name of 0 bytes",
		"B 0/2":                          `choice: line 1: name "B"`,
		strings.Repeat("b", 65) + " 0/2": "choice: line 1: a name of 65 bytes",
		"b 0/2 x1048577":                 "choice: line 1: more than 1048576 picks",
		"b 0/2 x1048576\n\n#\nb 1/2":     "choice: line 4: more than 1048576 picks",
	} {
		_, err := choice.ParseText([]byte(text))
		require.EqualError(t, err, want, text)
	}
	require.Panics(t, func() { choice.AppendText(nil, []choice.Pick{{"no name", 2, 0}}) })
}

func FuzzText(f *testing.F) {
	f.Add([]byte("post.route 2/3\npost.loss 1/2 x3\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1000 {
			return
		}
		picks, err := choice.ParseText(text)
		if err != nil || len(picks) > 10_000 {
			return
		}
		again, err := choice.ParseText(choice.AppendText(nil, picks))
		require.NoError(t, err)
		require.Equal(t, picks, again)
	})
}
