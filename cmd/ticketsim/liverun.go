package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"ticketing/client"
	"ticketing/cmd/ticketsim/told"
	"ticketing/model"
)

// liveRun is the callers of a live run and what they saw.
type liveRun struct {
	seed  uint64
	keys  []string
	limit int // operations

	mu     sync.Mutex
	origin time.Time
	seq    int64
	ops    []model.Op

	took     time.Duration
	outcomes client.OutcomeSum
	dials    uint64
	left     holdings
	why      liveWhy
}

func newLiveRun(seed uint64, keys []string, limit int) *liveRun {
	return &liveRun{seed: seed, keys: keys, limit: limit}
}

// run has callers go on for a while, or until stopped says so, then closes the clients.
func (r *liveRun) run(o client.Options, callers int, span time.Duration, stopped func() bool) error {
	r.origin = time.Now()
	clients := make([]*client.Client, liveClients)
	for i := range clients {
		var err error
		if clients[i], err = client.New(o); err != nil {
			for _, c := range clients[:i] {
				_ = c.Close(context.Background()) // it never connected
			}
			return err
		}
	}
	var done sync.WaitGroup
	for i := range callers {
		done.Go(func() {
			random := rand.New(rand.NewPCG(r.seed, uint64(i)))
			for time.Since(r.origin) < span && !r.full() && !stopped() {
				r.turn(clients[i%liveClients], int32(i%liveClients), random)
			}
		})
	}
	done.Wait()
	r.took = time.Since(r.origin)
	for _, c := range clients {
		if err := c.Close(context.Background()); err != nil {
			return err
		}
		s := c.Stats()
		r.dials += s.Dials
		for i, n := range s.Outcomes {
			r.outcomes[i] += n
		}
	}
	return nil
}

// full says whether no more operations are to be recorded.
func (r *liveRun) full() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.ops) >= r.limit
}

// stamp is the next place in the history. The lock makes the clock go along with the order.
func (r *liveRun) stamp() model.Stamp {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq++
	return model.Stamp{Seq: r.seq, At: int64(time.Since(r.origin))}
}

func (r *liveRun) keep(op *model.Op) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ops = append(r.ops, *op)
}

// turn is one acquire, and, if it was granted, a little work and as a rule a release.
func (r *liveRun) turn(c *client.Client, process int32, random *rand.Rand) {
	key := random.IntN(len(r.keys))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	switch random.IntN(50) {
	case 0:
		defer time.AfterFunc(time.Duration(random.IntN(20))*time.Millisecond, cancel).Stop()
	case 1, 2, 3:
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Duration(600+random.IntN(600))*time.Millisecond)
		defer stop()
	}
	wait := []time.Duration{0, 50 * time.Millisecond, 500 * time.Millisecond}[random.IntN(3)]
	lease := time.Duration(100+random.IntN(400)) * time.Millisecond
	op := model.Op{Kind: model.Acquire, Client: process, Key: int32(key), Wait: uint32(wait / time.Millisecond), Call: r.stamp()}
	g, ok, err := c.Acquire(ctx, r.keys[key], client.AcquireOptions{Wait: wait, Lease: lease})
	op.Return = r.stamp()
	told.Acquire(&op, g, err)
	if err != nil && !ok {
		r.why.fail(err)
	}
	r.keep(&op)
	if !ok {
		if wait == 0 {
			time.Sleep(time.Millisecond) // the key is held: not to ask in a tight loop
		}
		return
	}
	// Short turns make many grants; only the long ones, and the grants that are left to their leases, show a
	// lease that ends too early.
	switch random.IntN(25) {
	case 0:
		return
	case 1, 2:
		time.Sleep(g.Lease() / 2)
	default:
		time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond)
	}
	r.release(g, process, int32(key))
}

// release records how a grant ended.
func (r *liveRun) release(g *client.Grant, process, key int32) {
	op := model.Op{Kind: model.Release, Client: process, Key: key, Token: g.Token(), Call: r.stamp()}
	ending, err := g.Release(context.Background())
	op.Return = r.stamp()
	told.Release(&op, ending, err)
	r.keep(&op)
}

// history is what was recorded. Releases that a client sent for orphans do not show to callers, nor do grants that came
// too late for theirs.
func (r *liveRun) history(driftPPM uint32) *model.History {
	return &model.History{Header: model.Header{DriftPPM: driftPPM}, Keys: r.keys, Ops: r.ops}
}

// latency is how long operations of a kind took, in nanoseconds.
type latency struct {
	Op  string `json:"op"`
	N   int    `json:"n"`
	P50 int64  `json:"p50"`
	P90 int64  `json:"p90"`
	P99 int64  `json:"p99"`
	Max int64  `json:"max"`
}

// latencies are those of acquires that did not wait for a holder, as far as that can be told (granted, wait 0), and of
// releases.
func latencies(h *model.History) []latency {
	all := []struct {
		name string
		fits func(op *model.Op) bool
	}{
		{"acquire", func(op *model.Op) bool { return op.Outcome == model.Granted && op.Wait == 0 }},
		{"queued acquire", func(op *model.Op) bool { return op.Outcome == model.Granted && op.Wait > 0 }},
		{"release", func(op *model.Op) bool { return op.Outcome == model.Released }},
	}
	out := []latency{}
	for _, a := range all {
		var took []int64
		for i := range h.Ops {
			if op := &h.Ops[i]; a.fits(op) {
				took = append(took, op.Return.At-op.Call.At)
			}
		}
		if n := len(took); n > 0 {
			slices.Sort(took)
			out = append(out, latency{a.name, n, took[n/2], took[n*9/10], took[n*99/100], took[n-1]})
		}
	}
	return out
}
