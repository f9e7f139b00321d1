package client_test

import (
	"context"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/client/wire"
)

// ready is a peer that grants and takes back whatever it is asked, and allocates nothing for it: what an operation costs beside
// it is the client's.
func ready(t testing.TB) *client.Client {
	h := beHostile(t, func(conn net.Conn) {
		in, out, held, token := make([]byte, 16<<10), []byte(nil), 0, uint64(0)
		for {
			n, err := conn.Read(in[held:])
			if err != nil {
				return
			}
			held += n
			used := 0
			out, used = grantAll(out[:0], in[:held], &token)
			held = copy(in, in[used:held])
			if _, err := conn.Write(out); err != nil {
				return
			}
		}
	})
	t.Cleanup(h.close)
	return connect(t, client.Options{Addrs: []string{h.listener.Addr().String()}})
}

// grantAll answers the whole frames of in.
func grantAll(out, in []byte, token *uint64) (answers []byte, used int) {
	for {
		var r wire.Request
		n, err := wire.ParseRequest(in[used:], &r)
		if err != nil || n == 0 {
			return out, used
		}
		used += n
		switch r.Op {
		case wire.OpAcquire:
			*token++
			out = wire.AppendGranted(out, r.Key, r.Owner, *token, r.Lease)
		case wire.OpRelease:
			out = wire.AppendReleased(out, r.Key, r.Token)
		}
	}
}

func pairOf(c *client.Client, key string) error {
	g, ok, err := c.Acquire(context.Background(), key, short)
	if err == nil && ok {
		_, err = g.Release(context.Background())
	}
	return err
}

// A pair costs the client one allocation, its Grant. With the race detector some more, because pools forget then: 2.5.
func TestPairAllocatesItsGrant(t *testing.T) {
	c := ready(t)
	pair := func() { require.NoError(t, pairOf(c, "key")) }
	for range 100 {
		pair()
	}
	least := testing.AllocsPerRun(500, pair)
	for range 4 { // what else happens in the process counts too
		least = min(least, testing.AllocsPerRun(500, pair))
	}
	require.LessOrEqual(t, least, 3.0)
}

// BenchmarkPair is a pair by one caller, beside a peer that costs nothing but its system calls.
func BenchmarkPair(b *testing.B) {
	c := ready(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := pairOf(c, "key"); err != nil {
			b.Fatal(err)
		}
	}
}
