package client

import (
	"context"
	"fmt"
	"time"

	"ticketing/client/demux"
)

// AcquireOptions says what an acquire asks for.
type AcquireOptions struct {
	// Wait is how long to queue while the key is held: 0 does not queue. At most about 24 days, in whole milliseconds,
	// rounded down. A context that ends earlier shortens it, so that the service's own answer comes first.
	Wait time.Duration
	// Lease is how long the lock is asked for: 1ms to about 24 days, in whole milliseconds, rounded down. The service
	// may grant less; see Grant.Lease.
	Lease time.Duration
}

// Acquire asks for the lock of key, 1 to 200 bytes of '!'..'~', and waits for the answer. There are three:
//
//   - A grant: g is not nil, ok is true, err is nil. It must be released. It comes so even if ctx is done by now: look
//     at g, not at ctx.
//   - None: g is nil, ok is false, err is nil. The wait ran out while another held the key.
//   - An error: g is nil, ok is false. Either an *Error, which is ErrBusy, ErrNotSent or ErrIndeterminate, or, before
//     anything began, an error that says which argument is wrong.
//
// A ctx that ends cancels the acquire. That is cheap while it is not sent. Once it is, it becomes ErrIndeterminate and its
// connection is closed, which makes every other acquire on it ErrIndeterminate too: to bound the waiting, use Wait, or a
// deadline of ctx, which shortens the wait in time.
func (c *Client) Acquire(ctx context.Context, key string, o AcquireOptions) (g *Grant, ok bool, err error) {
	in := demux.Input{Kind: demux.InputAcquire, Key: key, Wait: milliseconds(o.Wait), Lease: milliseconds(o.Lease),
		Deadline: c.shell.deadline(ctx)}
	if err := demux.CheckAcquire(key, in.Wait, in.Lease); err != nil {
		return nil, false, fmt.Errorf("client: %w", err)
	}
	if ctx.Err() != nil {
		return nil, false, &Error{Op: "acquire", Key: key, Outcome: demux.NotSent, Cause: demux.CauseCancelled, Context: context.Cause(ctx)}
	}
	switch r, unreached := c.run(ctx, in); r.Outcome {
	case demux.Granted:
		return &Grant{client: c, key: key, token: r.Token, lease: time.Duration(r.Lease) * time.Millisecond}, true, nil
	case demux.TimedOut:
		return nil, false, nil
	default:
		return nil, false, failed(ctx, "acquire", key, &r, unreached)
	}
}

func failed(ctx context.Context, op, key string, r *demux.Effect, unreached error) error {
	e := &Error{Op: op, Key: key, Outcome: r.Outcome, Cause: r.Cause}
	if r.Cause == demux.CauseDeadline || r.Cause == demux.CauseCancelled {
		e.Dial = unreached
	}
	if ctx.Err() != nil && r.Outcome != demux.Busy {
		e.Context = context.Cause(ctx)
	}
	return e
}
