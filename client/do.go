package client

import (
	"context"
	"errors"
)

// Do calls fn while it holds the lock of key, and releases it whatever fn does: when it returns, and when it panics.
//
//   - NotEnded and nil: the wait ran out, fn was not called.
//   - NotEnded and an error: Acquire's, and fn was not called; or fn's, the release's, or both joined.
//   - Another Ending: fn was called, and the error is fn's. After Lost, what fn did may have met what another holder did.
//
// fn gets ctx as it is: nothing ends it when the lease does, because nobody here knows when that is.
func (c *Client) Do(ctx context.Context, key string, o AcquireOptions, fn func(ctx context.Context, g *Grant) error) (ending Ending, err error) {
	g, ok, err := c.Acquire(ctx, key, o)
	if err != nil || !ok {
		return NotEnded, err
	}
	defer func() {
		var releaseErr error
		ending, releaseErr = g.Release(context.WithoutCancel(ctx))
		switch {
		case err == nil:
			err = releaseErr
		case releaseErr != nil:
			err = errors.Join(err, releaseErr)
		}
	}()
	return NotEnded, fn(ctx, g)
}
