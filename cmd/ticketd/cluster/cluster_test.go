package cluster_test

import (
	"bufio"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client/wire"
	"ticketing/cmd/ticketd/cluster"
)

// start starts a service of two nodes.
func start(t *testing.T, o cluster.Options) (*cluster.Cluster, []string) {
	var listeners []net.Listener
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		listeners, o.Addrs = append(listeners, l), append(o.Addrs, l.Addr().String())
	}
	o.Credential = "secret"
	c, err := cluster.New(o, listeners)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c, o.Addrs
}

// dialogue is a connection on which a test speaks the protocol by hand.
type dialogue struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func dial(t *testing.T, addr string) *dialogue {
	conn, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	return &dialogue{t, conn, bufio.NewReader(conn)}
}

func greeted(t *testing.T, addr string) *dialogue {
	d := dial(t, addr)
	d.say("H 1 secret")
	return d
}

func (d *dialogue) say(lines ...string) {
	_, err := d.conn.Write([]byte(strings.Join(lines, "\n") + "\n"))
	require.NoError(d.t, err)
}

func (d *dialogue) hears(lines ...string) {
	d.t.Helper()
	for _, want := range lines {
		got, err := d.in.ReadString('\n')
		require.NoError(d.t, err, "waiting for %q", want)
		require.Equal(d.t, want+"\n", got)
	}
}

// isLeft waits for the end of the stream, and allows it to be a reset.
func (d *dialogue) isLeft() {
	d.t.Helper()
	got, err := d.in.ReadString('\n')
	require.Error(d.t, err, "heard %q", got)
	var timeout net.Error
	if e, ok := err.(net.Error); ok {
		timeout = e
	}
	require.False(d.t, timeout != nil && timeout.Timeout(), "the connection stays")
}

func TestTurns(t *testing.T) {
	_, addrs := start(t, cluster.Options{LeaseMax: 5 * time.Second})
	d := greeted(t, addrs[0])
	d.say("A k o1 0 60000", "A k o2 0 100", "A k o3 5000 100", "A k o4 20 100", "A other o5 0 7")
	d.hears("A k o1 1 5000", "T k o2", "A other o5 2 7", "T k o4")
	d.say("R k 2", "R k 1", "R k 1")
	d.hears("N k 2", "R k 1", "A k o3 3 100", "N k 1")
}

func TestLeaseEnds(t *testing.T) {
	_, addrs := start(t, cluster.Options{})
	d := greeted(t, addrs[0])
	began := time.Now()
	d.say("A k o1 0 50", "A k o2 5000 60")
	d.hears("A k o1 1 50", "A k o2 2 60")
	require.GreaterOrEqual(t, time.Since(began), 50*time.Millisecond)
	time.Sleep(60 * time.Millisecond)
	d.say("R k 2")
	d.hears("N k 2")
}

func TestBounds(t *testing.T) {
	_, addrs := start(t, cluster.Options{QueueMax: 1, LocksMax: 1, ConnsMax: 1})
	d := greeted(t, addrs[0])
	d.say("A k o1 0 5000", "A k o2 5000 50", "A k o3 5000 50", "A other o4 0 50")
	d.hears("A k o1 1 5000", "B k o3", "B other o4")
	dial(t, addrs[1]).hears("E not_active")
}

func TestWaitersAreBounded(t *testing.T) {
	_, addrs := start(t, cluster.Options{WaitersMax: 1})
	d := greeted(t, addrs[0])
	d.say("A k o1 0 5000", "A l o2 0 5000", "A k o3 5000 50", "A l o4 5000 50")
	d.hears("A k o1 1 5000", "A l o2 2 5000", "B l o4")
}

func TestWaitsDieWithTheirConnection(t *testing.T) {
	c, addrs := start(t, cluster.Options{QueueMax: 1})
	d := greeted(t, addrs[0])
	d.say("A k o1 0 5000")
	d.hears("A k o1 1 5000")
	other := greeted(t, addrs[0])
	other.say("A k o2 5000 50", "A other o3 0 50")
	other.hears("A other o3 2 50")
	other.conn.Close()
	require.Eventually(t, func() bool { return c.Counts().Conns == 1 }, 5*time.Second, time.Millisecond)
	d.say("A k o4 5000 50", "R k 1")
	d.hears("R k 1", "A k o4 3 50")
}

func TestLeaderChange(t *testing.T) {
	c, addrs := start(t, cluster.Options{})
	first := greeted(t, addrs[0])
	first.say("A k o1 0 5000", "A k o2 5000 50")
	first.hears("A k o1 1 5000")
	third := greeted(t, addrs[1])
	third.say("R k 9")
	third.hears("M " + addrs[0])
	third.isLeft()

	require.NoError(t, c.Lead(1))
	first.hears("M " + addrs[1])
	first.isLeft()
	second := greeted(t, addrs[1])
	second.say("A k o3 0 50", "R k 1", "A k o4 0 50")
	second.hears("T k o3", "R k 1", "A k o4 2 50")

	require.NoError(t, c.Lead(-1))
	second.hears("E no_leader")
	second.isLeft()
	require.Error(t, c.Lead(2))
	require.EqualValues(t, 2, c.Counts().Leaders)
}

func TestRefusals(t *testing.T) {
	_, addrs := start(t, cluster.Options{})
	for _, c := range []struct{ says, hears string }{
		{"H 1 wrong", "E auth_failed"},
		{"A k o 0 1", "E protocol"},
		{"H 1 secret\nH 1 secret", "E protocol"},
		{"H 1 secret\nA k o 0 01", "E protocol"},
		{"H 2 secret", "E protocol"},
		{strings.Repeat("x", wire.MaxFrame), "E protocol"},
	} {
		d := dial(t, addrs[0])
		d.say(c.says)
		d.hears(c.hears)
		d.isLeft()
	}
	// A line without its end is not executed.
	d := greeted(t, addrs[0])
	_, err := d.conn.Write([]byte("A k o1 0 5000"))
	require.NoError(t, err)
	d.conn.Close()
	d = greeted(t, addrs[0])
	d.say("A k o2 0 5000")
	d.hears("A k o2 1 5000")
}

func TestOptions(t *testing.T) {
	for _, o := range []cluster.Options{
		{Credential: "c"}, {Addrs: []string{"a b"}, Credential: "c"}, {Addrs: []string{"a:1"}},
		{Addrs: []string{"a:1"}, Credential: "c", LeaseMax: 1}, {Addrs: []string{"a:1"}, Credential: "c", Fault: "none-such"},
		{Addrs: []string{"a:1"}, Credential: "c", QueueMax: -1}, {Addrs: []string{"a:1"}, Credential: "c", LocksMax: 1 << 30},
		{Addrs: []string{"a:1"}, Credential: "c"}, // and no listener
	} {
		_, err := cluster.New(o, nil)
		require.ErrorContains(t, err, "cluster: ")
	}
}
