package wire

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse: what parses is exactly what the Append functions make of the fields, whatever follows it.
func FuzzParse(f *testing.F) {
	for _, c := range replyFrames {
		f.Add([]byte(c.frame))
	}
	for _, c := range requestFrames {
		f.Add([]byte(c.frame))
	}
	for _, s := range append(append(never, malformedReplies...), malformedRequests...) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var reply Reply
		if n, err := ParseReply(in, &reply); n > 0 && err == nil {
			require.Equal(t, string(in[:n]), string(appendReply(nil, &reply)))
		} else if err == nil {
			require.Equal(t, -1, bytes.IndexByte(in, '\n'))
			require.Less(t, len(in), MaxFrame)
		}
		var request Request
		if n, err := ParseRequest(in, &request); n > 0 && err == nil {
			require.Equal(t, string(in[:n]), string(appendRequest(nil, &request)))
		} else if err == nil {
			require.Equal(t, -1, bytes.IndexByte(in, '\n'))
		}
	})
}

func BenchmarkParseGranted(b *testing.B) {
	frame := []byte("A some-key 0123456789abcdef-1234567 987654321 30000\n")
	var r Reply
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseReply(frame, &r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendAcquire(b *testing.B) {
	buf := make([]byte, 0, MaxFrame)
	owner := []byte("0123456789abcdef-1234567")
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendAcquire(buf[:0], "some-key", owner, 10000, 30000)
	}
}
