package sim

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
	"ticketing/client/wire"
)

// What the world takes a line for is what is written beside it.
func TestOddLinesAreReadAsWritten(t *testing.T) {
	seen := map[demux.Reason]int{}
	for _, o := range oddLines {
		seen[o.ends]++
		var r reading
		ok := r.read([]byte(o.line+"\nA a b 1 1\n"), &answers)
		got := demux.ReasonFatal
		switch {
		case !ok:
		case r.op == wire.OpNotice:
			got = demux.ReasonNone
		case r.op == wire.OpMoved:
			got = demux.ReasonMoved
		case r.op != wire.OpError:
			got = demux.ReasonUnmatched
		case string(r.word) == "no_leader":
			got = demux.ReasonNoLeader
		case string(r.word) == "not_active":
			got = demux.ReasonNotActive
		}
		require.Equal(t, o.ends, got, "%q", o.line)
		require.NotContains(t, o.line, "\n")
	}
	for _, why := range []demux.Reason{demux.ReasonNone, demux.ReasonFatal, demux.ReasonUnmatched, demux.ReasonMoved, demux.ReasonNoLeader} {
		require.NotZero(t, seen[why], "no odd line ends in %v", why)
	}
}

func TestReadingOfRequests(t *testing.T) {
	var r reading
	require.True(t, r.read([]byte("A k o 0 2147483647\nR"), &asks))
	require.Equal(t, reading{op: wire.OpAcquire, key: []byte("k"), owner: []byte("o"), lease: 2147483647, length: 19}, r)
	require.True(t, r.read([]byte("R k 18446744073709551615\n"), &asks))
	require.Equal(t, uint64(1<<64-1), r.token)
	require.True(t, r.read([]byte("H 1 ~!\n"), &asks))
	require.Equal(t, "~!", string(r.word))
	for _, bad := range []string{
		"\n", "H 2 c\n", "H 1\n", "H 1 c d\n", "H 1 " + strings.Repeat("c", 801) + "\n", "A k o 1\n", "A k o 01 1\n", "A k o 1 0\n",
		"A k o 1 2147483648\n", "A k o 1 1 1\n", "A  o 1 1\n", "R k 0\n", "R k +1\n", "R k 1 \n", "T k o\n", "E x\n", "r k 1\n", "R k 1\r\n",
		"R k 18446744073709551616\n", "R " + strings.Repeat("k", 201) + " 1\n",
	} {
		require.False(t, r.read([]byte(bad), &asks), "%q", bad)
	}
}

// Fewer bytes than a line are no error, until no newline can come in time.
func TestReadingOfPieces(t *testing.T) {
	var r reading
	line := []byte("A some-key some-owner 17 4000\n")
	for i := range line {
		require.True(t, r.read(line[:i], &answers))
		require.Zero(t, r.length)
	}
	long := []byte("E x " + strings.Repeat("y", lineMax))
	require.True(t, r.read(long[:lineMax-1], &answers))
	require.Zero(t, r.length)
	require.False(t, r.read(long[:lineMax], &answers))
	long[lineMax-1] = '\n'
	require.True(t, r.read(long, &answers))
	require.Equal(t, lineMax, r.length)
	long[lineMax-1], long[lineMax] = 'y', '\n'
	require.False(t, r.read(long, &answers))
}

// The codec of the client and the world's own reading are two, and agree on every line.
func FuzzReading(f *testing.F) {
	for _, o := range oddLines {
		f.Add([]byte(o.line + "\n"))
	}
	for _, line := range []string{"H 1 c\n", "A k o 0 1\n", "R k 1\n", "A k o 1 2147483647\nA", "E x " + strings.Repeat("y", lineMax), "T k"} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var r reading
		var reply wire.Reply
		ok := r.read(line, &answers)
		n, err := wire.ParseReply(line, &reply)
		require.Equal(t, err == nil, ok, "%q", line)
		if ok && n > 0 {
			require.Equal(t, reading{op: reply.Op, key: reply.Key, owner: reply.Owner, word: append(reply.Addr, reply.Code...), token: reply.Token,
				lease: reply.Lease, length: n}, r, "%q", line)
		}
		var request wire.Request
		ok = r.read(line, &asks)
		n, err = wire.ParseRequest(line, &request)
		require.Equal(t, err == nil, ok, "%q", line)
		if ok && n > 0 {
			require.Equal(t, reading{op: request.Op, key: request.Key, owner: request.Owner, word: request.Credential, token: request.Token,
				wait: request.Wait, lease: request.Lease, length: n}, r, "%q", line)
		}
		require.Equal(t, n > 0, ok && r.length > 0, "%q", line)
	})
}

// TestPrintable tries each byte in each place of words of each length.
func TestPrintable(t *testing.T) {
	require.False(t, printable(nil, ' '))
	for size := 1; size < 20; size++ {
		for at := range size {
			for b := range 256 {
				word := bytes.Repeat([]byte{'x'}, size)
				word[at] = byte(b)
				require.Equal(t, '!' <= b && b <= '~', printable(word, '!'), "%q", word)
				require.Equal(t, ' ' <= b && b <= '~', printable(word, ' '), "%q", word)
			}
		}
	}
}
