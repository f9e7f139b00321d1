package proxy_test

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/cmd/ticketd/proxy"
)

// between starts a proxy before a server that sends back what it gets, and connects through it.
func between(t *testing.T, o proxy.Options) (*proxy.Proxy, net.Conn) {
	echo, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() {
		for {
			c, err := echo.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(c, c)
			}()
		}
	}()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := proxy.New(o, l, echo.Addr().String())
	t.Cleanup(func() {
		p.Close()
		echo.Close()
	})
	c, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return p, c
}

func TestStreamsComeWhole(t *testing.T) {
	_, c := between(t, proxy.Options{Seed: 1, DelayMax: time.Millisecond, Split: 1000})
	sent := bytes.Repeat([]byte("0123456789"), 5000)
	go c.Write(sent)
	got := make([]byte, len(sent))
	require.NoError(t, c.SetDeadline(time.Now().Add(30*time.Second)))
	_, err := io.ReadFull(c, got)
	require.NoError(t, err)
	require.Equal(t, sent, got)
}

func TestReset(t *testing.T) {
	_, c := between(t, proxy.Options{Reset: 1000})
	_, err := c.Write([]byte("x"))
	require.NoError(t, err)
	require.NoError(t, c.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = c.Read(make([]byte, 1))
	require.ErrorContains(t, err, "reset")
}

// What went deaf stays deaf, open, and silent; the next connection is well.
func TestDeafness(t *testing.T) {
	for _, o := range []proxy.Options{{HalfOpen: 1000}, {BlackHole: 1000}} {
		p, c := between(t, o)
		_, err := c.Write([]byte("x"))
		require.NoError(t, err)
		require.NoError(t, c.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
		_, err = c.Read(make([]byte, 1))
		var silent net.Error
		require.ErrorAs(t, err, &silent)
		require.True(t, silent.Timeout())

		p.Heal()
		next, err := net.Dial("tcp", c.RemoteAddr().String())
		require.NoError(t, err)
		defer next.Close()
		require.NoError(t, next.SetDeadline(time.Now().Add(30*time.Second)))
		_, err = next.Write([]byte("y"))
		require.NoError(t, err)
		_, err = next.Read(make([]byte, 1))
		require.NoError(t, err)
	}
}
