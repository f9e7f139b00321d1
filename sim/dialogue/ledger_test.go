package dialogue

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
)

// event is an input or an effect.
type event struct {
	in  *demux.Input
	out *demux.Effect
}

func in(i demux.Input) event   { return event{in: &i} }
func out(e demux.Effect) event { return event{out: &e} }

func done(op demux.OpID, o demux.Outcome) event {
	e := demux.Effect{Kind: demux.EffectComplete, Op: op, Outcome: o}
	if o == demux.NotSent {
		e.Cause = demux.CauseDeadline
	}
	return out(e)
}

func notSent(op demux.OpID, c demux.Cause) event {
	return out(demux.Effect{Kind: demux.EffectComplete, Op: op, Outcome: demux.NotSent, Cause: c})
}

var (
	acquire1 = in(demux.Input{Kind: demux.InputAcquire, Op: 1, Key: "k", Lease: 5})
	release2 = in(demux.Input{Kind: demux.InputRelease, Op: 2, Key: "k", Token: 7})
	release3 = in(demux.Input{Kind: demux.InputRelease, Op: 3, Key: "k", Token: 7})
	dial1    = out(demux.Effect{Kind: demux.EffectDial, Gen: 1})
	opened1  = in(demux.Input{Kind: demux.InputOpened, Gen: 1})
	close1   = out(demux.Effect{Kind: demux.EffectClose, Gen: 1})
	close9   = in(demux.Input{Kind: demux.InputClose, Op: 9})
)

func write1(data string) event {
	return out(demux.Effect{Kind: demux.EffectWrite, Gen: 1, Data: []byte(data)})
}

func wrote1(n int) event { return in(demux.Input{Kind: demux.InputWrote, Gen: 1, N: n}) }

const hello, ask, giveBack = "H 1 c\n", "A k p-1 0 5\n", "R k 7\n"

func judge(events []event) error {
	l := NewLedger()
	for _, e := range events {
		if e.in != nil {
			l.Fed(e.in)
		} else {
			l.Did(*e.out)
		}
	}
	return l.Err()
}

func TestLedgerRejects(t *testing.T) {
	for name, c := range map[string]struct {
		want   string
		events []event
	}{
		"settled twice":         {"1 is settled, but is not open", []event{acquire1, done(1, demux.NotSent), done(1, demux.NotSent)}},
		"settled unasked":       {"5 is settled, but is not open", []event{done(5, demux.Busy)}},
		"not sent after a byte": {"1 is NotSent", []event{acquire1, dial1, opened1, write1(hello + ask), wrote1(len(hello) + 1), close1, done(1, demux.NotSent)}},
		"indeterminate without": {"1 is Indeterminate", []event{acquire1, dial1, opened1, write1(hello + ask), wrote1(len(hello)), close1, done(1, demux.Indeterminate)}},
		"owner sent again":      {"p-1 is sent again", []event{acquire1, dial1, opened1, write1(hello + ask), wrote1(len(hello) + 1), write1(ask)}},
		"owner from nowhere":    {"p-1 has no acquire", []event{dial1, opened1, write1(hello + ask)}},
		"joined, not sent":      {"3 is NotSent", []event{release2, dial1, opened1, write1(hello + giveBack), wrote1(len(hello) + 1), release3, done(2, demux.Indeterminate), done(3, demux.NotSent)}},
		"two writes":            {"takes none", []event{dial1, opened1, write1(hello), write1(hello)}},
		"write before opened":   {"takes none", []event{dial1, write1(hello)}},
		"write after close":     {"takes none", []event{dial1, opened1, close1, write1(hello)}},
		"closed twice":          {"which is closed", []event{dial1, close1, close1}},
		"granted, a release":    {"2 cannot end granted", []event{release2, done(2, demux.Granted)}},
		"released, an acquire":  {"1 cannot end released", []event{acquire1, done(1, demux.Released)}},
		"closed, an acquire":    {"1 cannot end closed", []event{acquire1, done(1, demux.Closed)}},
		"close, not sent":       {"9 cannot end not-sent", []event{close9, done(9, demux.NotSent)}},
		"closed too early":      {"connection left", []event{dial1, close9, done(9, demux.Closed)}},
		"nobody cancelled":      {"the cause cancelled", []event{acquire1, notSent(1, demux.CauseCancelled)}},
		"nobody closed":         {"the cause closed", []event{acquire1, notSent(1, demux.CauseClosed)}},
		"no cause":              {"the cause none", []event{acquire1, notSent(1, demux.CauseNone)}},
		"dial after close":      {"after close", []event{close9, dial1}},
	} {
		require.ErrorContains(t, judge(c.events), c.want, name)
	}
}

func TestLedgerAccepts(t *testing.T) {
	for name, events := range map[string][]event{
		"not sent":      {acquire1, dial1, opened1, write1(hello + ask), wrote1(len(hello)), close1, done(1, demux.NotSent)},
		"indeterminate": {acquire1, dial1, opened1, write1(hello + ask), wrote1(len(hello) + 1), close1, done(1, demux.Indeterminate)},
		// The reply came before the write was answered; the next release of the token owes it nothing.
		"early reply": {release2, dial1, opened1, write1(hello + giveBack), done(2, demux.Released), release3, wrote1(len(hello + giveBack)), done(3, demux.NotSent)},
		"lane":        {dial1, opened1, write1(hello + giveBack), wrote1(len(hello + giveBack))},
	} {
		require.NoError(t, judge(events), name)
	}
}

// A story that no driver could tell is an error of the story, and so is a misspelt one.
func TestStoriesAreChecked(t *testing.T) {
	mute := func(demux.Options) (demux.Core, error) { return silent{}, nil }
	for _, line := range []string{"opened 1", "wrote 1 all", "closed 1", "recv 1 T k p-1", "acquire", "acquire x", "acquire 1 kay=k",
		"acquire 1 key=k key=l", "acquire 1 wait=3", "sing 1", "release 1", `recv 1 \q`, "recv 1 {x*}", "new max-locks=1"} {
		s := NewSession(mute)
		_, err := s.Block(Block{Clock: "at 0s", Inputs: []string{"new"}})
		require.NoError(t, err)
		_, err = s.Block(Block{Clock: "at 1s", Inputs: []string{line}})
		require.Error(t, err, line)
	}
	for _, clock := range []string{"timer", "later", "at noon"} {
		s := NewSession(mute)
		_, err := s.Block(Block{Clock: "at 0s", Inputs: []string{"new"}})
		require.NoError(t, err)
		_, err = s.Block(Block{Clock: clock})
		require.Error(t, err, clock)
	}
}

// A core that never settles anything is told of at the end.
func TestFinishRejects(t *testing.T) {
	s := NewSession(func(demux.Options) (demux.Core, error) { return silent{}, nil })
	out, err := s.Block(Block{Clock: "at 0s", Inputs: []string{"new", "acquire 1"}})
	require.NoError(t, err)
	require.Equal(t, "nothing\n", out)
	require.ErrorContains(t, s.Finish(), "operation 1 was never settled")
}

func TestFrames(t *testing.T) {
	data, err := frames(`A k p-1 7 5 | E x\x01 | T k`)
	require.NoError(t, err)
	require.Equal(t, "A k p-1 7 5\nE x\x01\nT k\n", string(data))
	data, err = frames(`T k p-\`)
	require.NoError(t, err)
	require.Equal(t, "T k p-", string(data))
	long, err := repeated("a {x*30} b {yz*2}")
	require.NoError(t, err)
	require.Equal(t, "a xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx b yzyz", long)
	require.Equal(t, "a {x*30} b yzyz", shortened(long))
}

// A read that ends anywhere and a write that ends anywhere are noticed when a core takes them badly.
func TestMeddledStories(t *testing.T) {
	file := filepath.Join(t.TempDir(), "story")
	story := "at 0s\nnew\nacquire 1\nopened 1\nwrote 1 all\nrecv 1 T k p-1\n----\n" +
		"complete 1 timed-out\ndial 1 a:1\n"
	require.NoError(t, os.WriteFile(file, []byte(story), 0o600))
	hasty := func(demux.Options) (demux.Core, error) { return &hastyCore{}, nil }
	blocks := Load(t, file)
	require.Error(t, split(hasty, blocks, 0, 3), "it takes half a frame for a whole one")
	require.Error(t, short(hasty, blocks, 0, 7, true), "it takes no notice of a short write")
}

// silent does nothing.
type silent struct{}

func (silent) Step(demux.Time, *demux.Input) []demux.Effect { return nil }
func (silent) Deadline() demux.Time                         { return demux.Never }
func (silent) CopyFrom(demux.Core)                          {}
func (silent) AppendState(_ demux.Time, b []byte) []byte    { return b }
func (silent) Reset(demux.Options)                          {}

// hastyCore dials, asks, and settles with whatever comes first.
type hastyCore struct{ silent }

func (*hastyCore) Step(_ demux.Time, in *demux.Input) []demux.Effect {
	switch in.Kind {
	case demux.InputAcquire:
		return []demux.Effect{{Kind: demux.EffectDial, Gen: 1}}
	case demux.InputOpened:
		return []demux.Effect{{Kind: demux.EffectWrite, Gen: 1, Data: []byte(hello + "A k p-1 0 5000\n")}}
	case demux.InputReceived:
		return []demux.Effect{{Kind: demux.EffectComplete, Op: 1, Outcome: demux.TimedOut}}
	}
	return nil
}
