// Package peer is a simulated world as one writes it without a simulator: the client that ships and the service of ticketd,
// callers that are goroutines and sleep, and connections between them. It is what the simulator's worlds are compared with for
// speed; inside a bubble of testing/synctest its clock jumps, and elsewhere it takes as long as it takes.
//
// It draws the same kind of world as package sim does: as many nodes, clients, callers, acquires and keys, and the same spans of
// thinking, holding, waiting and delay. It has no faults, and nothing of it can be repeated: goroutines run as they happen to.
package peer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"ticketing/client"
	"ticketing/cmd/ticketd/cluster"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// Network connects clients to nodes, which it knows by name.
type Network interface {
	Listen(node string) (net.Listener, error)
	Dial(ctx context.Context, node string) (net.Conn, error)
}

// Result is what became of a world.
type Result struct {
	Acquires uint64 // as many as the callers were to make
	Granted  uint64 // of those. Each is released once
}

// credential is no secret: nobody else can connect.
const credential = "peer"

// world is one run.
type world struct {
	p    *sim.Params
	seed uint64
	keys []string
	seen *Seen // nil: nobody writes down what callers see

	mu     sync.Mutex
	sum    Result
	failed error
}

// Run runs one world of parameters that a scenario without faults drew, until its callers are done and all is closed. seen, if
// not nil, writes down what callers see. What callers may be told is no error.
func Run(p *sim.Params, seed uint64, n Network, seen *Seen) (Result, error) {
	var addrs []string
	var listeners []net.Listener
	for i := range p.Nodes {
		l, err := n.Listen(fmt.Sprintf("n%d", i))
		if err != nil {
			return Result{}, fmt.Errorf("peer: node %d: %w", i, err)
		}
		addrs, listeners = append(addrs, fmt.Sprintf("n%d", i)), append(listeners, l)
	}
	// Tables no larger than a simulated world's: to make large ones would be most of the work.
	service, err := cluster.New(cluster.Options{Addrs: addrs, Credential: credential, QueueMax: p.Service.QueueMax,
		ConnsMax: p.Net.Conns, LocksMax: len(p.Keys), WaitersMax: p.Clients * p.Callers}, listeners)
	if err != nil {
		return Result{}, fmt.Errorf("peer: %w", err)
	}
	defer service.Close()
	if err := service.Lead(rand.New(rand.NewPCG(seed, sim.MaxClients*sim.MaxCallers)).IntN(p.Nodes)); err != nil {
		return Result{}, fmt.Errorf("peer: %w", err)
	}
	w := &world{p: p, seed: seed, keys: p.Keys, seen: seen}
	var clients sync.WaitGroup
	for i := range p.Clients {
		clients.Go(func() { w.fail(w.client(i, addrs, n)) })
	}
	clients.Wait()
	return w.sum, w.failed
}

func (w *world) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = errors.Join(w.failed, err)
}

// client is one client with its callers. The last of them closes it.
func (w *world) client(i int, addrs []string, n Network) error {
	o := &w.p.Core
	c, err := client.New(client.Options{
		Addrs: addrs, Credential: credential, Dial: n.Dial,
		MaxAcquires: o.MaxAcquires, MaxReleases: o.MaxReleases, MaxHeld: o.MaxHeld,
		Grace: o.Grace, DialTimeout: o.DialTimeout, WriteStall: o.WriteStall, CloseGrace: o.CloseGrace,
	})
	if err != nil {
		return fmt.Errorf("peer: %w", err)
	}
	var callers sync.WaitGroup
	for k := range w.p.Callers {
		callers.Go(func() {
			w.caller(c, i, rand.New(rand.NewPCG(w.seed, uint64(i*sim.MaxCallers+k))))
		})
	}
	callers.Wait()
	if err := c.Close(context.Background()); err != nil {
		return fmt.Errorf("peer: close: %w", err)
	}
	return nil
}

// caller acquires, holds and releases, as sim's does.
func (w *world) caller(c *client.Client, process int, random *rand.Rand) {
	p := &w.p.Caller
	granted := uint64(0)
	for range w.p.Ops {
		time.Sleep(within(random, p.Think))
		key := random.IntN(len(w.keys))
		wait := p.WaitsMax
		switch random.IntN(3) {
		case 1:
			wait /= 8
		case 2:
			wait = 0
		}
		lease := p.LeaseMin + uint32(random.IntN(4))*(p.LeaseMax-p.LeaseMin)/3
		o := client.AcquireOptions{Wait: time.Duration(wait) * time.Millisecond, Lease: time.Duration(lease) * time.Millisecond}
		g := w.acquire(c, process, key, o)
		if g == nil {
			continue
		}
		granted++
		time.Sleep(within(random, p.Hold))
		w.release(g, process, key)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sum.Acquires += uint64(w.p.Ops)
	w.sum.Granted += granted
}

func (w *world) acquire(c *client.Client, process, key int, o client.AcquireOptions) *client.Grant {
	called := w.seen.stamp()
	g, _, err := c.Acquire(context.Background(), w.keys[key], o)
	w.seen.acquired(called, process, key, o, g, err)
	return g
}

func (w *world) release(g *client.Grant, process, key int) {
	called := w.seen.stamp()
	ending, err := g.Release(context.Background())
	w.seen.released(called, process, key, g.Token(), ending, err)
}

// within is a span of a window, each as likely.
func within(random *rand.Rand, in sim.Window) time.Duration {
	return time.Duration(in.Min) + time.Duration(random.Int64N(int64(in.Max-in.Min)+1))
}

// Span is a time that no caller of a world takes longer than, the trips over its network left out.
func Span(p *sim.Params) time.Duration {
	c := &p.Caller
	turn := c.Think.Max + c.Hold.Max + clock.Time(c.WaitsMax)*clock.Millisecond
	return time.Duration(turn) * time.Duration(p.Ops)
}
