package client_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/cmd/ticketd/cluster"
	meter "ticketing/cmd/ticketsim/pairs"
)

// BenchmarkPairs is the same work for three clients of ticketd's service: 64 callers, each acquires a key of its own and releases
// it. It reports the rate, the latency quantiles, the processor time and the allocations of the whole process, and by how much the
// heap has grown; and it fails if a settlement is lost, or told twice, or if something is kept of each pair.
func BenchmarkPairs(b *testing.B) {
	for _, rival := range []struct {
		name string
		make func(b *testing.B, addr string) pairer
	}{
		{"client", newShipping},
		{"naive-demux", newNaive},
		{"connection-per-request", newDialling},
	} {
		b.Run(rival.name, func(b *testing.B) {
			service, addrs := serve(b, 1, cluster.Options{})
			pairs(b, service, rival.make(b, addrs[0]))
		})
	}
}

const benchCallers = 64

// pairer acquires a key and releases it, and returns the token.
type pairer func(key string) (token uint64, err error)

func pairs(b *testing.B, service *cluster.Cluster, pair pairer) {
	b.ReportAllocs()
	var next atomic.Int64
	var callers sync.WaitGroup
	took := make([][]time.Duration, benchCallers)
	for i := range took {
		took[i] = make([]time.Duration, 0, 2*(b.N/benchCallers+1))
	}
	before, spent := heap(), meter.ProcessorTime()
	b.ResetTimer()
	for i := range benchCallers {
		callers.Go(func() {
			key, last := "key-"+strconv.Itoa(i), uint64(0)
			for next.Add(1) <= int64(b.N) {
				began := time.Now()
				token, err := pair(key)
				if err != nil || token <= last {
					b.Errorf("token %d after %d: %v", token, last, err)
					return
				}
				last = token
				took[i] = append(took[i], time.Since(began))
			}
		})
	}
	callers.Wait()
	b.StopTimer()
	b.ReportMetric(float64(meter.ProcessorTime()-spent)/float64(b.N), "cpu-ns/op") // what a busy machine does not change much
	settled(b, service)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
	grown := heap() - before
	b.ReportMetric(float64(grown), "heap-B")
	require.Less(b, grown, int64(1<<20), "bytes of heap, after %d pairs", b.N)
	all := slices.Concat(took...)
	slices.Sort(all)
	require.Equal(b, b.N, len(all)) // Len would print them all
	b.ReportMetric(float64(all[len(all)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
}

// settled demands that the service has said as much as the callers heard: each of them was told once for each of its pairs, in
// the order of the tokens.
func settled(b *testing.B, service *cluster.Cluster) {
	n := service.Counts()
	require.EqualValues(b, b.N, n.Granted)
	require.EqualValues(b, b.N, n.Released)
	require.Zero(b, n.TimedOut+n.Busy+n.NotFound)
}

func newShipping(b *testing.B, addr string) pairer {
	c := connect(b, client.Options{Addrs: []string{addr}})
	b.Cleanup(func() {
		s := c.Stats()
		require.EqualValues(b, b.N, s.Outcomes[demux.Granted])
		require.EqualValues(b, b.N, s.Outcomes[demux.Released])
		require.Zero(b, s.Acquires+s.Releases+s.Held+s.Lane)
	})
	return func(key string) (uint64, error) {
		g, ok, err := c.Acquire(context.Background(), key, short)
		if err != nil || !ok {
			return 0, err
		}
		ending, err := g.Release(context.Background())
		if err == nil && ending != client.Released {
			err = errors.New(ending.String())
		}
		return g.Token(), err
	}
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

func newNaive(b *testing.B, addr string) pairer {
	conn, err := net.Dial("tcp", addr)
	require.NoError(b, err)
	b.Cleanup(func() { conn.Close() })
	_, err = conn.Write(wire.AppendHello(nil, credential))
	require.NoError(b, err)
	n := &naive{conn: conn, waiters: map[string]chan wire.Reply{}}
	go n.read()
	return n.pair
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

func (n *naive) pair(key string) (uint64, error) {
	n.mu.Lock()
	n.owner++
	owner := "o" + strconv.FormatUint(n.owner, 10) // no token looks like it
	n.mu.Unlock()
	r, err := n.ask(owner, func(dst []byte) []byte { return wire.AppendAcquire(dst, key, owner, 2000, 10000) })
	if err != nil {
		return 0, err
	}
	_, err = n.ask(strconv.FormatUint(r.Token, 10), func(dst []byte) []byte { return wire.AppendRelease(dst, key, r.Token) })
	return r.Token, err
}

// newDialling dials for each acquire, and for each release.
func newDialling(_ *testing.B, addr string) pairer {
	var owner atomic.Uint64
	ask := func(frame []byte) (r wire.Reply, err error) {
		conn, err := net.Dial("tcp", addr)
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
	return func(key string) (uint64, error) {
		r, err := ask(wire.AppendAcquire(nil, key, strconv.FormatUint(owner.Add(1), 10), 2000, 10000))
		if err == nil {
			_, err = ask(wire.AppendRelease(nil, key, r.Token))
		}
		return r.Token, err
	}
}
