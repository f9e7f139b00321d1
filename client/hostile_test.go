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
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
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

func beHostile(t *testing.T, act func(conn net.Conn)) *hostile {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
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

var hostilities = map[string]func(net.Conn){
	"silent":       func(conn net.Conn) { io.Copy(io.Discard, conn) },
	"slams":        func(net.Conn) {},
	"hears, slams": func(conn net.Conn) { conn.Read(make([]byte, 1)) },
	"resets":       func(conn net.Conn) { conn.(*net.TCPConn).SetLinger(0) },
	"reads none":   func(conn net.Conn) { time.Sleep(time.Second) },
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
// connections, no text has the credential, and Close leaves no goroutine and no descriptor.
func TestHostilePeers(t *testing.T) {
	for name, act := range hostilities {
		t.Run(name, func(t *testing.T) { endure(t, act, nil) })
	}
}

// The same behind TLS, by a peer whose certificate is good.
func TestHostilePeersBehindTLS(t *testing.T) {
	model := httptest.NewTLSServer(nil) // its certificate is made for tests
	defer model.Close()
	roots := x509.NewCertPool()
	roots.AddCert(model.Certificate())
	for _, name := range []string{"silent", "slams", "reads none", "one byte", "no line", "refuses", "strays"} {
		t.Run(name, func(t *testing.T) {
			endure(t, func(conn net.Conn) {
				secured := tls.Server(conn, &tls.Config{Certificates: model.TLS.Certificates})
				if secured.Handshake() == nil {
					hostilities[name](secured)
				}
			}, &tls.Config{RootCAs: roots})
		})
	}
}

func endure(t *testing.T, act func(net.Conn), config *tls.Config) {
	goroutines, sockets := runtime.NumGoroutine(), openSockets(t)
	h := beHostile(t, act)
	var log bytes.Buffer
	c, err := client.New(client.Options{Addrs: []string{h.listener.Addr().String()}, Credential: credential, TLS: config,
		Grace: 20 * time.Millisecond, WriteStall: 100 * time.Millisecond, Backoff: hasty,
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	require.NoError(t, err)
	besiege(t, c, 100*time.Millisecond)
	before := heap()
	besiege(t, c, 250*time.Millisecond)
	require.Less(t, heap(), before+512<<10)
	s := c.Stats()
	require.LessOrEqual(t, s.Lane, 64)
	require.LessOrEqual(t, s.Links, 4)
	require.Zero(t, s.Outcomes[demux.Granted])

	t.Logf("%d connections; after the last two thirds %+d bytes of heap", s.Dials, int64(heap())-int64(before))

	began := time.Now()
	require.NoError(t, c.Close(context.Background()))
	require.Less(t, time.Since(began), 3*time.Second, "CloseGrace, and a slow machine")
	require.Zero(t, c.Stats().Links)
	h.close()
	nothingLeft(t, goroutines)
	require.Equal(t, sockets, openSockets(t))
	require.NotContains(t, log.String(), credential)
}

// hasty dials as fast as it is allowed to: 200 connections a second.
var hasty = func() demux.Backoffs {
	b := demux.Backoff{Base: time.Microsecond, Cap: time.Microsecond}
	return demux.Backoffs{Moved: b, NoLeader: b, NotActive: b, Auth: b, Broken: b, Lost: b, Own: b}
}()

// besiege has callers ask for a while.
func besiege(t *testing.T, c *client.Client, span time.Duration) {
	var callers sync.WaitGroup
	end := time.Now().Add(span)
	for range 8 {
		callers.Go(func() {
			for time.Now().Before(end) {
				began := time.Now()
				g, ok, err := c.Acquire(context.Background(), "key", client.AcquireOptions{Wait: 10 * time.Millisecond, Lease: time.Second})
				if ok || g != nil || err == nil || !sayable(err) {
					t.Errorf("%v, %v, %v", g, ok, err)
				} else if strings.Contains(err.Error(), credential) {
					t.Errorf("the credential in %v", err)
				}
				if d := time.Since(began); d > 5*time.Second {
					t.Errorf("took %v", d)
				}
			}
		})
	}
	callers.Wait()
}

// openSockets is the number of sockets of this process, where the system tells, else 0.
func openSockets(t *testing.T) int {
	files, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	n := 0
	for _, f := range files {
		if to, err := os.Readlink(f); err == nil && strings.HasPrefix(to, "socket:") {
			n++
		}
	}
	return n
}

// overheard keeps what was written to it.
type overheard struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *overheard) hear(conn net.Conn) {
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf)
		o.mu.Lock()
		o.b.Write(buf[:n])
		o.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (o *overheard) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// Where no connection comes to be, nothing was sent: of the credential neither.
func TestNobodyToTalkTo(t *testing.T) {
	model := httptest.NewTLSServer(nil) // its certificate is made for tests
	defer model.Close()
	roots := x509.NewCertPool()
	roots.AddCert(model.Certificate())
	var heard overheard
	for name, c := range map[string]struct {
		act  func(net.Conn)
		tls  *tls.Config
		addr string // else the peer's
	}{
		"nobody listens": {addr: "127.0.0.1:1"},
		"no such host":   {addr: "no-such-host.invalid:1"},
		"no port":        {addr: "127.0.0.1"},
		"silent":         {act: heard.hear, tls: &tls.Config{RootCAs: roots}},
		"plaintext":      {act: func(conn net.Conn) { conn.Write([]byte("E auth_failed\n")); heard.hear(conn) }, tls: &tls.Config{RootCAs: roots}},
		"wrong name":     {act: handshakes(model.TLS.Certificates), tls: &tls.Config{RootCAs: roots, ServerName: "another.example"}},
		"no trust":       {act: handshakes(model.TLS.Certificates), tls: &tls.Config{RootCAs: x509.NewCertPool()}},
		"no version":     {act: handshakes(model.TLS.Certificates), tls: &tls.Config{RootCAs: roots, MaxVersion: tls.VersionTLS11}},
		"slams":          {act: func(net.Conn) {}, tls: &tls.Config{RootCAs: roots}},
	} {
		t.Run(name, func(t *testing.T) {
			goroutines, sockets := runtime.NumGoroutine(), openSockets(t)
			h := beHostile(t, c.act)
			if c.addr == "" {
				c.addr = h.listener.Addr().String()
			}
			var log bytes.Buffer
			cl, err := client.New(client.Options{Addrs: []string{c.addr}, Credential: credential, TLS: c.tls, Backoff: hasty,
				Grace: 100 * time.Millisecond, DialTimeout: 40 * time.Millisecond, Logger: slog.New(slog.NewJSONHandler(&log, nil))})
			require.NoError(t, err)
			_, ok, err := cl.Acquire(context.Background(), "key", client.AcquireOptions{Lease: time.Second})
			require.False(t, ok)
			require.ErrorIs(t, err, client.ErrNotSent)
			require.NotErrorIs(t, err, client.ErrClosed)
			require.NoError(t, cl.Close(context.Background()))
			require.NotZero(t, cl.Stats().Dials)
			h.close()
			nothingLeft(t, goroutines)
			require.Equal(t, sockets, openSockets(t))
			require.NotContains(t, log.String(), credential)
			require.NotContains(t, heard.String(), credential)
		})
	}
}

// handshakes does its part of TLS.
func handshakes(certificates []tls.Certificate) func(net.Conn) {
	return func(conn net.Conn) { io.Copy(io.Discard, tls.Server(conn, &tls.Config{Certificates: certificates})) }
}
