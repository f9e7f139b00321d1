package client_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/client/demux"
	"ticketing/client/wire"
)

// hostile is a peer that does what it likes with each connection.
type hostile struct {
	listener net.Listener
	group    sync.WaitGroup
	mu       sync.Mutex
	conns    []net.Conn
	over     bool
}

func beHostile(t testing.TB, act func(conn net.Conn)) *hostile {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return hostileAt(l, act)
}

func hostileAt(l net.Listener, act func(conn net.Conn)) *hostile {
	h := &hostile{listener: l}
	h.group.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if !h.keep(conn) {
				return
			}
			h.group.Go(func() {
				defer h.drop(conn)
				act(conn)
			})
		}
	})
	return h
}

func (h *hostile) keep(conn net.Conn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		conn.Close()
		return false
	}
	h.conns = append(h.conns, conn)
	return true
}

// drop forgets a connection: what the peer keeps must not look like the client's.
func (h *hostile) drop(conn net.Conn) {
	conn.Close()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.conns = slices.DeleteFunc(h.conns, func(c net.Conn) bool { return c == conn })
}

func (h *hostile) close() {
	h.listener.Close()
	h.mu.Lock()
	h.over = true
	for _, c := range h.conns {
		c.Close()
	}
	h.mu.Unlock()
	h.group.Wait()
}

// repeats answers what it reads first with the same bytes again and again, for as long as they are taken.
func repeats(line string) func(net.Conn) {
	many := []byte(strings.Repeat(line, 1+4096/len(line)))
	return func(conn net.Conn) {
		conn.Read(make([]byte, 4096))
		for {
			if _, err := conn.Write(many); err != nil {
				return
			}
		}
	}
}

// says answers what it reads first once, then takes all and is silent.
func says(text string) func(net.Conn) {
	return func(conn net.Conn) {
		conn.Read(make([]byte, 4096))
		conn.Write([]byte(text))
		io.Copy(io.Discard, conn)
	}
}

// strays grants what nobody asked for, in the name of this very client: each is an orphan.
func strays(conn net.Conn) {
	buf := make([]byte, 4096)
	n, _ := conn.Read(buf)
	for _, line := range strings.Split(string(buf[:n]), "\n") {
		if f := strings.Fields(line); len(f) == 5 && f[0] == "A" {
			prefix, _, _ := strings.Cut(f[2], "-")
			for i := range 10_000 {
				owner := fmt.Sprintf("%s-%d", prefix, 1_000_000+i)
				if _, err := conn.Write(wire.AppendGranted(nil, "stray", owner, uint64(i)+1, 1000)); err != nil {
					return
				}
			}
		}
	}
	io.Copy(io.Discard, conn)
}

func resets(conn net.Conn) {
	if c, ok := conn.(*net.TCPConn); ok {
		c.SetLinger(0)
	}
}

var hostilities = map[string]func(net.Conn){
	"silent":       func(conn net.Conn) { io.Copy(io.Discard, conn) },
	"slams":        func(net.Conn) {},
	"hears, slams": func(conn net.Conn) { conn.Read(make([]byte, 1)) },
	"resets":       resets,
	"reads none":   func(net.Conn) { time.Sleep(200 * time.Millisecond) },
	"one byte":     says("A"),
	"zeros":        says(strings.Repeat("\x00", 3000)),
	"http":         says("HTTP/1.1 400 Bad Request\r\n\r\n"),
	"tls":          says("\x15\x03\x01\x00\x02\x02\x16"),
	"empty lines":  repeats("\n"),
	"no line":      repeats("x"),
	"notices":      repeats("L 127.0.0.1:9\n"),
	"redirects":    repeats("M 127.0.0.1:9\n"),
	"no leader":    repeats("E no_leader " + credential + "\n"),
	"other codes":  repeats("E what_now " + credential + "\n"),
	"refuses":      repeats("E auth_failed " + credential + "\n"),
	"foreign":      repeats("A key somebody-1 7 1000\n"),
	"not found":    repeats("N key 7\n"),
	"strays":       strays,
}

// Whatever a peer does, every request ends in time with an outcome that is true, memory does not grow with
// connections, no text has the credential, and Close leaves nothing. On a clock of its own: to the millisecond.
func TestHostilePeers(t *testing.T) {
	for name, act := range hostilities {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { wear(t, act, nil, 2*time.Second) }) })
	}
}

// The same behind TLS, by a peer whose certificate is good.
func TestHostilePeersBehindTLS(t *testing.T) {
	for _, name := range []string{"silent", "slams", "reads none", "one byte", "no line", "refuses", "strays"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { wear(t, behindTLS(hostilities[name]), trusting(), 100*time.Millisecond) })
		})
	}
}

// The same over TCP, where the descriptors are counted.
func TestHostilePeersOverTCP(t *testing.T) {
	for name, act := range hostilities {
		t.Run(name, func(t *testing.T) { endure(t, act, nil) })
	}
	t.Run("no line, behind TLS", func(t *testing.T) { endure(t, behindTLS(hostilities["no line"]), trusting()) })
}

// besieged is the client that a hostile peer gets.
func besieged(t *testing.T, o client.Options) (*client.Client, *ear) {
	log := &ear{}
	o.Credential, o.Backoff = credential, hasty
	o.Grace, o.WriteStall, o.CloseGrace = siegeGrace, siegeStall, 300*time.Millisecond
	o.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c, err := client.New(o)
	require.NoError(t, err)
	return c, log
}

// paced takes time for each write: where time passes only when all wait, a flood would stop it.
type paced struct{ net.Conn }

func (p paced) Write(b []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return p.Conn.Write(b)
}

// besiegedMax bounds what a client and its peer hold at a time: the tables of the machine, as many connections as Links allows,
// and no answer longer than a buffer.
const besiegedMax = 256 << 10

// wear besieges a client in memory, for spans that are long enough to show what it keeps of each connection.
func wear(t *testing.T, act func(net.Conn), config *tls.Config, span time.Duration) {
	n := &lan{}
	empty := heap()
	h := hostileAt(n.listen(t), func(conn net.Conn) { act(paced{conn}) })
	c, log := besieged(t, client.Options{Addrs: []string{h.listener.Addr().String()}, Dial: n.dial, TLS: config})
	defer h.close()
	defer c.Close(context.Background()) // what is left of a test that failed must not hide why
	const slack = 32 << 10              // two buffers of connections that ended are too much
	grown := growth(slack, func() {
		besiege(t, c, span, siegeEnds)
		bounded(t, c)
	})
	require.LessOrEqual(t, grown, int64(slack), "bytes, in at least one of %d rounds; %d connections so far", roundsMax, c.Stats().Dials)
	most := heap() - empty
	require.LessOrEqual(t, most, int64(besiegedMax), "bytes of a client under siege, the peer's included")
	t.Logf("%d connections; %+d bytes of heap, of %d", c.Stats().Dials, grown, most)

	began := time.Now()
	require.NoError(t, c.Close(context.Background()))
	require.LessOrEqual(t, time.Since(began), 300*time.Millisecond, "CloseGrace")
	require.Zero(t, c.Stats().Links)
	h.close()
	require.NotZero(t, log.bytes)
	require.False(t, log.heard)
	// The bubble itself fails if a goroutine is left.
}

// endure besieges a client over TCP for a moment.
func endure(t *testing.T, act func(net.Conn), config *tls.Config) {
	before := held(t)
	h := beHostile(t, act)
	c, log := besieged(t, client.Options{Addrs: []string{h.listener.Addr().String()}, TLS: config})
	besiege(t, c, 50*time.Millisecond, never)
	bounded(t, c)
	require.NoError(t, c.Close(context.Background()))
	require.Zero(t, c.Stats().Links)
	h.close()
	nothingLeft(t, before)
	require.NotZero(t, log.bytes)
	require.False(t, log.heard)
}

// bounded demands that tables are, and that nothing was believed.
func bounded(t *testing.T, c *client.Client) {
	s := c.Stats()
	require.LessOrEqual(t, s.Lane, 64)
	require.LessOrEqual(t, s.Links, 4)
	require.Zero(t, s.Outcomes[demux.Granted])
}

// hasty dials as fast as it is allowed to: 200 connections a second.
var hasty = func() demux.Backoffs {
	b := demux.Backoff{Base: time.Microsecond, Cap: time.Microsecond}
	return demux.Backoffs{Moved: b, NoLeader: b, NotActive: b, Auth: b, Broken: b, Lost: b, Own: b}
}()

// What an acquire of a siege may take: one that is sent at the last moment has Grace again, and one whose bytes nobody takes
// is known only when the write has ended.
const (
	siegeWait  = 10 * time.Millisecond
	siegeGrace = 20 * time.Millisecond
	siegeStall = 100 * time.Millisecond
	siegeEnds  = siegeWait + 2*(siegeGrace+siegeWait/1000) + siegeStall
	never      = time.Duration(1<<63 - 1)
)

// besiege has callers ask for a while. None of them waits longer than most.
func besiege(t *testing.T, c *client.Client, span, most time.Duration) {
	var callers sync.WaitGroup
	end := time.Now().Add(span)
	for range 8 {
		callers.Go(func() {
			for time.Now().Before(end) {
				began := time.Now()
				g, ok, err := c.Acquire(context.Background(), "key", client.AcquireOptions{Wait: siegeWait, Lease: time.Second})
				if ok || g != nil || err == nil || !sayable(err) {
					t.Errorf("%v, %v, %v", g, ok, err)
				} else if strings.Contains(err.Error(), credential) {
					t.Errorf("the credential in %v", err)
				}
				if d := time.Since(began); d > most {
					t.Errorf("took %v", d)
				}
			}
		})
	}
	callers.Wait()
}

// ear listens for the credential in what is written to it, and keeps nothing else.
type ear struct {
	mu    sync.Mutex
	tail  []byte // that what comes next may make whole
	bytes int
	heard bool
}

func (e *ear) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.bytes += len(p)
	e.tail = append(e.tail, p...)
	e.heard = e.heard || bytes.Contains(e.tail, []byte(credential))
	if extra := len(e.tail) - (len(credential) - 1); extra > 0 {
		e.tail = append(e.tail[:0], e.tail[extra:]...)
	}
	return len(p), nil
}

// hear is a peer that takes all and is silent.
func (e *ear) hear(conn net.Conn) { io.Copy(e, conn) }

func TestEarHears(t *testing.T) {
	var e ear
	for _, b := range []byte("x" + credential) {
		require.False(t, e.heard)
		e.Write([]byte{b})
	}
	require.True(t, e.heard)
	var other ear
	other.Write([]byte("before" + credential + "after"))
	require.True(t, other.heard)
	require.Less(t, len(other.tail), len(credential))
}

// Where no connection comes to be, nothing was sent: of the credential neither.
func TestNobodyToTalkTo(t *testing.T) {
	certificates, roots := identity()
	var heard ear
	for name, c := range map[string]struct {
		act  func(net.Conn)
		tls  *tls.Config
		addr string // else the peer's
	}{
		"nobody listens": {addr: "127.0.0.1:1"},
		"no such host":   {addr: "no..such.host:1"},
		"no port":        {addr: "127.0.0.1"},
		"silent":         {act: heard.hear, tls: &tls.Config{RootCAs: roots}},
		"plaintext":      {act: func(conn net.Conn) { conn.Write([]byte("E auth_failed\n")); heard.hear(conn) }, tls: &tls.Config{RootCAs: roots}},
		"wrong name":     {act: handshakes(certificates), tls: &tls.Config{RootCAs: roots, ServerName: "another.example"}},
		"no trust":       {act: handshakes(certificates), tls: &tls.Config{RootCAs: x509.NewCertPool()}},
		"no version":     {act: handshakes(certificates), tls: &tls.Config{RootCAs: roots, MaxVersion: tls.VersionTLS11}},
		"slams":          {act: func(net.Conn) {}, tls: &tls.Config{RootCAs: roots}},
	} {
		t.Run(name, func(t *testing.T) {
			before := held(t)
			h := beHostile(t, c.act)
			if c.addr == "" {
				c.addr = h.listener.Addr().String()
			}
			log := &ear{}
			cl, err := client.New(client.Options{Addrs: []string{c.addr}, Credential: credential, TLS: c.tls, Backoff: hasty,
				Grace: 100 * time.Millisecond, DialTimeout: 40 * time.Millisecond, Logger: slog.New(slog.NewJSONHandler(log, nil))})
			require.NoError(t, err)
			_, ok, err := cl.Acquire(context.Background(), "key", client.AcquireOptions{Lease: time.Second})
			require.False(t, ok)
			require.ErrorIs(t, err, client.ErrNotSent)
			require.NotErrorIs(t, err, client.ErrClosed)
			require.NoError(t, cl.Close(context.Background()))
			require.NotZero(t, cl.Stats().Dials)
			h.close()
			nothingLeft(t, before)
			require.False(t, log.heard)
			require.False(t, heard.heard)
		})
	}
}

// handshakes does its part of TLS.
func handshakes(certificates []tls.Certificate) func(net.Conn) {
	return func(conn net.Conn) { io.Copy(io.Discard, tls.Server(conn, &tls.Config{Certificates: certificates})) }
}
