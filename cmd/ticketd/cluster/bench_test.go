package cluster_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/cmd/ticketd/cluster"
)

// BenchmarkPairs is acquires and releases of one key, 64 of each in flight on one connection, alone and beside all that a
// service may hold: what is held must not make the others dear.
func BenchmarkPairs(b *testing.B) {
	for _, c := range []struct{ held, conns int }{{0, 1}, {65_000, 1}, {65_000, 1000}} {
		b.Run(fmt.Sprintf("held=%d,conns=%d", c.held, c.conns), func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(b, err)
			s, err := cluster.New(cluster.Options{Addrs: []string{l.Addr().String()}, Credential: "secret", QueueMax: 1}, []net.Listener{l})
			require.NoError(b, err)
			defer s.Close()
			var last *pipe
			for i := range c.conns {
				last = newPipe(b, l.Addr().String())
				for k := i; k < c.held; k += c.conns {
					last.ask(b, 1, "A held-%d o-%d 0 60000\n", k, k)
				}
			}
			b.ReportAllocs()
			b.ResetTimer()
			token := s.Counts().Granted
			for n := 0; n < b.N; n += 64 {
				for i := range 64 {
					last.say("A key-%d o-%d 0 1000\n", i, n+i)
				}
				last.hear(b, 64)
				for i := range 64 {
					token++
					last.say("R key-%d %d\n", i, token)
				}
				last.hear(b, 64)
			}
			require.Zero(b, s.Counts().NotFound)
		})
	}
}

// pipe is a connection on which many requests are in flight.
type pipe struct {
	conn net.Conn
	out  bytes.Buffer
	in   *bufio.Reader
}

func newPipe(tb testing.TB, addr string) *pipe {
	conn, err := net.Dial("tcp", addr)
	require.NoError(tb, err)
	tb.Cleanup(func() { conn.Close() })
	p := &pipe{conn: conn, in: bufio.NewReader(conn)}
	p.say("H 1 secret\n")
	return p
}

func (p *pipe) say(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// hear sends what was said and takes so many answers.
func (p *pipe) hear(tb testing.TB, answers int) {
	if _, err := p.out.WriteTo(p.conn); err != nil {
		tb.Fatal(err)
	}
	for range answers {
		if _, err := p.in.ReadSlice('\n'); err != nil {
			tb.Fatal(err)
		}
	}
}

func (p *pipe) ask(tb testing.TB, answers int, format string, args ...any) {
	p.say(format, args...)
	p.hear(tb, answers)
}
