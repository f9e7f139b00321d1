package peer

import (
	"context"
	"fmt"
	"net"
	"sync"
)

// Loopback is TCP on this machine.
type Loopback struct {
	mu    sync.Mutex
	nodes map[string]string
}

// NewLoopback makes a network without nodes.
func NewLoopback() *Loopback { return &Loopback{nodes: map[string]string{}} }

// Listen has node accept connections, at a port that is free.
func (l *Loopback) Listen(node string) (net.Listener, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.nodes[node] = listener.Addr().String()
	return listener, nil
}

// Dial connects to node.
func (l *Loopback) Dial(ctx context.Context, node string) (net.Conn, error) {
	l.mu.Lock()
	addr, ok := l.nodes[node]
	l.mu.Unlock()
	if !ok {
		return nil, fmt.Errorf("peer: nobody listens at %s", node)
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", addr)
}
