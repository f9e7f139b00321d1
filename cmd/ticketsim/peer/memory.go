package peer

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"ticketing/sim"
)

// Memory is a network of buffered streams in memory, in which everything takes the time that it takes in a simulated world.
type Memory struct {
	o MemoryOptions

	mu     sync.Mutex
	random *rand.Rand
	nodes  map[string]*memoryListener
}

// MemoryOptions are spans of time, each drawn anew, as likely up to its most.
type MemoryOptions struct {
	Seed     uint64
	DelayMax time.Duration // of a dial, and of what is written until it arrives
	WroteMax time.Duration // until a client's write returns
	WorkMax  time.Duration // until a node takes up the next request of a connection
}

// SpansOf are the options of a world's parameters.
func SpansOf(p *sim.Params, seed uint64) MemoryOptions {
	o, err := p.Net.WithDefaults()
	if err != nil {
		panic("peer: " + err.Error())
	}
	return MemoryOptions{Seed: seed, DelayMax: time.Duration(o.DelayMax), WroteMax: time.Duration(o.WroteMax),
		WorkMax: time.Duration(p.Service.Work.Max)}
}

// NewMemory makes a network without nodes.
func NewMemory(o MemoryOptions) *Memory {
	return &Memory{o: o, random: rand.New(rand.NewPCG(o.Seed, 0)), nodes: map[string]*memoryListener{}}
}

// span draws one.
func (m *Memory) span(most time.Duration) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Duration(m.random.Int64N(int64(most) + 1))
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
	timer := time.NewTimer(m.span(m.o.DelayMax))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case l.backlog <- &nodeConn{memoryConn: newMemoryConn(m, l.addr, there, back)}:
		return &clientConn{newMemoryConn(m, l.addr, back, there)}, nil
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

// memoryConn is one end of a connection. Writes never wait for the peer, so that it needs no deadlines.
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
	c.out.write(b, c.m.span(c.m.o.DelayMax))
	return len(b), nil
}

func (c *memoryConn) Close() error {
	c.once.Do(func() {
		close(c.done)
		c.out.write(nil, c.m.span(c.m.o.DelayMax))
	})
	return nil
}

func (c *memoryConn) LocalAddr() net.Addr              { return c.addr }
func (c *memoryConn) RemoteAddr() net.Addr             { return c.addr }
func (c *memoryConn) SetDeadline(time.Time) error      { return nil }
func (c *memoryConn) SetReadDeadline(time.Time) error  { return nil }
func (c *memoryConn) SetWriteDeadline(time.Time) error { return nil }

// clientConn is a client's end.
type clientConn struct{ *memoryConn }

func (c *clientConn) Write(b []byte) (int, error) {
	n, err := c.memoryConn.Write(b)
	time.Sleep(c.m.span(c.m.o.WroteMax))
	return n, err
}

// nodeConn is a node's end: it reads one request at a time, each after the time that the node works on it. A greeting takes none.
type nodeConn struct {
	*memoryConn
	ahead []byte // read, and not passed on
}

func (c *nodeConn) Read(b []byte) (int, error) {
	end := bytes.IndexByte(c.ahead, '\n')
	for ; end < 0; end = bytes.IndexByte(c.ahead, '\n') {
		n, err := c.memoryConn.Read(b)
		if err != nil {
			return 0, err
		}
		c.ahead = append(c.ahead, b[:n]...)
	}
	if c.ahead[0] != 'H' {
		time.Sleep(c.m.span(c.m.o.WorkMax))
	}
	n := copy(b, c.ahead[:end+1])
	c.ahead = c.ahead[:copy(c.ahead, c.ahead[n:])]
	return n, nil
}
