package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Retry acquires again after ErrBusy, which Acquire itself never does. Each try is an acquire of its own. It is for callers
// that would rather wait than be turned away when the service is full; it adds load just then, so its pauses grow.
type Retry struct {
	// Base and Cap bound the pause after a try: it is between half of d and d, where d is Base, doubled after
	// each try, at most Cap. Defaults: 20ms and 1s. A Cap below Base counts as Base.
	Base, Cap time.Duration
}

// Acquire is Client.Acquire, and tries again after ErrBusy for as long as o.Wait has not passed since the call and ctx is
// not done. What was spent on tries and pauses is taken off the wait of the next. When it is used up, the last ErrBusy
// is returned. Every other answer is returned at once: ErrIndeterminate too, since that acquire may have been granted.
func (r Retry) Acquire(ctx context.Context, c *Client, key string, o AcquireOptions) (*Grant, bool, error) {
	end := time.Now().Add(o.Wait)
	for d := r.base(); ; d = min(2*d, max(r.limit(), r.base())) {
		g, ok, err := c.Acquire(ctx, key, o)
		if !errors.Is(err, ErrBusy) {
			return g, ok, err
		}
		pause := d/2 + rand.N(d/2+1)
		if o.Wait = time.Until(end) - pause; o.Wait <= 0 || !sleep(ctx, pause) {
			return nil, false, err
		}
	}
}

func (r Retry) base() time.Duration {
	if r.Base <= 0 {
		return 20 * time.Millisecond
	}
	return r.Base
}

func (r Retry) limit() time.Duration {
	if r.Cap <= 0 {
		return time.Second
	}
	return r.Cap
}

// sleep says whether the pause was not cut short.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
