package client_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/client/wire"
)

// The tests of the shell by itself run on a clock of their own, over pipes whose other end the test holds: a pipe takes a
// byte only when it is read.

// peer is the other end of the connections.
type peer struct {
	t     *testing.T
	conns chan net.Conn
}

// bubble runs a test with a client whose connections are pipes. What is seen of it is replayed in the end.
func bubble(t *testing.T, o client.Options, test func(t *testing.T, c *client.Client, p *peer)) {
	synctest.Test(t, func(t *testing.T) {
		p := &peer{t: t, conns: make(chan net.Conn, 16)}
		var seen recorder
		o := o
		o.Trace(seen.step)
		o.Credential = credential
		if o.Addrs == nil {
			o.Addrs = []string{"n1:1", "n2:1"}
		}
		if o.Dial == nil {
			o.Dial = func(context.Context, string) (net.Conn, error) {
				near, far := net.Pipe()
				p.conns <- far
				return near, nil
			}
		}
		c, err := client.New(o)
		require.NoError(t, err)
		defer c.Close(context.Background()) // what is left of a test that failed must not hide why
		test(t, c, p)
		began := time.Now()
		require.NoError(t, c.Close(context.Background()))
		require.LessOrEqual(t, time.Since(began), time.Second, "CloseGrace")
		seen.conforms(t, c.Core(credential))
		// The bubble itself fails if a goroutine is left.
	})
}

// accept takes the next connection and its H.
func (p *peer) accept() net.Conn {
	conn := <-p.conns
	p.take(conn, len(wire.AppendHello(nil, credential)))
	return conn
}

// take reads exactly n bytes.
func (p *peer) take(conn net.Conn, n int) string {
	buf := make([]byte, n)
	_, err := io.ReadFull(conn, buf)
	require.NoError(p.t, err)
	return string(buf)
}

// frame reads one line.
func (p *peer) frame(conn net.Conn) []string {
	var line []byte
	for !bytes.HasSuffix(line, []byte("\n")) {
		line = append(line, p.take(conn, 1)...)
	}
	return strings.Fields(string(line))
}

type answer struct {
	g   *client.Grant
	ok  bool
	err error
}

func ask(ctx context.Context, c *client.Client, key string) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		g, ok, err := c.Acquire(ctx, key, short)
		done <- answer{g, ok, err}
	}()
	return done
}

func TestWriteOfWhichNothingWasTakenMoves(t *testing.T) {
	bubble(t, client.Options{}, func(t *testing.T, c *client.Client, p *peer) {
		done := ask(context.Background(), c, "key")
		p.accept().Close() // H was taken, and no byte of A
		conn := p.accept()
		a := p.frame(conn)
		conn.Write(wire.AppendGranted(nil, "key", a[2], 7, 1000))
		got := <-done
		require.NoError(t, got.err)
		require.EqualValues(t, 7, got.g.Token())
		conn.Close()
	})
}

func TestWriteOfWhichOneByteWasTakenIsIndeterminate(t *testing.T) {
	bubble(t, client.Options{}, func(t *testing.T, c *client.Client, p *peer) {
		done := ask(context.Background(), c, "key")
		conn := p.accept()
		p.take(conn, 1)
		conn.Close()
		require.ErrorIs(t, (<-done).err, client.ErrIndeterminate)
		synctest.Wait()
		require.Empty(t, p.conns, "nothing is sent again")
	})
}

func TestStalledWriteEnds(t *testing.T) {
	bubble(t, client.Options{WriteStall: 300 * time.Millisecond, Grace: time.Minute}, func(t *testing.T, c *client.Client, p *peer) {
		began := time.Now()
		done := ask(context.Background(), c, "key")
		conn := p.accept()
		p.take(conn, 3) // and no more
		require.ErrorIs(t, (<-done).err, client.ErrIndeterminate)
		require.Equal(t, 300*time.Millisecond, time.Since(began))
		conn.Close()
	})
}

func TestMissingReplyEnds(t *testing.T) {
	bubble(t, client.Options{Grace: 100 * time.Millisecond}, func(t *testing.T, c *client.Client, p *peer) {
		began := time.Now()
		done := ask(context.Background(), c, "key")
		conn := p.accept()
		p.frame(conn)
		require.ErrorIs(t, (<-done).err, client.ErrIndeterminate)
		require.Equal(t, short.Wait+short.Wait/1000+100*time.Millisecond, time.Since(began))
		_, err := conn.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF, "closed")
	})
}

func TestCancelOfASentAcquireCloses(t *testing.T) {
	bubble(t, client.Options{}, func(t *testing.T, c *client.Client, p *peer) {
		ctx, cancel := context.WithCancel(context.Background())
		done := ask(ctx, c, "key")
		conn := p.accept()
		p.frame(conn)
		cancel()
		err := (<-done).err
		require.ErrorIs(t, err, client.ErrIndeterminate)
		require.ErrorIs(t, err, context.Canceled)
		_, err = conn.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
	})
}

// A grant that is there when the context ends is the caller's, who releases it with that very context.
func TestGrantWinsOverADoneContext(t *testing.T) {
	bubble(t, client.Options{}, func(t *testing.T, c *client.Client, p *peer) {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		done := ask(ctx, c, "key")
		conn := p.accept()
		a := p.frame(conn)
		conn.Write(wire.AppendGranted(nil, "key", a[2], 7, 1000))
		synctest.Wait() // granted; the caller looks at it later
		cancel()
		got := <-done
		require.NoError(t, got.err)
		require.True(t, got.ok)

		ended := make(chan client.Ending, 1)
		go func() {
			ending, err := got.g.Release(ctx)
			require.NoError(t, err)
			ended <- ending
		}()
		require.Equal(t, []string{"R", "key", "7"}, p.frame(conn))
		conn.Write(wire.AppendReleased(nil, "key", 7))
		require.Equal(t, client.Released, <-ended)
		conn.Close()
	})
}

// A context that ends during a release ends the waiting, and neither the release nor the connection.
func TestReleaseGoesOnByItself(t *testing.T) {
	bubble(t, client.Options{}, func(t *testing.T, c *client.Client, p *peer) {
		done := ask(context.Background(), c, "key")
		conn := p.accept()
		conn.Write(wire.AppendGranted(nil, "key", p.frame(conn)[2], 7, 1000))
		g := (<-done).g
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		released := make(chan error, 1)
		go func() {
			_, err := g.Release(ctx)
			released <- err
		}()
		p.frame(conn)
		err := <-released
		require.ErrorIs(t, err, client.ErrIndeterminate)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		conn.Write(wire.AppendReleased(nil, "key", 7))
		synctest.Wait()
		require.Zero(t, c.Stats().Releases)
		require.Equal(t, 1, c.Stats().Links)

		// The next one may find that the first has done it.
		go func() {
			p.frame(conn)
			conn.Write(wire.AppendNotFound(nil, "key", 7))
		}()
		ending, err := g.Release(context.Background())
		require.NoError(t, err)
		require.Equal(t, client.Gone, ending)
		conn.Close()
	})
}

func TestDialThatHangsEnds(t *testing.T) {
	var mu sync.Mutex
	var ended []time.Duration
	o := client.Options{DialTimeout: 2 * time.Second, Dial: func(ctx context.Context, _ string) (net.Conn, error) {
		began := time.Now()
		<-ctx.Done()
		mu.Lock()
		defer mu.Unlock()
		ended = append(ended, time.Since(began))
		return nil, ctx.Err()
	}}
	bubble(t, o, func(t *testing.T, c *client.Client, _ *peer) {
		ctx, cancel := context.WithTimeout(context.Background(), 2500*time.Millisecond)
		defer cancel()
		err := (<-ask(ctx, c, "key")).err
		require.ErrorIs(t, err, client.ErrNotSent)
		require.NotEmpty(t, ended)
		require.Equal(t, 2*time.Second, ended[0])
	})
}

// What is not sent because no connection came to be says why, on one line; what Options.Dial must not do is no panic.
func TestWhyNothingWasSent(t *testing.T) {
	refused := errors.New("refused")
	for says, dial := range map[string]func(context.Context) (net.Conn, error){
		"(refused)":                                     func(context.Context) (net.Conn, error) { return nil, refused },
		"neither a connection nor an error":             func(context.Context) (net.Conn, error) { return nil, nil },
		"(the dial took too long)":                      func(ctx context.Context) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() },
		"(a\uFFFDb" + strings.Repeat("x", 197) + "...)": func(context.Context) (net.Conn, error) { return nil, errors.New("a\nb" + strings.Repeat("x", 1<<20)) },
	} {
		for _, config := range []*tls.Config{nil, trusting()} {
			o := client.Options{DialTimeout: time.Second, TLS: config, Dial: func(ctx context.Context, _ string) (net.Conn, error) { return dial(ctx) }}
			bubble(t, o, func(t *testing.T, c *client.Client, _ *peer) {
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
				defer cancel()
				err := (<-ask(ctx, c, "key")).err
				require.ErrorIs(t, err, client.ErrNotSent)
				require.ErrorContains(t, err, says)
				require.NotErrorIs(t, err, refused, "it is told, and no reason to take for the caller's own")
				require.NotErrorIs(t, err, context.Canceled)
				require.NoError(t, c.Close(context.Background()))
				_, _, err = c.Acquire(context.Background(), "key", short)
				require.ErrorIs(t, err, client.ErrClosed)
				require.NotContains(t, err.Error(), says, "not the reason")
			})
		}
	}
}

// A dial that failed is no reason any more once another succeeded.
func TestADialThatSucceedsIsNoReason(t *testing.T) {
	var far net.Conn
	failures := 1
	o := client.Options{Dial: func(context.Context, string) (net.Conn, error) {
		if failures--; failures >= 0 {
			return nil, errors.New("refused")
		}
		var near net.Conn
		near, far = net.Pipe()
		return near, nil
	}}
	bubble(t, o, func(t *testing.T, c *client.Client, p *peer) {
		first := ask(context.Background(), c, "first")
		time.Sleep(time.Second)
		synctest.Wait() // connected, to a peer that takes no byte: nothing of the second is sent
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		err := (<-ask(ctx, c, "second")).err
		require.ErrorIs(t, err, client.ErrNotSent)
		require.NotContains(t, err.Error(), "refused")
		far.Close()
		require.NoError(t, c.Close(context.Background()))
		require.Error(t, (<-first).err)
	})
}

// A connection that comes when nobody wants it any more is closed, and gets no byte. Close waits for it, or until its
// context ends.
func TestDialThatReturnsLate(t *testing.T) {
	var mu sync.Mutex
	var far []net.Conn
	o := client.Options{DialTimeout: time.Second, Dial: func(context.Context, string) (net.Conn, error) {
		time.Sleep(3 * time.Second)
		near, other := net.Pipe()
		mu.Lock()
		defer mu.Unlock()
		far = append(far, other)
		return near, nil
	}}
	bubble(t, o, func(t *testing.T, c *client.Client, _ *peer) {
		ctx, cancel := context.WithTimeout(context.Background(), 1500*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, (<-ask(ctx, c, "key")).err, client.ErrNotSent)
		require.ErrorIs(t, c.Close(ctx), context.DeadlineExceeded)
		require.NotZero(t, c.Stats().Links)
		require.NoError(t, c.Close(context.Background()))
		require.NotEmpty(t, far)
		for _, conn := range far {
			n, err := conn.Read(make([]byte, 1))
			require.Zero(t, n)
			require.ErrorIs(t, err, io.EOF)
		}
	})
}

func TestCloseEndsAStalledWrite(t *testing.T) {
	bubble(t, client.Options{WriteStall: time.Minute}, func(t *testing.T, c *client.Client, p *peer) {
		done := ask(context.Background(), c, "key")
		conn := p.accept()
		p.take(conn, 1)
		synctest.Wait()
		began := time.Now()
		require.NoError(t, c.Close(context.Background()))
		require.Zero(t, time.Since(began))
		err := (<-done).err
		require.True(t, errors.Is(err, client.ErrIndeterminate), "%v", err)
		conn.Close()
	})
}

// A peer that writes without end is slowed down by its own stream, and holds up nobody.
func TestFloodEndsTheConnection(t *testing.T) {
	bubble(t, client.Options{}, func(t *testing.T, c *client.Client, p *peer) {
		done := ask(context.Background(), c, "key")
		conn := p.accept()
		p.frame(conn)
		junk := bytes.Repeat([]byte("x"), 1<<20)
		n, err := conn.Write(junk)
		require.Error(t, err, "closed")
		require.Less(t, n, 1<<15, "one read, and no more")
		require.ErrorIs(t, (<-done).err, client.ErrIndeterminate)
	})
}

// Neither the credential nor anything that a node wrote reaches a log or an error.
func TestNothingSecretIsLogged(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	bubble(t, client.Options{Logger: logger}, func(t *testing.T, c *client.Client, p *peer) {
		done := ask(context.Background(), c, "key")
		conn := p.accept()
		p.frame(conn)
		conn.Write([]byte("E auth_failed the-text-of-E\n"))
		err := (<-done).err
		require.ErrorIs(t, err, client.ErrIndeterminate)
		require.NotContains(t, err.Error(), "the-text-of-E")
		synctest.Wait()
	})
	require.Contains(t, log.String(), "reason=auth-failed")
	require.NotContains(t, log.String(), credential)
	require.NotContains(t, log.String(), "the-text-of-E")
	require.NotContains(t, client.Options{Credential: credential}.String(), credential)
}
