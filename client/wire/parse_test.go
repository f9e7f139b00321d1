package wire

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// never are lines that no direction and no op allows.
var never = []string{
	"\n", "\r\n", " \n", " A k o 1 1\n", "a k o 1 1\n", "AA k o 1 1\n", "1 k\n", "\x00\n", "\xc3\x84 k\n", "A\tk\n",
}

var malformedReplies = []string{
	"A\n", "A \n", "A k\n", "A k \n", "A k o\n", "A k o 1\n", "A k o 1 \n", "A k o 1 1 \n", "A k o 1 1 1\n",
	"A  k o 1 1\n", "A k  o 1 1\n", "A k o  1 1\n", "A k o 1  1\n", "A k o 1 1\r\n", "A k o\r 1 1\n",
	"A k o 0 1\n", "A k o 01 1\n", "A k o +1 1\n", "A k o -1 1\n", "A k o 1x 1\n", "A k o 0x1 1\n", "A k o 1.0 1\n",
	"A k o 18446744073709551616 1\n", "A k o 99999999999999999999 1\n", "A k o 100000000000000000000 1\n",
	"A k o 1 0\n", "A k o 1 00\n", "A k o 1 01\n", "A k o 1 2147483648\n", "A k o 1 4294967297\n", "A k o 1 -1\n",
	"A " + long(MaxName+1) + " o 1 1\n", "A k " + long(MaxName+1) + " 1 1\n", "A k\x7f o 1 1\n", "A \x1f o 1 1\n",
	"A k\x80 o 1 1\n", "A k\x00 o 1 1\n",
	"T\n", "T k\n", "T k o \n", "T k o 1\n", "B k\n", "B k o x\n",
	"R k\n", "R k 0\n", "R k 1 1\n", "R k 1 \n", "R k o\n", "N k\n", "N k 007\n", "N k 1 1\n",
	"M\n", "M \n", "M a b\n", "M " + long(MaxAddr+1) + "\n", "L\n", "L a \n", "L \x7f\n",
	"E\n", "E \n", "E  text\n", "E x \n", "E x\r\n", "E x t\r\n", "E x \t\n", "E x \x7f\n", "E x \x80\n", "E x\tt\n",
}

var malformedRequests = []string{
	"H\n", "H 1\n", "H 1 \n", "H 2 c\n", "H 01 c\n", "H 1  c\n", "H  1 c\n", "H 1 c d\n", "H 1 c \n", "H 1 c\r\n", "H c\n",
	"H 1 " + long(MaxCredential+1) + "\n",
	"A k o 0\n", "A k o 0 0\n", "A k o 00 1\n", "A k o 2147483648 1\n", "A k o 1 2147483648\n", "A k o -0 1\n", "A k o 1 1 1\n",
	"R k\n", "R k 0\n", "R k 1 1\n", "R  k 1\n",
}

func requireKind(t *testing.T, want Kind, n int, err error, frame string) {
	t.Helper()
	var e *Error
	require.ErrorAs(t, err, &e, "%q", frame)
	require.Equal(t, want, e.Kind, "%q", frame)
	require.Zero(t, n)
}

func TestMalformed(t *testing.T) {
	var reply Reply
	var request Request
	for _, s := range append(never, malformedReplies...) {
		n, err := ParseReply([]byte(s+"A k o 1 1\n"), &reply)
		requireKind(t, KindMalformed, n, err, s)
	}
	for _, s := range append(never, malformedRequests...) {
		n, err := ParseRequest([]byte(s+"R k 1\n"), &request)
		requireKind(t, KindMalformed, n, err, s)
	}
}

func TestUnknown(t *testing.T) {
	var reply Reply
	var request Request
	for _, s := range []string{"X\n", "X k o\n", "Z \n", "H 1 c\n", "Q \x00\n"} {
		n, err := ParseReply([]byte(s), &reply)
		requireKind(t, KindUnknown, n, err, s)
	}
	for _, s := range []string{"X\n", "T k o\n", "E x\n", "M a\n"} {
		n, err := ParseRequest([]byte(s), &request)
		requireKind(t, KindUnknown, n, err, s)
	}
}

// The limit less one, the limit, and one more.
func TestOversized(t *testing.T) {
	var r Reply
	for _, c := range []struct {
		text int // bytes of text in "E x <text>\n"
		over bool
	}{{MaxFrame - 6, false}, {MaxFrame - 5, false}, {MaxFrame - 4, true}, {MaxFrame, true}} {
		s := "E x " + strings.Repeat(" ", c.text) + "\n"
		n, err := ParseReply([]byte(s), &r)
		if c.over {
			requireKind(t, KindOversized, n, err, s)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, len(s), n)
	}
	whole := []byte(strings.Repeat("x", MaxFrame))
	n, err := ParseReply(whole[:MaxFrame-1], &r)
	require.NoError(t, err)
	require.Zero(t, n)
	n, err = ParseReply(whole, &r)
	requireKind(t, KindOversized, n, err, "x...")
	n, err = ParseRequest(whole, &Request{})
	requireKind(t, KindOversized, n, err, "x...")
}

// An error must not carry what the peer sent (rule redact).
func TestErrorHoldsNoBytes(t *testing.T) {
	var r Request
	_, err := ParseRequest([]byte("H 1 hunter2 again\n"), &r)
	require.EqualError(t, err, "wire: malformed frame: extra bytes")
	err = CheckCredential("hunter2 again")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "hunter2")
	require.Equal(t, err, CheckCredential(""))
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		check func(string) error
		limit int
	}{{CheckName, MaxName}, {CheckAddr, MaxAddr}, {CheckCredential, MaxCredential}} {
		require.NoError(t, c.check("!"))
		require.NoError(t, c.check(long(c.limit)))
		for _, s := range []string{"", long(c.limit + 1), " ", "a b", "a\n", "\x7f", "\x1f", "é"} {
			require.Error(t, c.check(s), "%q", s)
		}
	}
	require.NoError(t, errors.Join(CheckWait(0), CheckWait(MaxWait), CheckLease(1), CheckLease(MaxLease), CheckToken(1)))
	for _, err := range []error{CheckWait(MaxWait + 1), CheckLease(0), CheckLease(MaxLease + 1), CheckToken(0)} {
		require.Error(t, err)
		require.Contains(t, err.Error(), "wire: ")
	}
}

func TestNames(t *testing.T) {
	require.Equal(t, "error", OpError.String())
	require.Equal(t, "invalid(99)", Op(99).String())
	require.Equal(t, "oversized", KindOversized.String())
	require.Equal(t, "invalid", Kind(9).String())
}
