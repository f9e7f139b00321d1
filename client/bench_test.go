package client_test

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/client/wire"
	"ticketing/cmd/ticketd/cluster"
)

// The same work for three clients: 64 callers, each acquires a key of its own and releases it.
const benchCallers = 64

// pairs runs b.N pairs over benchCallers callers and reports the rate, the latency quantiles and the allocations of the whole
// process, the service included.
func pairs(b *testing.B, pair func(caller int, key string) error) {
	b.ReportAllocs()
	var next atomic.Int64
	var callers sync.WaitGroup
	took := make([][]time.Duration, benchCallers)
	share := b.N/benchCallers + 1
	for i := range took {
		took[i] = make([]time.Duration, 0, 2*share)
	}
	b.ResetTimer()
	for i := range benchCallers {
		callers.Go(func() {
			key := "key-" + strconv.Itoa(i)
			for next.Add(1) <= int64(b.N) {
				began := time.Now()
				if err := pair(i, key); err != nil {
					b.Error(err)
					return
				}
				took[i] = append(took[i], time.Since(began))
			}
		})
	}
	callers.Wait()
	b.StopTimer()
	all := slices.Concat(took...)
	slices.Sort(all)
	require.Equal(b, b.N, len(all)) // Len would print them all
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
	b.ReportMetric(float64(all[len(all)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
}

func BenchmarkClient(b *testing.B) {
	_, addrs := serve(b, 1, cluster.Options{})
	c := connect(b, client.Options{Addrs: addrs})
	ctx := context.Background()
	pairs(b, func(_ int, key string) error {
		g, ok, err := c.Acquire(ctx, key, short)
		if err != nil || !ok {
			return err
		}
		_, err = g.Release(ctx)
		return err
	})
}

// naive is the demultiplexer that one writes first: a mutex around a map of waiters and the connection, one write a
// request, one goroutine that reads.
type naive struct {
	mu      sync.Mutex
	conn    net.Conn
	buf     []byte
	waiters map[string]chan wire.Reply
	owner   uint64
}

func newNaive(b *testing.B, addr string) *naive {
	conn, err := net.Dial("tcp", addr)
	require.NoError(b, err)
	b.Cleanup(func() { conn.Close() })
	_, err = conn.Write(wire.AppendHello(nil, credential))
	require.NoError(b, err)
	n := &naive{conn: conn, waiters: map[string]chan wire.Reply{}}
	go n.read()
	return n
}

func (n *naive) read() {
	for in := bufio.NewReaderSize(n.conn, 16<<10); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r wire.Reply
		if _, err := wire.ParseReply(line, &r); err != nil {
			return
		}
		id := string(r.Owner)
		if r.Op == wire.OpReleased || r.Op == wire.OpNotFound {
			id = strconv.FormatUint(r.Token, 10)
		}
		n.mu.Lock()
		waiter := n.waiters[id]
		delete(n.waiters, id)
		n.mu.Unlock()
		waiter <- r
	}
}

// ask sends what frame appends and waits for the reply.
func (n *naive) ask(id string, frame func(dst []byte) []byte) (wire.Reply, error) {
	waiter := make(chan wire.Reply, 1)
	n.mu.Lock()
	n.waiters[id] = waiter
	n.buf = frame(n.buf[:0])
	_, err := n.conn.Write(n.buf)
	n.mu.Unlock()
	if err != nil {
		return wire.Reply{}, err
	}
	return <-waiter, nil
}

func (n *naive) pair(key string) error {
	n.mu.Lock()
	n.owner++
	owner := "o" + strconv.FormatUint(n.owner, 10) // no token looks like it
	n.mu.Unlock()
	r, err := n.ask(owner, func(dst []byte) []byte { return wire.AppendAcquire(dst, key, owner, 2000, 10000) })
	if err != nil {
		return err
	}
	_, err = n.ask(strconv.FormatUint(r.Token, 10), func(dst []byte) []byte { return wire.AppendRelease(dst, key, r.Token) })
	return err
}

func BenchmarkNaiveDemux(b *testing.B) {
	_, addrs := serve(b, 1, cluster.Options{})
	n := newNaive(b, addrs[0])
	pairs(b, func(_ int, key string) error { return n.pair(key) })
}

// BenchmarkConnectionPerRequest dials for each acquire, and for each release.
func BenchmarkConnectionPerRequest(b *testing.B) {
	_, addrs := serve(b, 1, cluster.Options{})
	var owner atomic.Uint64
	ask := func(frame []byte) (r wire.Reply, err error) {
		conn, err := net.Dial("tcp", addrs[0])
		if err != nil {
			return r, err
		}
		defer conn.Close()
		conn.(*net.TCPConn).SetLinger(0) // else the ports run out
		if _, err := conn.Write(append(wire.AppendHello(nil, credential), frame...)); err != nil {
			return r, err
		}
		line, err := bufio.NewReader(conn).ReadBytes('\n')
		if err == nil {
			_, err = wire.ParseReply(bytes.Clone(line), &r)
		}
		return r, err
	}
	pairs(b, func(_ int, key string) error {
		r, err := ask(wire.AppendAcquire(nil, key, strconv.FormatUint(owner.Add(1), 10), 2000, 10000))
		if err == nil {
			_, err = ask(wire.AppendRelease(nil, key, r.Token))
		}
		return err
	})
}
