package client_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/cmd/ticketd/cluster"
)

// lan is a network in memory, for tests on a clock of their own (testing/synctest): on a busy machine they take longer,
// and come out the same.
type lan struct {
	mu sync.Mutex
	at []*plug
}

// plug is where a node listens. Connections are pipes: they take a byte only when it is read.
type plug struct {
	name  string
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

// listen returns a listener of a name of its own.
func (n *lan) listen(*testing.T) net.Listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := &plug{name: "node-" + strconv.Itoa(len(n.at)) + ":1", conns: make(chan net.Conn), done: make(chan struct{})}
	n.at = append(n.at, p)
	return p
}

var errRefused = errors.New("connection refused")

// dial is for client.Options.
func (n *lan) dial(ctx context.Context, addr string) (net.Conn, error) {
	p := n.find(addr)
	if p == nil {
		return nil, errRefused
	}
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-p.done:
		return nil, errRefused
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (n *lan) find(addr string) *plug {
	n.mu.Lock()
	defer n.mu.Unlock()
	if i := slices.IndexFunc(n.at, func(p *plug) bool { return p.name == addr }); i >= 0 {
		return n.at[i]
	}
	return nil
}

// isolated runs a test with a service and a client of it, on a clock and a network of their own. The bubble fails if a goroutine
// of either is left.
func isolated(t *testing.T, nodes int, so cluster.Options, co client.Options, test func(t *testing.T, service *cluster.Cluster, c *client.Client)) {
	synctest.Test(t, func(t *testing.T) {
		n := &lan{}
		var service *cluster.Cluster
		service, co.Addrs = n.serve(t, nodes, so)
		co.Credential, co.Dial = credential, n.dial
		c, err := client.New(co)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
		test(t, service, c)
	})
}

// serve starts a service of some nodes.
func (n *lan) serve(t *testing.T, nodes int, o cluster.Options) (*cluster.Cluster, []string) {
	var listeners []net.Listener
	for range nodes {
		l := n.listen(t)
		listeners, o.Addrs = append(listeners, l), append(o.Addrs, l.Addr().String())
	}
	o.Credential = credential
	c, err := cluster.New(o, listeners)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c, o.Addrs
}

func (p *plug) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *plug) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *plug) Addr() net.Addr { return p }

// Network and String make it an address.
func (p *plug) Network() string { return "pipe" }
func (p *plug) String() string  { return p.name }
