package demux

import (
	"testing"
	"time"
)

// A cancel of one of two callers, at each stage of their R (rule one-release).
func TestJoinedCancel(t *testing.T) {
	start := func() *harness {
		h := newHarness(t, Options{})
		h.connect()
		return h
	}
	h := start()
	h.acquire(9, "k", 0) // keeps the write busy, so that the R is queued
	h.got = nil
	h.release(1, "k", 5)
	h.release(2, "k", 5)
	h.cancel(1)
	h.wantComplete(1, "not-sent cancelled")
	h.all(1)
	h.wantWrite(1, "R k 5\n")
	h.release(3, "k", 5)
	h.cancel(2)
	h.wantIdle() // writing: remembered
	h.all(1)
	h.wantComplete(2, "indeterminate tries 1")
	h.release(4, "k", 5)
	h.cancel(3)
	h.wantComplete(3, "indeterminate tries 1")
	h.cancel(4)
	h.wantComplete(4, "indeterminate tries 1")
	h.want("close 1 cancel", "9 indeterminate")
	h.wantIdle()
}

// A reply settles a cancel that was remembered (rule grant-wins, in its general form).
func TestReplyBeatsRememberedCancel(t *testing.T) {
	h := newHarness(t, Options{})
	h.connect()
	h.release(1, "k", 5)
	h.got = nil
	h.cancel(1)
	h.recv(1, "R k 5\n")
	h.wantComplete(1, "released tries 1")
	h.all(1)
	h.wantIdle()
}

// At most three tries, the fourth connection sees none (rule release-again).
func TestTriesAreSpent(t *testing.T) {
	h := newHarness(t, Options{Grace: time.Minute})
	h.connect()
	h.release(1, "k", 5)
	h.wantWrite(1, "R k 5\n")
	h.all(1)
	h.closed(1)
	for gen := Generation(2); gen <= 3; gen++ {
		h.advanceTo(max(h.now, h.m.gate))
		h.got = nil
		h.opened(gen)
		h.all(gen)
		h.closed(gen)
	}
	h.want("write 3 H 1 c\nR k 5\n", "1 indeterminate tries 3")
	h.wantIdle()
}

// The reply counts as a try, and NotFound after two is marked (rule resent-n).
func TestNotFoundIsMarkedResent(t *testing.T) {
	h := newHarness(t, Options{})
	h.connect()
	h.release(1, "k", 5)
	h.all(1)
	h.closed(1)
	h.got = nil
	h.advanceTo(max(h.now, h.m.gate))
	h.opened(2)
	h.want("dial 2 addr 0", "write 2 H 1 c\nR k 5\n")
	h.recv(2, "N k 5\n")
	h.wantComplete(1, "not-found resent tries 2")
	h.wantIdle()
}

// Two keys with one token are two releases; each reply finds its own (rule match).
func TestOneTokenTwoKeys(t *testing.T) {
	h := newHarness(t, Options{})
	h.connect()
	h.release(1, "k", 5)
	h.all(1)
	h.release(2, "j", 5)
	h.all(1)
	h.got = nil
	h.recv(1, "R j 5\nN k 5\n")
	h.want("2 released tries 1", "1 not-found tries 1")
	h.wantIdle()
}
