// Package cluster is a Ticketing service in one process: the nodes of a service.Service behind listeners, on the real
// clock. It is for trying clients and for tests: all of it is in memory, a commit is a mutex, and nothing survives the
// process. What a node does, and which promises of the protocol it keeps, is service's matter; here are the connections, the
// names of keys and owners, and the time.
//
// An acquire that queues dies with its connection. A new leader restarts the leases in full and knows of no queue. A node that
// does not lead answers M, or E no_leader, and hangs up. Options.Fault makes the service break its word on purpose.
package cluster

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"ticketing/client/wire"
	"ticketing/sim/clock"
	"ticketing/sim/service"
)

// Options says how a service behaves. A zero field but Addrs and Credential takes its default.
type Options struct {
	// Addrs are the names of the nodes, as they give them to clients: valid by wire.CheckAddr.
	Addrs []string
	// Credential is what a client must show.
	Credential string
	LeaseMax   time.Duration // the longest lease that is granted; default one minute
	QueueMax   int           // acquires that wait for one key; default 1024; beyond it: B
	WaitersMax int           // acquires that wait for all keys; default 65536; beyond it: B
	LocksMax   int           // keys that are held; default 65536; beyond it: B
	ConnsMax   int           // connections of all nodes; default 1024; beyond it: E not_active
	Fault      Fault
	FaultEvery uint64 // how often: at each token that this divides; default 20
}

// Fault is a promise that a service breaks on purpose.
type Fault string

// The faults.
const (
	FaultNone        Fault = ""
	FaultDoubleGrant Fault = "double-grant" // a key that is held is granted again
	FaultEarlyExpiry Fault = "early-expiry" // a lease ends after a tenth of its length
)

// Cluster is a running service. It is safe for concurrent use.
type Cluster struct {
	o     Options
	began time.Time
	wg    sync.WaitGroup
	done  chan struct{} // closed by Close
	timer *time.Timer   // for armed

	mu        sync.Mutex
	listeners []net.Listener
	now       clock.Time // since began, when the mutex was taken
	armed     clock.Time // when the next lease or wait ends, or sooner
	s         service.Service
	keys      names
	owners    names   // of acquires that have no answer yet
	conns     []*conn // by their place among the sessions
	places    []int32 // that are free
	touched   []*conn // have got something to write since the mutex was taken
	closed    bool
	counts    Counts
}

// Counts says what a service has done so far.
type Counts struct {
	Granted, TimedOut, Busy, Released, NotFound uint64
	Faults                                      uint64 // promises that were broken
	Leaders                                     uint64 // changes
	Conns, Locks                                int    // now
}

// New returns a service whose node i accepts from listeners[i], node 0 leading. It owns the listeners from now on, and
// is ended by Close.
func New(o Options, listeners []net.Listener) (*Cluster, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	if len(listeners) != len(o.Addrs) {
		return nil, fmt.Errorf("cluster: %d listeners for %d addresses", len(listeners), len(o.Addrs))
	}
	c := &Cluster{o: o, began: time.Now(), done: make(chan struct{}), timer: time.NewTimer(time.Hour), listeners: listeners,
		armed: clock.Never, keys: newNames(), owners: newNames(), conns: make([]*conn, o.ConnsMax+refusedMax)}
	for i := range c.conns {
		c.places = append(c.places, int32(len(c.conns)-1-i))
	}
	c.s.Reset(&service.Options{Addrs: o.Addrs, Credential: o.Credential, Conns: len(c.conns), Keys: o.LocksMax, AnyKey: true,
		ProposalsMax: 1, QueueMax: o.QueueMax, WaitersMax: o.WaitersMax, LeaseCap: uint32(o.LeaseMax / time.Millisecond),
		QueueDies: true, QueueLost: true, LeaseRestarts: true})
	c.lead(0)
	c.wg.Go(c.expire)
	for i, l := range listeners {
		c.wg.Go(func() { c.accept(int16(i), l) })
	}
	return c, nil
}

func (o *Options) fill() error {
	if len(o.Addrs) == 0 {
		return errors.New("cluster: no addresses")
	}
	for _, a := range o.Addrs {
		if err := wire.CheckAddr(a); err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
	}
	if err := wire.CheckCredential(o.Credential); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	if o.LeaseMax == 0 {
		o.LeaseMax = time.Minute
	}
	if o.LeaseMax < time.Millisecond || o.LeaseMax > wire.MaxLease*time.Millisecond {
		return fmt.Errorf("cluster: LeaseMax is %v, not 1ms..%v", o.LeaseMax, wire.MaxLease*time.Millisecond)
	}
	for _, f := range []struct {
		v   *int
		def int
	}{{&o.QueueMax, 1024}, {&o.WaitersMax, 65536}, {&o.LocksMax, 65536}, {&o.ConnsMax, 1024}} {
		if *f.v == 0 {
			*f.v = f.def
		}
		if *f.v < 0 || *f.v > service.Most {
			return fmt.Errorf("cluster: a bound is %d, not 1..%d", *f.v, service.Most)
		}
	}
	if o.FaultEvery == 0 {
		o.FaultEvery = 20
	}
	switch o.Fault {
	case FaultNone, FaultDoubleGrant, FaultEarlyExpiry:
		return nil
	}
	return fmt.Errorf("cluster: no fault %q", o.Fault)
}

// Lead makes node i the leader, or nobody with -1. Clients of the old leader are sent away, which ends what they queued.
// Leases start again.
func (c *Cluster) Lead(i int) error {
	if i < -1 || i >= len(c.o.Addrs) {
		return fmt.Errorf("cluster: no node %d of %d", i, len(c.o.Addrs))
	}
	c.lock()
	defer c.flush()
	if int16(i) != c.s.Leader {
		c.counts.Leaders++
		c.lead(int16(i))
	}
	return nil
}

// lead makes node n the leader, or nobody with -1, and lets all nodes know.
func (c *Cluster) lead(n int16) {
	old := c.s.Leader
	if n < 0 {
		c.s.Vacate()
	} else {
		c.s.Lead(c.host(), c.now, n)
	}
	for i := range c.s.Nodes {
		c.s.Nodes[i].Knows = n
	}
	if old >= 0 {
		c.s.Depose(c.host(), old)
	}
	for i := range int16(len(c.s.Nodes)) {
		if n >= 0 && i != n && i != old {
			c.s.Notify(c.host(), i, n)
		}
	}
}

// Leader is the node that leads, or -1.
func (c *Cluster) Leader() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int(c.s.Leader)
}

// Counts returns what the service has done so far.
func (c *Cluster) Counts() Counts {
	c.lock()
	defer c.flush()
	n := c.counts
	n.Conns, n.Locks = len(c.conns)-len(c.places), c.keys.used
	return n
}

// lock takes the mutex, and ends the leases and waits that are over.
func (c *Cluster) lock() {
	c.mu.Lock()
	c.now = clock.Time(time.Since(c.began))
	c.s.ExpireAll(c.host(), c.now)
}

// flush wakes the writers that have something to do, sets the timer, and lets go of the mutex.
func (c *Cluster) flush() {
	for i, k := range c.touched {
		k.touched = false
		select {
		case k.wake <- struct{}{}:
		default:
		}
		c.touched[i] = nil
	}
	c.touched = c.touched[:0]
	// A timer that fires for a lease that was released meanwhile costs less than one that is set at each release.
	if at := c.s.Deadline(); at < c.armed {
		c.armed = at
		c.timer.Reset(time.Duration(at - c.now))
	}
	c.mu.Unlock()
}

// expire ends leases and waits as their time comes.
func (c *Cluster) expire() {
	for {
		select {
		case <-c.done:
			c.timer.Stop()
			return
		case <-c.timer.C:
			c.lock()
			c.armed = clock.Never
			c.flush()
		}
	}
}

// Close ends the service and waits until no connection and no goroutine of it is left.
func (c *Cluster) Close() {
	c.mu.Lock()
	if !c.closed {
		close(c.done)
	}
	c.closed = true
	for _, l := range c.listeners {
		l.Close()
	}
	for _, k := range c.conns {
		if k != nil {
			k.net.Close()
		}
	}
	c.mu.Unlock()
	c.wg.Wait()
}
