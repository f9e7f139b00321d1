package peer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// Memory is a network of buffered streams in memory. What is written arrives within DelayMax, in order.
type Memory struct {
	delayMax time.Duration

	mu     sync.Mutex
	random *rand.Rand
	nodes  map[string]*memoryListener
}

// NewMemory makes a network whose delays follow from a seed.
func NewMemory(delayMax time.Duration, seed uint64) *Memory {
	return &Memory{delayMax: delayMax, random: rand.New(rand.NewPCG(seed, seed)), nodes: map[string]*memoryListener{}}
}

func (m *Memory) delay() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Duration(m.random.Int64N(int64(m.delayMax) + 1))
}

// Listen has node accept connections.
func (m *Memory) Listen(node string) (net.Listener, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := &memoryListener{addr: memoryAddr(node), backlog: make(chan net.Conn), done: make(chan struct{})}
	m.nodes[node] = l
	return l, nil
}

// Dial connects to node.
func (m *Memory) Dial(ctx context.Context, node string) (net.Conn, error) {
	m.mu.Lock()
	l := m.nodes[node]
	m.mu.Unlock()
	if l == nil {
		return nil, fmt.Errorf("peer: nobody listens at %s", node)
	}
	there, back := newStream(), newStream()
	timer := time.NewTimer(m.delay())
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case l.backlog <- newMemoryConn(m, l.addr, there, back):
		return newMemoryConn(m, l.addr, back, there), nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type memoryListener struct {
	addr    memoryAddr
	backlog chan net.Conn
	done    chan struct{}
	once    sync.Once
}

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.backlog:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *memoryListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *memoryListener) Addr() net.Addr { return l.addr }

type memoryAddr string

func (memoryAddr) Network() string  { return "memory" }
func (a memoryAddr) String() string { return string(a) }

// memoryConn is one end of a connection. Writes never block, so that it needs no deadlines.
type memoryConn struct {
	m    *Memory
	addr memoryAddr
	in   *stream
	out  *stream
	done chan struct{}
	once sync.Once
}

func newMemoryConn(m *Memory, addr memoryAddr, in, out *stream) *memoryConn {
	return &memoryConn{m: m, addr: addr, in: in, out: out, done: make(chan struct{})}
}

func (c *memoryConn) Read(b []byte) (int, error) { return c.in.read(b, c.done) }

func (c *memoryConn) Write(b []byte) (int, error) {
	select {
	case <-c.done:
		return 0, net.ErrClosed
	default:
	}
	c.out.write(b, c.m.delay())
	return len(b), nil
}

func (c *memoryConn) Close() error {
	c.once.Do(func() {
		close(c.done)
		c.out.write(nil, c.m.delay())
	})
	return nil
}

func (c *memoryConn) LocalAddr() net.Addr              { return c.addr }
func (c *memoryConn) RemoteAddr() net.Addr             { return c.addr }
func (c *memoryConn) SetDeadline(time.Time) error      { return nil }
func (c *memoryConn) SetReadDeadline(time.Time) error  { return nil }
func (c *memoryConn) SetWriteDeadline(time.Time) error { return nil }
