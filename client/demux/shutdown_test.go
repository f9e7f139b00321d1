package demux

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client/wire"
)

// Each request ends by its bytes, and a write that is out is waited for (rule shut-down).
func TestShutDownSettlesByBytes(t *testing.T) {
	h := newHarness(t, Options{})
	h.connect()
	h.acquire(1, "k", 100)
	h.all(1)
	h.acquire(2, "k", 100)
	h.acquire(3, "k", 100)
	h.got = nil
	h.shut(9)
	h.want("1 indeterminate", "3 not-sent closed", "close 1 shut-down")
	h.acquire(4, "k", 100)
	h.wantComplete(4, "not-sent closed")
	h.release(5, "k", 1)
	h.wantComplete(5, "not-sent closed")
	h.shut(10)
	h.recv(1, "A k me-3 1 1\n")
	h.wantIdle()
	h.wrote(1, 3)
	h.wantComplete(2, "indeterminate")
	h.closed(1)
	h.wantComplete(9, "closed")
	h.wantIdle()
	require.Equal(t, Never, h.m.Deadline())
}

func TestShutDownWhileDialing(t *testing.T) {
	h := newHarness(t, Options{})
	h.acquire(1, "k", 100)
	h.want("dial 1 addr 0")
	h.shut(9)
	h.want("1 not-sent closed", "close 1 shut-down")
	h.closed(1)
	h.wantComplete(9, "closed")
	h.wantIdle()
}

func TestShutDownOfAnIdleMachine(t *testing.T) {
	h := newHarness(t, Options{})
	h.shut(9)
	h.wantComplete(9, "closed")
	h.shut(9)
	h.wantIdle()
}

// fillLane leaves a machine that has just opened a connection whose first write could not hold the lane.
func fillLane(t *testing.T) *harness {
	h := newHarness(t, Options{MaxWrite: 2048})
	h.acquire(1, "k", 0)
	for gen := Generation(1); gen < 12; gen++ {
		h.opened(gen)
		h.recv(gen, string(wire.AppendGranted(nil, long(wire.MaxName), "me-77", uint64(gen), wire.MaxLease)))
		h.all(gen)
		h.closed(gen)
		h.advanceTo(h.m.gate)
	}
	h.opened(12)
	h.got = nil
	require.Len(t, h.m.lane.entries, 11)
	require.Positive(t, h.m.lane.queued)
	return h
}

// The lane gets its last write, and the connection closes once that is answered.
func TestShutDownWritesLane(t *testing.T) {
	h := fillLane(t)
	gen := h.m.gen
	h.shut(9)
	h.wantIdle()
	h.recv(gen, "M n2:1\n") // not read any more
	h.wantIdle()
	h.all(gen)
	require.Len(t, h.got, 1)
	require.Contains(t, h.got[0], "write ")
	h.got = nil
	h.all(gen)
	h.want("close 12 shut-down")
	h.closed(gen)
	h.wantComplete(9, "closed")
	h.wantIdle()
	require.NotZero(t, h.m.Counts()[CountShutDownUnread])
}

// A write that is never answered does not hold the close up for longer than closeGrace.
func TestShutDownEndsWithinGrace(t *testing.T) {
	h := fillLane(t)
	h.shut(9)
	at := h.now
	h.advance(2 * time.Second)
	h.want("close 12 shut-down")
	h.wantIdle()
	require.Equal(t, at+2*Time(time.Second), h.now)
	require.NotZero(t, h.m.Counts()[CountShutDownGrace])
	require.Equal(t, Never, h.m.Deadline())
}
