package cluster_test

import (
	"bufio"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/cmd/ticketd/cluster"
)

// inMemory is a listener whose connections are pipes, so that time can be a test's own.
type inMemory chan net.Conn

func (l inMemory) Accept() (net.Conn, error) {
	c, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (l inMemory) Close() error   { close(l); return nil }
func (l inMemory) Addr() net.Addr { return nil }

// inBubble runs a test against a service of one node, on a clock of its own.
func inBubble(t *testing.T, o cluster.Options, test func(t *testing.T, s *cluster.Cluster, d *dialogue)) {
	synctest.Test(t, func(t *testing.T) {
		l := make(inMemory)
		o.Addrs, o.Credential = []string{"node:1"}, "secret"
		s, err := cluster.New(o, []net.Listener{l})
		require.NoError(t, err)
		defer s.Close()
		near, far := net.Pipe()
		l <- far
		d := &dialogue{t, near, bufio.NewReader(near)}
		d.say("H 1 secret")
		test(t, s, d)
	})
}

// TestEndsInTime: leases and waits end at their instants, to the millisecond, though nobody asks.
func TestEndsInTime(t *testing.T) {
	inBubble(t, cluster.Options{}, func(t *testing.T, s *cluster.Cluster, d *dialogue) {
		began := time.Now()
		after := func(want time.Duration) { t.Helper(); require.Equal(t, want, time.Since(began)) }
		d.say("A k o1 0 50", "A k o2 20 100", "A k o3 5000 10", "A k o4 5000 1000")
		d.hears("A k o1 1 50")
		after(0)
		d.hears("T k o2")
		after(20 * time.Millisecond)
		d.hears("A k o3 2 10")
		after(50 * time.Millisecond)
		d.hears("A k o4 3 1000")
		after(60 * time.Millisecond)
		time.Sleep(999 * time.Millisecond)
		synctest.Wait()
		require.Equal(t, 1, s.Counts().Locks)
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.Zero(t, s.Counts().Locks)
		// The first end is put off by a release, and a later one comes before it.
		d.say("A k o5 0 100")
		d.hears("A k o5 4 100")
		d.say("R k 4", "A k o6 0 300", "A l o7 0 200", "A l o8 5000 1")
		d.hears("R k 4", "A k o6 5 300", "A l o7 6 200", "A l o8 7 1")
		after(1260 * time.Millisecond)
	})
}

func TestFaults(t *testing.T) {
	inBubble(t, cluster.Options{Fault: cluster.FaultDoubleGrant, FaultEvery: 3}, func(t *testing.T, s *cluster.Cluster, d *dialogue) {
		d.say("A k o1 0 5000", "A l o2 0 5000", "A k o3 0 5000", "A k o4 0 5000", "R k 1", "R k 3")
		d.hears("A k o1 1 5000", "A l o2 2 5000", "A k o3 3 5000", "T k o4", "N k 1", "R k 3")
		require.EqualValues(t, 1, s.Counts().Faults)
	})
	inBubble(t, cluster.Options{Fault: cluster.FaultEarlyExpiry, FaultEvery: 2}, func(t *testing.T, s *cluster.Cluster, d *dialogue) {
		began := time.Now()
		d.say("A k o1 0 1000", "A k o2 5000 1000", "A k o3 5000 1000")
		d.hears("A k o1 1 1000", "A k o2 2 1000", "A k o3 3 1000")
		require.Equal(t, 1100*time.Millisecond, time.Since(began))
		require.EqualValues(t, 1, s.Counts().Faults)
	})
}
