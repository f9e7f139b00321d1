package client

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"ticketing/client/demux"
)

// Grant is a lock that was granted. Whether it still is, nobody here can know; see the package's text on the token.
// It is safe for concurrent use.
type Grant struct {
	client *Client
	key    string
	token  uint64
	lease  time.Duration

	mu     sync.Mutex
	ending Ending
	calls  int // of Release; of two, each may be the one that freed the lock
}

// String names the key and the token.
func (g *Grant) String() string { return fmt.Sprintf("grant of %q, token %d", g.key, g.token) }

// Format is String with every verb.
func (g *Grant) Format(f fmt.State, _ rune) { io.WriteString(f, g.String()) }

// Key is what was locked.
func (g *Grant) Key() string { return g.key }

// Token is the fencing token: it grows with every grant of the whole service. Hand it to whatever the
// lock protects, which must refuse a token lower than one it has seen.
func (g *Grant) Token() uint64 { return g.token }

// Lease is what the service granted, from an instant between the call of Acquire and its return on. It is no promise that
// the lock is held for so long from now, nor that it is free after.
func (g *Grant) Lease() time.Duration { return g.lease }

// Ending says how a grant ended.
type Ending uint8

// The endings.
const (
	// NotEnded: there was no grant, or no definite answer to its release.
	NotEnded Ending = iota
	// Released: this release freed the lock.
	Released
	// Lost: the grant was over before the release, because its lease had ended. Another may have held the lock
	// meanwhile; what the token did not protect has to be checked.
	Lost
	// Gone: the grant was over, but its release had been sent more than once, or Release called more than once: an
	// earlier one had freed the lock, or it was Lost.
	Gone
)

var endingNames = [...]string{"not-ended", "released", "lost", "gone"}

func (e Ending) String() string {
	if int(e) < len(endingNames) {
		return endingNames[e]
	}
	return "invalid"
}

// Release gives the lock back and waits for the answer. From its call on the grant must not be used any more, whatever
// it returns. An error is an *Error: ErrNotSent, after which the lock is as it was, or ErrIndeterminate.
// Either may be tried again; otherwise the lease ends it. A release after a definite answer returns the
// same answer, and one beside another shares its answer.
//
// A release takes no longer than Options.Grace, and Options.WriteStall if a node takes no bytes. It is not cancelled
// by ctx, since that would leave the lock to its lease and close a connection that others use: if ctx ends during the
// call, Release stops waiting, returns ErrIndeterminate, and the release goes on by itself. If ctx is done already, as it is in
// many a deferred release, it is not looked at.
func (g *Grant) Release(ctx context.Context) (Ending, error) {
	g.mu.Lock()
	ending := g.ending
	g.calls++
	g.mu.Unlock()
	if ending != NotEnded {
		return ending, nil
	}
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	r, unreached := g.client.release(ctx, g.key, g.token)
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case r.Outcome == demux.Released:
		g.ending = Released
	case r.Outcome != demux.NotFound:
		return NotEnded, failed(ctx, "release", g.key, &r, unreached)
	case g.ending != NotEnded: // the answer to another call came first
	case r.Resent || g.calls > 1:
		g.ending = Gone
	default:
		g.ending = Lost
	}
	return g.ending, nil
}

// release has a release done. When ctx is done it is left to itself.
func (c *Client) release(ctx context.Context, key string, token uint64) (result demux.Effect, unreached error) {
	k := c.calls.Get().(*call)
	k.in = demux.Input{Kind: demux.InputRelease, Key: key, Token: token}
	if !c.shell.post(event{kind: callMade, call: k}) {
		return closedResult, nil
	}
	select {
	case <-k.done:
	case <-ctx.Done():
		select {
		case <-k.done: // an answer that is there wins over a context that is done
		default:
			return demux.Effect{Kind: demux.EffectComplete, Outcome: demux.Indeterminate}, nil
		}
	case <-c.shell.ended:
		if !c.shell.await(k) {
			return closedResult, nil
		}
	}
	result, unreached = k.result, k.unreached
	c.calls.Put(k)
	return result, unreached
}
