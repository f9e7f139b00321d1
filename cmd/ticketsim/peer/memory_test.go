package peer_test

import (
	"context"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/cmd/ticketsim/peer"
)

// connected are both ends of a connection to the only node of a network.
func connected(t *testing.T, o peer.MemoryOptions) (dialer, acceptor net.Conn) {
	m := peer.NewMemory(o)
	l, err := m.Listen("n0")
	require.NoError(t, err)
	accepted := make(chan net.Conn)
	go func() {
		c, err := l.Accept()
		require.NoError(t, err)
		accepted <- c
	}()
	dialer, err = m.Dial(context.Background(), "n0")
	require.NoError(t, err)
	return dialer, <-accepted
}

func TestMemoryTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		c, n := connected(t, peer.MemoryOptions{DelayMax: time.Second, WroteMax: time.Second, WorkMax: time.Second})
		for range 50 {
			_, err := c.Write([]byte("A\nB\n"))
			require.NoError(t, err)
		}
		require.NoError(t, c.Close())
		_, err := c.Write([]byte("C\n"))
		require.ErrorIs(t, err, net.ErrClosed)
		buf := make([]byte, 64)
		for range 50 {
			for _, want := range []string{"A\n", "B\n"} { // one request at a time, in order
				k, err := n.Read(buf)
				require.NoError(t, err)
				require.Equal(t, want, string(buf[:k]))
			}
		}
		_, err = n.Read(buf)
		require.ErrorIs(t, err, io.EOF)
		// 51 writes, of half a second each, while the node works; 100 requests of half a second.
		took := time.Since(began)
		require.Greater(t, took, 50*time.Second)
		require.Less(t, took, 110*time.Second)
	})
}

func TestMemoryCloseEndsReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, n := connected(t, peer.MemoryOptions{DelayMax: time.Minute})
		ended := make(chan error)
		go func() {
			_, err := c.Read(make([]byte, 1))
			ended <- err
		}()
		synctest.Wait()
		_, err := n.Write([]byte("late\n"))
		require.NoError(t, err)
		require.NoError(t, c.Close())
		require.ErrorIs(t, <-ended, net.ErrClosed)
		require.NoError(t, n.Close())
	})
}

func TestMemoryDialEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := peer.NewMemory(peer.MemoryOptions{})
		_, err := m.Dial(context.Background(), "n0")
		require.EqualError(t, err, "peer: nobody listens at n0")
		l, err := m.Listen("n0")
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err = m.Dial(ctx, "n0") // nobody accepts
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NoError(t, l.Close())
		_, err = m.Dial(context.Background(), "n0")
		require.ErrorIs(t, err, net.ErrClosed)
		_, err = l.Accept()
		require.ErrorIs(t, err, net.ErrClosed)
	})
}
