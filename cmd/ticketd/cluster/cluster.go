// Package cluster is a Ticketing service in one process: some nodes behind listeners, one of which leads, and one
// state of locks that only the leader changes. It is for trying clients and for tests: all of it is in memory, a commit is
// a mutex, and nothing survives the process. It is not the simulated service: it runs on the real clock, behind real
// connections.
//
// It keeps what the protocol assumes of a service:
//
//   - tokens grow over all keys, and are never used again (a-token);
//   - a lease ends no earlier than its length after the grant, and a new leader restarts it in full (a-lease);
//   - T, B and N are said by the leader, under the mutex that makes it one (a-final);
//   - a line without its end is not executed (a-line).
//
// An acquire that queues dies with its connection. A node that does not lead answers M, or E no_leader, and
// hangs up. Options.Fault makes the service break its word on purpose.
package cluster

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"ticketing/client/wire"
)

// Options says how a service behaves. A zero field but Addrs and Credential takes its default.
type Options struct {
	// Addrs are the names of the nodes, as they give them to clients: valid by wire.CheckAddr.
	Addrs []string
	// Credential is what a client must show.
	Credential string
	LeaseMax   time.Duration // the longest lease that is granted; default one minute
	QueueMax   int           // acquires that wait for one key; default 1024; beyond it: B
	LocksMax   int           // keys that are held; default 65536; beyond it: B
	ConnsMax   int           // connections of all nodes; default 1024; beyond it: E not_active
	Fault      Fault
	FaultEvery uint64 // how often: at each token that this divides; default 50
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
	o  Options
	wg sync.WaitGroup

	mu        sync.Mutex
	listeners []net.Listener
	leader    int // -1: none
	token     uint64
	locks     map[string]*lock // held; a lease that is over may not have been noticed
	spare     []*lock
	conns     map[*conn]struct{}
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
	c := &Cluster{o: o, listeners: listeners, locks: map[string]*lock{}, conns: map[*conn]struct{}{}}
	for i, l := range listeners {
		c.wg.Add(1)
		go c.accept(i, l)
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
	}{{&o.QueueMax, 1024}, {&o.LocksMax, 65536}, {&o.ConnsMax, 1024}} {
		if *f.v == 0 {
			*f.v = f.def
		}
	}
	if o.FaultEvery == 0 {
		o.FaultEvery = 50
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
	c.mu.Lock()
	defer c.flush()
	old := c.leader
	if old == i {
		return nil
	}
	c.leader = i
	c.counts.Leaders++
	for k := range c.conns {
		switch {
		case k.node == old:
			c.sendAway(k)
		case k.node != i && i >= 0 && k.greeted:
			c.reply(k, wire.AppendNotice(k.out, c.o.Addrs[i]))
		}
	}
	now := time.Now()
	for _, l := range c.locks {
		l.ends = now.Add(c.term(l))
		l.queue = l.queue[:0]
		c.arm(l)
	}
	return nil
}

// Leader is the node that leads, or -1.
func (c *Cluster) Leader() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.leader
}

// Counts returns what the service has done so far.
func (c *Cluster) Counts() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.counts
	n.Conns, n.Locks = len(c.conns), len(c.locks)
	return n
}

// Close ends the service and waits until no connection and no goroutine of it is left.
func (c *Cluster) Close() {
	c.mu.Lock()
	c.closed = true
	for _, l := range c.listeners {
		l.Close()
	}
	for k := range c.conns {
		k.net.Close()
	}
	for _, l := range c.locks {
		l.stop()
	}
	c.mu.Unlock()
	c.wg.Wait()
}
