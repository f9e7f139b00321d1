// Package proxy is a TCP proxy that does to a stream what networks do: it delays, splits, resets, goes deaf in one
// direction or in both. It stands between a client and a node in tests, knows no protocol, and loses no byte of a stream
// without losing all that follow.
package proxy

import (
	"context"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// Options says what a proxy does. The odds are of a thousand chunks each; a chunk is what one read yields.
type Options struct {
	Seed      uint64
	DelayMax  time.Duration // each chunk waits up to it
	Split     int           // odds that a chunk is passed on byte groups at a time
	Reset     int           // odds that both ends are reset, with what is on the way
	HalfOpen  int           // odds that this direction passes nothing on from now
	BlackHole int           // odds that neither does

	// Dial opens a stream to the target; nil: TCP.
	Dial func(ctx context.Context, addr string) (net.Conn, error)
}

// Proxy accepts connections and passes them on to one target. It is safe for concurrent use.
type Proxy struct {
	listener net.Listener
	target   string
	dial     func(ctx context.Context, addr string) (net.Conn, error)
	wg       sync.WaitGroup
	done     chan struct{}

	mu     sync.Mutex
	o      Options
	random *rand.Rand
	pipes  map[*pipe]struct{}
	closed bool
}

// pipe is one connection through the proxy.
type pipe struct {
	near, far net.Conn
	deaf      [2]bool // by direction: 0 from near to far
}

// New returns a proxy that owns the listener and passes on to target until it is closed.
func New(o Options, listener net.Listener, target string) *Proxy {
	dial := o.Dial
	if dial == nil {
		var d net.Dialer
		dial = func(ctx context.Context, addr string) (net.Conn, error) { return d.DialContext(ctx, "tcp", addr) }
	}
	p := &Proxy{listener: listener, target: target, dial: dial, done: make(chan struct{}), o: o,
		random: rand.New(rand.NewPCG(o.Seed, 0)), pipes: map[*pipe]struct{}{}}
	p.wg.Go(p.accept)
	return p
}

// Heal ends all faults but those that have struck.
func (p *Proxy) Heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.o = Options{}
}

// Close ends the proxy and its connections, and waits until no goroutine of it is left.
func (p *Proxy) Close() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.done)
	}
	p.listener.Close()
	for c := range p.pipes {
		c.near.Close()
		c.far.Close()
	}
	p.mu.Unlock()
	p.wg.Wait()
}

func (p *Proxy) accept() {
	for {
		near, err := p.listener.Accept()
		if err != nil {
			return
		}
		far, err := p.connect()
		if err != nil {
			near.Close()
			continue
		}
		p.join(&pipe{near: near, far: far})
	}
}

// dialTimeout bounds how long one that connects holds up the next.
const dialTimeout = time.Second

func (p *Proxy) connect() (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	return p.dial(ctx, p.target)
}

func (p *Proxy) join(c *pipe) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		c.near.Close()
		c.far.Close()
		return
	}
	p.pipes[c] = struct{}{}
	p.wg.Go(func() {
		var there sync.WaitGroup
		there.Go(func() { p.pump(c, 0, c.far, c.near) })
		p.pump(c, 1, c.near, c.far)
		there.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.pipes, c)
	})
}

// pump passes on one direction. When it ends, both do.
func (p *Proxy) pump(c *pipe, direction int, dst, src net.Conn) {
	defer dst.Close()
	defer src.Close()
	buf := make([]byte, 4096)
	for {
		n, err := src.Read(buf)
		if err != nil {
			return
		}
		f := p.decide(c, direction, n)
		if f.delay > 0 && !p.pause(f.delay) {
			return
		}
		switch {
		case f.reset:
			reset(src)
			reset(dst)
			return
		case f.deaf:
			continue
		}
		for at := 0; at < n; at += f.piece {
			if _, err := dst.Write(buf[at:min(n, at+f.piece)]); err != nil {
				return
			}
		}
	}
}

// fate is what becomes of a chunk.
type fate struct {
	delay time.Duration
	piece int // bytes a write
	reset bool
	deaf  bool
}

func (p *Proxy) decide(c *pipe, direction, n int) fate {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := fate{piece: n}
	if p.o.DelayMax > 0 {
		f.delay = time.Duration(p.random.Int64N(int64(p.o.DelayMax)))
	}
	if p.strikes(p.o.Split) {
		f.piece = 1 + p.random.IntN(n)
	}
	f.reset = p.strikes(p.o.Reset)
	if p.strikes(p.o.HalfOpen) {
		c.deaf[direction] = true
	}
	if p.strikes(p.o.BlackHole) {
		c.deaf = [2]bool{true, true}
	}
	f.deaf = c.deaf[direction]
	return f
}

func (p *Proxy) strikes(odds int) bool { return odds > 0 && p.random.IntN(1000) < odds }

// pause says whether the proxy is still open after it.
func (p *Proxy) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-p.done:
		return false
	}
}

// reset makes the Close of a TCP connection a reset.
func reset(c net.Conn) {
	if t, ok := c.(*net.TCPConn); ok {
		t.SetLinger(0)
	}
}
