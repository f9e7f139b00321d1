package wire

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func long(n int) string { return strings.Repeat("~", n) }

// replyFrames is one frame and more of every reply, with what it parses to.
var replyFrames = []struct {
	frame string
	want  Reply
}{
	{"A k o 1 1\n", Reply{Op: OpGranted, Key: []byte("k"), Owner: []byte("o"), Token: 1, Lease: 1}},
	{"A ! ~ 18446744073709551615 2147483647\n",
		Reply{Op: OpGranted, Key: []byte("!"), Owner: []byte("~"), Token: math.MaxUint64, Lease: MaxLease}},
	{"A " + long(MaxName) + " " + long(MaxName) + " 10 20\n",
		Reply{Op: OpGranted, Key: []byte(long(MaxName)), Owner: []byte(long(MaxName)), Token: 10, Lease: 20}},
	{"T k o\n", Reply{Op: OpTimedOut, Key: []byte("k"), Owner: []byte("o")}},
	{"B k o\n", Reply{Op: OpBusy, Key: []byte("k"), Owner: []byte("o")}},
	{"R k 7\n", Reply{Op: OpReleased, Key: []byte("k"), Token: 7}},
	{"N k 7\n", Reply{Op: OpNotFound, Key: []byte("k"), Token: 7}},
	{"M 10.0.0.1:80\n", Reply{Op: OpMoved, Addr: []byte("10.0.0.1:80")}},
	{"M " + long(MaxAddr) + "\n", Reply{Op: OpMoved, Addr: []byte(long(MaxAddr))}},
	{"L [::1]:80\n", Reply{Op: OpNotice, Addr: []byte("[::1]:80")}},
	{"E no_leader\n", Reply{Op: OpError, Code: []byte("no_leader")}},
	{"E x two  words \n", Reply{Op: OpError, Code: []byte("x"), Text: []byte("two  words ")}},
	{"E x  \n", Reply{Op: OpError, Code: []byte("x"), Text: []byte(" ")}},
	{"E " + long(MaxFrame-3) + "\n", Reply{Op: OpError, Code: []byte(long(MaxFrame - 3))}},
	{"E x " + long(MaxFrame-5) + "\n", Reply{Op: OpError, Code: []byte("x"), Text: []byte(long(MaxFrame - 5))}},
}

var requestFrames = []struct {
	frame string
	want  Request
}{
	{"H 1 c\n", Request{Op: OpHello, Credential: []byte("c")}},
	{"H 1 " + long(MaxCredential) + "\n", Request{Op: OpHello, Credential: []byte(long(MaxCredential))}},
	{"A k o 0 1\n", Request{Op: OpAcquire, Key: []byte("k"), Owner: []byte("o"), Lease: 1}},
	{"A k o 2147483647 2147483647\n",
		Request{Op: OpAcquire, Key: []byte("k"), Owner: []byte("o"), Wait: MaxWait, Lease: MaxLease}},
	{"R k 1\n", Request{Op: OpRelease, Key: []byte("k"), Token: 1}},
	{"R " + long(MaxName) + " 18446744073709551615\n",
		Request{Op: OpRelease, Key: []byte(long(MaxName)), Token: math.MaxUint64}},
}

func appendReply(dst []byte, r *Reply) []byte {
	switch r.Op {
	case OpGranted:
		return AppendGranted(dst, r.Key, r.Owner, r.Token, r.Lease)
	case OpTimedOut:
		return AppendTimedOut(dst, r.Key, r.Owner)
	case OpBusy:
		return AppendBusy(dst, r.Key, r.Owner)
	case OpReleased:
		return AppendReleased(dst, r.Key, r.Token)
	case OpNotFound:
		return AppendNotFound(dst, r.Key, r.Token)
	case OpMoved:
		return AppendMoved(dst, r.Addr)
	case OpNotice:
		return AppendNotice(dst, r.Addr)
	case OpError:
		return AppendError(dst, r.Code, r.Text)
	}
	panic("no such reply")
}

func appendRequest(dst []byte, r *Request) []byte {
	switch r.Op {
	case OpHello:
		return AppendHello(dst, r.Credential)
	case OpAcquire:
		return AppendAcquire(dst, r.Key, r.Owner, r.Wait, r.Lease)
	case OpRelease:
		return AppendRelease(dst, r.Key, r.Token)
	}
	panic("no such request")
}

func TestReplyRoundTrip(t *testing.T) {
	for _, c := range replyFrames {
		var r Reply
		n, err := ParseReply([]byte(c.frame+"next"), &r)
		require.NoError(t, err, "%q", c.frame)
		require.Equal(t, len(c.frame), n)
		require.Equal(t, c.want, r)
		require.Equal(t, c.frame, string(appendReply(nil, &r)))
	}
}

func TestRequestRoundTrip(t *testing.T) {
	for _, c := range requestFrames {
		var r Request
		n, err := ParseRequest([]byte(c.frame+"next"), &r)
		require.NoError(t, err, "%q", c.frame)
		require.Equal(t, len(c.frame), n)
		require.Equal(t, c.want, r)
		require.Equal(t, c.frame, string(appendRequest(nil, &r)))
	}
}

func TestStringsAndBytesAppendAlike(t *testing.T) {
	require.Equal(t, AppendAcquire(nil, []byte("k"), []byte("o"), 1, 2), AppendAcquire(nil, "k", "o", 1, 2))
	require.Equal(t, "H 1 secret\n", string(AppendHello(nil, "secret")))
}

func TestStrictPrefixNeedsMore(t *testing.T) {
	for _, c := range replyFrames {
		for i := range len(c.frame) {
			var r Reply
			n, err := ParseReply([]byte(c.frame[:i]), &r)
			require.NoError(t, err, "%q", c.frame[:i])
			require.Zero(t, n)
		}
	}
	for _, c := range requestFrames {
		for i := range len(c.frame) {
			var r Request
			n, err := ParseRequest([]byte(c.frame[:i]), &r)
			require.NoError(t, err, "%q", c.frame[:i])
			require.Zero(t, n)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	buf := make([]byte, 0, MaxFrame)
	bad := []byte("A k\n")
	key, owner := "some-key", []byte("prefix-123")
	require.Zero(t, testing.AllocsPerRun(100, func() {
		var reply Reply
		var request Request
		_, _ = ParseReply(AppendGranted(buf[:0], key, owner, 1<<60, 30000), &reply)
		_, _ = ParseReply(AppendError(buf[:0], CodeNoLeader, "text"), &reply)
		_, _ = ParseReply(bad, &reply)
		_, _ = ParseRequest(AppendAcquire(buf[:0], key, owner, 1000, 30000), &request)
		_, _ = ParseRequest(AppendHello(buf[:0], key), &request)
	}))
}
