package demux

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// harness tells a story to a machine, one input at a time, and wants every effect named: what a test does not
// want must not happen.
type harness struct {
	t   *testing.T
	m   *Machine
	now Time
	got []string
}

// newHarness takes its options from o, with short names where o has none.
func newHarness(t *testing.T, o Options) *harness {
	if o.Addrs == nil {
		o.Addrs = []string{"n1:1", "n2:1", "n3:1"}
	}
	o.Credential, o.Prefix = "c", "me"
	m, err := New(o)
	require.NoError(t, err)
	return &harness{t: t, m: m, now: 1}
}

func (h *harness) feed(in Input) {
	h.t.Helper()
	for _, e := range h.m.Step(h.now, &in) {
		h.got = append(h.got, story(&e))
	}
}

func story(e *Effect) string {
	switch e.Kind {
	case EffectDial:
		return fmt.Sprintf("dial %d addr %d", e.Gen, e.Addr)
	case EffectWrite:
		return fmt.Sprintf("write %d %s", e.Gen, e.Data)
	case EffectClose:
		return fmt.Sprintf("close %d %v", e.Gen, e.Reason)
	}
	s := fmt.Sprintf("%d %v", e.Op, e.Outcome)
	switch {
	case e.Outcome == Granted:
		s += fmt.Sprintf(" token %d lease %d", e.Token, e.Lease)
	case e.Outcome == NotSent:
		s += " " + e.Cause.String()
	case e.Resent:
		s += " resent"
	}
	if e.Tries > 0 {
		s += fmt.Sprintf(" tries %d", e.Tries)
	}
	return s
}

// want takes the next effects, in order.
func (h *harness) want(effects ...string) {
	h.t.Helper()
	require.GreaterOrEqual(h.t, len(h.got), len(effects), "missing effects: have %q, want %q", h.got, effects)
	require.Equal(h.t, effects, h.got[:len(effects)])
	h.got = h.got[len(effects):]
}

func (h *harness) wantWrite(gen Generation, lines string) {
	h.t.Helper()
	h.want(fmt.Sprintf("write %d %s", gen, lines))
}

func (h *harness) wantComplete(op OpID, how string) {
	h.t.Helper()
	h.want(fmt.Sprintf("%d %s", op, how))
}

// wantIdle wants nothing to be left unsaid.
func (h *harness) wantIdle() {
	h.t.Helper()
	require.Empty(h.t, h.got)
}

// advanceTo lets the clock reach an instant, ticking at every deadline on the way.
func (h *harness) advanceTo(at Time) {
	h.t.Helper()
	for h.m.Deadline() <= at {
		require.Greater(h.t, h.m.Deadline(), h.now)
		h.now = h.m.Deadline()
		h.feed(Input{Kind: InputTick})
	}
	h.now = at
}

func (h *harness) advance(span time.Duration) {
	h.t.Helper()
	h.advanceTo(h.now + Time(span))
}

func (h *harness) acquire(op OpID, key string, wait uint32) {
	h.t.Helper()
	h.feed(Input{Kind: InputAcquire, Op: op, Key: key, Wait: wait, Lease: 9})
}

func (h *harness) release(op OpID, key string, token uint64) {
	h.t.Helper()
	h.feed(Input{Kind: InputRelease, Op: op, Key: key, Token: token})
}

func (h *harness) cancel(op OpID)      { h.t.Helper(); h.feed(Input{Kind: InputCancel, Op: op}) }
func (h *harness) opened(g Generation) { h.t.Helper(); h.feed(Input{Kind: InputOpened, Gen: g}) }
func (h *harness) closed(g Generation) { h.t.Helper(); h.feed(Input{Kind: InputClosed, Gen: g}) }
func (h *harness) shut(op OpID)        { h.t.Helper(); h.feed(Input{Kind: InputClose, Op: op}) }
func (h *harness) all(g Generation)    { h.t.Helper(); h.wrote(g, 1<<30) }
func (h *harness) wrote(g Generation, n int) {
	h.t.Helper()
	h.feed(Input{Kind: InputWrote, Gen: g, N: n})
}

func (h *harness) recv(g Generation, data string) {
	h.t.Helper()
	h.feed(Input{Kind: InputReceived, Gen: g, Data: []byte(data)})
}

// connect brings the machine onto a connection that is proven and idle: one acquire of key "c", operation
// 1000, that ended as busy.
func (h *harness) connect() {
	h.t.Helper()
	h.advanceTo(max(h.now, h.m.gate))
	h.acquire(1000, "c", 0)
	g := h.m.gen
	h.opened(g)
	h.all(g)
	h.recv(g, fmt.Sprintf("B c me-%d\n", h.m.counter))
	h.got = nil
}
