package demux

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client/wire"
)

// partial is a connection with a release and two acquires in one write.
func partial(t *testing.T) (h *harness, starts [3]int, size int) {
	h = newHarness(t, Options{})
	h.connect()
	h.acquire(9, "hold", 0)
	h.got = nil
	h.release(1, "k", 5)
	h.acquire(2, "k", 100)
	h.acquire(3, "j", 100)
	h.all(1)
	const write = "R k 5\nA k me-3 100 9\nA j me-4 100 9\n"
	h.wantWrite(1, write)
	return h, [3]int{0, strings.Index(write, "A k"), strings.Index(write, "A j")}, len(write)
}

// Every count of accepted bytes, with an error and without: a frame was sent if its first byte was accepted, the
// others move on in their order (rules sent-per-frame, torn-stream, unsent-moves).
func TestEveryPartialWrite(t *testing.T) {
	for _, failed := range []bool{false, true} {
		_, _, size := partial(t)
		for n := range size + 1 {
			h, starts, _ := partial(t)
			h.feed(Input{Kind: InputWrote, Gen: 1, N: n, Failed: failed})
			if n == size && !failed {
				h.wantIdle()
				continue
			}
			h.want("close 1 torn")
			h.want("9 indeterminate") // an earlier write took it whole
			rest := "H 1 c\nR k 5\n"
			for i, frame := range []string{"A k me-3 %d 9\n", "A j me-4 %d 9\n"} {
				if n > starts[i+1] {
					h.wantComplete(OpID(i+2), "indeterminate")
				} else if !strings.Contains(rest, "A") {
					rest += frame // one: the next connection is on probation
				}
			}
			h.closed(1)
			h.advanceTo(h.m.gate)
			h.want("dial 2 addr 0")
			h.opened(2)
			if strings.Contains(rest, "%d") {
				rest = fmt.Sprintf(rest, 100-Time(h.m.o.Backoff.Lost.Base)/millisecond)
			}
			h.wantWrite(2, rest)
			h.recv(2, "R k 5\n")
			tries := 1
			if n > starts[0] {
				tries = 2
			}
			h.wantComplete(1, fmt.Sprintf("released tries %d", tries))
		}
	}
}

// The same with a cancel of the middle frame while it is writing (rule cancel).
func TestEveryPartialWriteOfACancelledFrame(t *testing.T) {
	_, starts, size := partial(t)
	for n := range size + 1 {
		h, _, _ := partial(t)
		h.cancel(2)
		h.wantIdle()
		h.wrote(1, n)
		how, why := "indeterminate", "cancel"
		if n <= starts[1] {
			how = "not-sent cancelled"
		}
		if n < size {
			why = "torn"
		}
		h.wantComplete(2, how)
		h.want("close 1 " + why)
	}
}

// One acquire until the silence is over (rule probation).
func TestProbation(t *testing.T) {
	h := newHarness(t, Options{Probe: 250 * time.Millisecond})
	h.acquire(1, "k", 1000)
	h.acquire(2, "k", 1000)
	h.opened(1)
	h.want("dial 1 addr 0", "write 1 H 1 c\nA k me-1 1000 9\n")
	h.all(1)
	h.recv(1, "L n2:1\n")
	h.wantIdle()
	require.Equal(t, h.now+250*millisecond, h.m.Deadline())
	h.advance(250 * time.Millisecond)
	h.wantWrite(1, "A k me-2 750 9\n")
	h.wantIdle()
}

// The wire wait is what is left of the wait; the caller's own deadline shortens it (rule deadline).
func TestDeadlines(t *testing.T) {
	h := newHarness(t, Options{Grace: 100 * time.Millisecond})
	h.connect()
	call := h.now
	h.feed(Input{Kind: InputAcquire, Op: 1, Key: "k", Wait: 1000, Lease: 9, Deadline: call + 500*millisecond})
	h.wantWrite(1, "A k me-2 399 9\n") // 500 - 101 of grace
	require.Equal(t, call+Time(h.m.o.WriteStall), h.m.current().until)
	h.all(1)
	require.Equal(t, call+500*millisecond, h.m.Deadline())
	h.advance(500 * time.Millisecond)
	h.want("1 indeterminate", "close 1 deadline")
	h.closed(1)
	h.acquire(2, "k", 0)
	h.release(3, "k", 4)
	h.advance(time.Minute)
	h.want("dial 2 addr 0", "3 not-sent deadline", "2 not-sent deadline", "close 2 dial-timeout")
	h.wantIdle()
}

// A full table refuses at once, each with a capacity of its own (rule own-capacity).
func TestFullTables(t *testing.T) {
	h := newHarness(t, Options{MaxAcquires: 1, MaxReleases: 1})
	h.connect()
	h.acquire(1, "k", 1)
	h.acquire(2, "k", 1)
	h.release(3, "k", 1)
	h.release(4, "k", 1)
	h.want("write 1 A k me-2 1 9\n", "2 not-sent full", "4 not-sent full")
	h.wantIdle()
}

// The lane keeps its entries in order with their own keys, whatever leaves from the middle.
func TestLaneArena(t *testing.T) {
	m, err := New(Options{Addrs: []string{"a"}, Credential: "c", Prefix: "p", MaxLane: 3})
	require.NoError(t, err)
	for i, key := range []string{"one", "twotwo", "x", "four"} {
		m.lane.add(m, &wire.Reply{Key: []byte(key), Token: uint64(i + 1), Lease: 1})
	}
	m.lane.add(m, &wire.Reply{Key: []byte("again"), Token: 2, Lease: 1})
	require.Len(t, m.lane.entries, 3)
	m.lane.retain(func(o *orphan) bool { return o.token != 2 })
	require.Equal(t, "onex", string(m.lane.keys))
	require.False(t, m.lane.answer(m, 0, &wire.Reply{Key: []byte("one"), Token: 3}))
	require.True(t, m.lane.answer(m, 0, &wire.Reply{Key: []byte("x"), Token: 3}))
	require.Equal(t, "one", string(m.lane.keys))
	require.Equal(t, uint64(1), m.counts[CountLaneFull])
	require.Equal(t, uint64(1), m.counts[CountLaneTwice])
}

// Which unmatched grants are released, and which are left alone (rule held-grant).
func TestHeldGrant(t *testing.T) {
	for _, c := range []struct {
		frame string
		lane  int
	}{
		{"A k me-99 50 9\n", 1},
		{"A k you-99 50 9\n", 0},
		{"A h me-99 20 9\n", 0}, // held
		{"A k me-99 20 9\n", 1}, // that token, but another key
		{"A r me-99 30 9\n", 0}, // being released
		{"A k me-99 30 9\n", 0}, // likewise, whatever the key
		{"A k me-99 10 9\n", 0}, // at the mark
		{"T k me-99\n", 0},
	} {
		h := newHarness(t, Options{MaxHeld: 1})
		h.connect()
		for i, token := range []int{10, 20} { // 10 is pushed out: the mark
			h.feed(Input{Kind: InputAcquire, Op: OpID(i + 1), Key: "h", Lease: 9000})
			h.all(1)
			h.recv(1, fmt.Sprintf("A h me-%d %d 9000\n", i+2, token))
		}
		h.release(3, "r", 30)
		h.all(1)
		h.got = nil
		h.recv(1, c.frame)
		h.want("close 1 unmatched")
		h.wantIdle()
		require.Len(t, h.m.lane.entries, c.lane, c.frame)
	}
}
