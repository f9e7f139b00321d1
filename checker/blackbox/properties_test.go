package blackbox

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/model"
)

const (
	recorded   = "ticketing-history 1 drift 0 uncertainty 0 lane recorded\n"
	unrecorded = "ticketing-history 1 drift 0 uncertainty 0 lane unrecorded\n"
	drifting   = "ticketing-history 1 drift 100000 uncertainty 0 lane recorded\n"
	uncertain  = "ticketing-history 1 drift 0 uncertainty 1000000 lane recorded\n"
)

// story is a history by hand. In the text, "5@20" stands for position 5 at 20 ms.
type story struct {
	name string
	head string // recorded if empty
	want string // the property, empty if legal
	only bool   // seen only across keys: Porcupine calls it legal
	text string
}

// stories come in groups: what must be rejected, and the closest that must pass.
var stories = []story{
	{name: "one token granted twice on a key", want: TokenUnique, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@20 4@20 wait 0 granted 7 lease 10`},
	{name: "one token granted on two keys", want: TokenUnique, only: true, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 l 3@20 4@20 wait 0 granted 7 lease 10`},
	{name: "one token granted twice, and released twice", want: TokenUnique, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@1 token 7 tries 1 released
		acquire c2 k 5@20 6@20 wait 0 granted 7 lease 10
		release c2 k 7@21 8@21 token 7 tries 1 released`},
	{name: "one token granted twice, tainted on one of the keys", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 l 3@20 4@20 wait 0 granted 7 lease 10
		taint l 7`},

	{name: "tokens fall on a key", want: TokenOrder, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 8 lease 10
		acquire c2 k 3@20 4@20 wait 0 granted 7 lease 10`},
	{name: "tokens fall from key to key", want: TokenOrder, only: true, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 8 lease 10
		acquire c2 l 3@20 4@20 wait 0 granted 7 lease 10`},
	{name: "tokens fall through a key that pins the time", want: TokenOrder, only: true, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 50
		acquire c2 l 3@0 6@60 wait 99 granted 9 lease 10
		acquire c3 k 4@0 7@70 wait 99 granted 8 lease 10
		release c2 l 8@71 9@71 token 9 tries 1 released
		acquire c4 l 5@1 10@72 wait 99 granted 6 lease 10`},
	{name: "tokens of calls that cross", text: `
		acquire c1 k 1@0 3@5 wait 0 granted 8 lease 1
		acquire c2 l 2@5 4@6 wait 0 granted 7 lease 10`},
	{name: "tokens fall, the lower one parsed too late", want: TokenOrder, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 8 lease 10
		acquire c2 k 3@20 4@20 wait 0 indeterminate 7 lease 10`},

	{name: "a lock granted while it is held", want: Overlap, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@9 wait 0 granted 8 lease 10`},
	{name: "a lock granted as its lease ends", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@10 wait 0 granted 8 lease 10`},
	{name: "a lock granted by the declared drift early", head: drifting, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@9 wait 0 granted 8 lease 10`},
	{name: "a lock granted by more than the drift early", head: drifting, want: Overlap, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@8 wait 0 granted 8 lease 10`},
	{name: "a lock granted early, by what the clocks may be wrong", head: uncertain, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@8 wait 0 granted 8 lease 10`},
	{name: "a lock granted earlier than the clocks explain", head: uncertain, want: Overlap, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@7 wait 0 granted 8 lease 10`},
	{name: "a lock granted before its release is called", want: Overlap, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@2 wait 0 granted 8 lease 10
		release c1 k 5@2 6@3 token 7 tries 1 released`},
	{name: "a lock granted while its release is under way", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 6@3 token 7 tries 1 released
		acquire c2 k 4@1 5@1 wait 0 granted 8 lease 10`},
	{name: "a lock granted after a release that may have acted", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@1 token 7 tries 1 indeterminate
		acquire c2 k 5@2 6@2 wait 0 granted 8 lease 10`},
	{name: "a lock granted before a release that may have acted", want: Overlap, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@2 wait 0 granted 8 lease 10
		release c1 k 5@2 6@3 token 7 tries 1 indeterminate`},
	{name: "a lock granted after a release that was not sent", want: Overlap, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@1 token 7 tries 0 not-sent
		acquire c2 k 5@2 6@2 wait 0 granted 8 lease 10`},
	{name: "a lock granted after an unanswered release and before the answered one", want: Overlap, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@1 token 7 tries 1 indeterminate
		acquire c2 k 5@2 6@2 wait 0 granted 8 lease 10
		release c1 k 7@3 8@3 token 7 tries 1 released`},
	{name: "a lock granted after a NotFound that a first try explains", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@2 token 7 tries 2 not-found
		acquire c2 k 5@2 6@2 wait 0 granted 8 lease 10`},
	{name: "a lock granted after the lane released it", text: `
		acquire c1 k 1@0 2@0 wait 0 indeterminate 7 lease 10
		release c1 k 3@1 4@1 token 7 tries 1 lane released
		acquire c2 k 5@2 6@2 wait 0 granted 8 lease 10`},
	{name: "a lock granted that nobody released, the lane being recorded", want: Overlap, text: `
		acquire c1 k 1@0 2@1 wait 0 indeterminate 7 lease 10
		acquire c2 k 3@2 4@2 wait 0 granted 8 lease 10`},
	{name: "a lock granted that the lane may have released", head: unrecorded, text: `
		acquire c1 k 1@0 2@1 wait 0 indeterminate 7 lease 10
		acquire c2 k 3@2 4@2 wait 0 granted 8 lease 10`},
	{name: "a lock granted before the lane can have released it", head: unrecorded, want: Overlap, text: `
		acquire c1 k 1@0 4@2 wait 0 indeterminate 7 lease 10
		acquire c2 k 2@1 3@1 wait 0 granted 8 lease 10`},
	{name: "a lock granted that a caller holds and no lane may release", head: unrecorded, want: Overlap, text: `
		acquire c1 k 1@0 2@1 wait 0 granted 7 lease 10
		acquire c2 k 3@2 4@2 wait 0 granted 8 lease 10`},
	{name: "a lock granted twice, the first token forged", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@1 wait 0 granted 8 lease 10
		taint k 7`},
	{name: "two keys held at once", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 l 3@1 4@1 wait 0 granted 8 lease 10`},
	{name: "three queued, and the last too early", want: Overlap, text: `
		acquire c1 k 1@0 4@1 wait 99 granted 7 lease 10
		acquire c2 k 2@0 5@12 wait 99 granted 8 lease 10
		acquire c3 k 3@0 6@19 wait 99 granted 9 lease 10`},
	{name: "three queued, each as a lease ends", text: `
		acquire c1 k 1@0 4@1 wait 99 granted 7 lease 10
		acquire c2 k 2@0 5@12 wait 99 granted 8 lease 10
		acquire c3 k 3@0 6@20 wait 99 granted 9 lease 10`},

	{name: "two releases of one token answered Released", want: DoubleRelease, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 5@2 token 7 tries 1 released
		release c1 k 4@1 6@2 token 7 tries 1 released`},
	{name: "the second release answered NotFound", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 5@2 token 7 tries 1 released
		release c1 k 4@1 6@2 token 7 tries 1 not-found`},
	{name: "a release after many tries", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@2 token 7 tries 3 released`},

	{name: "a release answered Released after the lock passed on", want: StaleRelease, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@20 4@20 wait 0 granted 8 lease 10
		release c1 k 5@21 6@21 token 7 tries 1 released`},
	{name: "a release answered Released long after the lease", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@99 4@99 token 7 tries 1 released
		acquire c2 k 5@99 6@99 wait 0 granted 8 lease 10`},
	{name: "a release answered NotFound after the lock passed on", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@20 4@20 wait 0 granted 8 lease 10
		release c1 k 5@21 6@21 token 7 tries 1 not-found`},

	{name: "NotFound within the lease", want: NotFoundWhileHeld, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@9 token 7 tries 1 not-found`},
	{name: "NotFound as the lease ends", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@10 token 7 tries 1 not-found`},
	{name: "NotFound within the lease of a lane's release", want: NotFoundWhileHeld, text: `
		acquire c1 k 1@0 2@0 wait 0 indeterminate 7 lease 10
		release c1 k 3@1 4@9 token 7 tries 1 lane not-found`},
	{name: "NotFound within the lease, tried twice", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@9 token 7 tries 2 not-found`},
	{name: "NotFound within the lease, after an unanswered release", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@1 token 7 tries 1 indeterminate
		release c1 k 5@2 6@2 token 7 tries 1 not-found`},
	{name: "NotFound before the unanswered release is called", want: NotFoundWhileHeld, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@2 token 7 tries 1 not-found
		release c1 k 5@3 6@3 token 7 tries 1 indeterminate`},
	{name: "NotFound within a lease that began late, behind another", want: NotFoundWhileHeld, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@0 4@15 wait 99 granted 8 lease 10
		release c2 k 5@16 6@19 token 8 tries 1 not-found`},
	{name: "NotFound, then Released, within the lease", want: NotFoundWhileHeld, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@1 token 7 tries 1 not-found
		release c1 k 5@2 6@2 token 7 tries 1 released`},

	{name: "NotFound once the lease is over, then Released", want: NotFoundThenReleased, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@20 4@20 token 7 tries 1 not-found
		release c1 k 5@21 6@21 token 7 tries 1 released`},
	{name: "NotFound of two tries, then Released", want: NotFoundThenReleased, text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@20 4@20 token 7 tries 2 not-found
		release c1 k 5@21 6@21 token 7 tries 1 released`},
	{name: "NotFound and Released at once", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@20 5@20 token 7 tries 1 not-found
		release c1 k 4@20 6@21 token 7 tries 1 released`},
	{name: "NotFound, then NotFound and Indeterminate", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@20 4@20 token 7 tries 1 not-found
		release c1 k 5@21 6@21 token 7 tries 1 not-found
		release c1 k 7@22 8@22 token 7 tries 1 indeterminate`},

	{name: "outcomes without an effect, however odd", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		acquire c2 k 3@1 4@1 wait 0 timed-out
		acquire c2 k 5@2 6@2 wait 0 busy
		acquire c2 k 7@3 8@3 wait 0 not-sent
		acquire c2 k 9@4 10@4 wait 0 indeterminate
		release c1 k 11@5 12@5 token 7 tries 1 released
		acquire c2 k 13@6 14@6 wait 0 timed-out`},
	{name: "a lane's release of a grant that nobody recorded", text: `
		acquire c1 k 1@0 2@0 wait 0 granted 7 lease 10
		release c1 k 3@1 4@1 token 6 tries 1 lane released
		release c1 k 5@1 6@1 token 6 tries 1 lane released`},
	{name: "no operation at all", text: ``},
}

func (s *story) history(t *testing.T) *model.History {
	t.Helper()
	text := recorded
	if s.head != "" {
		text = s.head
	}
	for line := range strings.Lines(strings.TrimSpace(s.text)) {
		text += strings.TrimSpace(line) + "\n"
	}
	h, err := model.Read(strings.NewReader(text))
	require.NoError(t, err, s.name)
	for i := range h.Ops {
		h.Ops[i].Call.At *= 1e6
		h.Ops[i].Return.At *= 1e6
	}
	require.NoError(t, h.Validate(), s.name)
	return h
}

func TestStories(t *testing.T) {
	for _, options := range []Options{{}, {SegmentGrants: 1}} {
		j := NewJudgeOptions(options)
		for _, s := range stories {
			h := s.history(t)
			want := result(s.want == "")
			g, c := j.Greedy(h), j.Check(h)
			require.Equal(t, want, g.Result, "%s: %v", s.name, &g)
			require.Equal(t, s.want, g.Property, "%s: %v", s.name, g.Facts)
			require.Equal(t, want, c.Result, "%s: %v", s.name, &c)
			require.Equal(t, s.want, c.Property, s.name)
			p := j.Porcupine(h)
			require.Equal(t, result(s.want == "" || s.only), p.Result, "%s: %v", s.name, &p)
			if p.Result == Illegal {
				require.Equal(t, Linearizable, p.Property, s.name)
				require.Len(t, p.Facts, 1, s.name)
			}
			if want == Illegal {
				require.Contains(t, h.Keys, c.Key, s.name)
				require.GreaterOrEqual(t, len(c.Facts), 2, s.name)
				require.LessOrEqual(t, len(c.Facts), 3, s.name)
			}
		}
	}
}

// TestEveryPropertyCanFail holds the list of properties against the stories.
func TestEveryPropertyCanFail(t *testing.T) {
	rejected := map[string]int{Linearizable: 1} // by each of the others, above
	for _, s := range stories {
		rejected[s.want]++
	}
	for _, p := range Properties() {
		require.Positive(t, rejected[p], p)
	}
	require.Greater(t, rejected[""], 20, "legal look-alikes")
}
