package client

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"time"

	"ticketing/client/demux"
)

// Options says which service a Client talks to, and how. Addrs and Credential are needed; any other field may
// be zero and takes its default.
type Options struct {
	// Addrs are the nodes of the service as "host:port", 1 to 64, all different. The client connects to one at a
	// time, in turn or as a node says who leads. It never connects to an address that is not among them, compared byte
	// for byte: spell them as the nodes do.
	Addrs []string
	// Credential is shown to each node that the client connects to: 1 to 800 bytes of '!'..'~'. It is in no
	// error and no log, and Options print without it; but package fmt calls no method of an unexported field, so do not
	// print a struct that has Options in one. Without TLS it crosses the network in the clear, to whoever answers.
	Credential string
	// TLS, if not nil, is how connections are secured. A ServerName that is empty is the host of the address.
	TLS *tls.Config
	// Dial opens a stream to one of Addrs; nil: TCP. It must return soon after ctx is done. With TLS set, the
	// handshake is done over what it returns, which must not be nil unless an error is. Writes to the stream must keep to its write deadline, and Close must
	// unblock them.
	Dial func(ctx context.Context, addr string) (net.Conn, error)
	// Logger gets dials and the ends of connections; nil: nothing is logged. No request, and no byte of the protocol that
	// came from a node, is ever logged; why a dial failed is, and that may name what a refused certificate names.
	// Everything waits for its handler, which must not call the client.
	Logger *slog.Logger

	// MaxAcquires bounds the acquires that are waiting for an answer, default 1024. One more is NotSent, ErrFull.
	MaxAcquires int
	// MaxReleases bounds the releases that are waiting for an answer, default 1024. One more is NotSent, ErrFull.
	MaxReleases int
	// MaxHeld bounds the grants that are remembered until they are released, default 4096: holders beyond it are
	// not refused, but stray grants at or below theirs are left to their leases.
	MaxHeld int
	// Grace is what an answer may take beyond the wait that was asked for, default 500ms: a round trip and a
	// commit of the service. To it is added a thousandth of the wait.
	Grace time.Duration
	// DialTimeout bounds a dial, the TLS handshake included; default 5s.
	DialTimeout time.Duration
	// WriteStall bounds one write; default 5s. A node that takes none for so long is given up.
	WriteStall time.Duration
	// CloseGrace bounds what Close waits for; default 1s.
	CloseGrace time.Duration
	// Backoff paces the dials after each kind of failure; see demux.Backoffs for the defaults.
	Backoff demux.Backoffs

	// trace, in tests, sees every step of the machine.
	trace func(now demux.Time, in *demux.Input, effects []demux.Effect)
}

// prefixBytes is the length of the random part of every owner, before it is written in hexadecimal: never again
// the same, in any process. One length for all clients, so that no prefix opens another.
const prefixBytes = 16

// core returns the options of the machine, with an identity of its own and every default filled in.
func (o *Options) core() (demux.Options, error) {
	var random [prefixBytes + 8]byte
	rand.Read(random[:]) // it never fails
	core, err := demux.Options{
		Addrs: slices.Clone(o.Addrs), Credential: o.Credential, // what is dialled is not the caller's to change any more
		Prefix:      hex.EncodeToString(random[:prefixBytes]),
		Jitter:      binary.LittleEndian.Uint64(random[prefixBytes:]) | 1, // zero would be no jitter
		MaxAcquires: o.MaxAcquires, MaxReleases: o.MaxReleases, MaxHeld: o.MaxHeld,
		Grace: o.Grace, DialTimeout: o.DialTimeout, WriteStall: o.WriteStall, CloseGrace: o.CloseGrace,
		Backoff: o.Backoff,
	}.WithDefaults()
	if err != nil {
		return core, fmt.Errorf("client: %w", err)
	}
	return core, nil
}

// String shows the options without the credential.
func (o Options) String() string {
	return fmt.Sprintf("client.Options{Addrs: %q, Credential: <redacted>, TLS: %t}", o.Addrs, o.TLS != nil)
}

// Format is String with every verb that asks it, all but %p: none may show the credential, not %d and %#v either.
func (o Options) Format(f fmt.State, _ rune) { io.WriteString(f, o.String()) }

// dialer returns how a stream to an address is opened.
func (o *Options) dialer() func(ctx context.Context, addr string) (net.Conn, error) {
	dial, config := o.Dial, o.TLS
	if dial == nil {
		dial = func(ctx context.Context, addr string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "tcp", addr)
		}
	} else {
		dial = checked(dial)
	}
	if config == nil {
		return dial
	}
	config = config.Clone()
	return func(ctx context.Context, addr string) (net.Conn, error) {
		raw, err := dial(ctx, addr)
		if err != nil {
			return nil, err
		}
		return secure(ctx, raw, addr, config)
	}
}

// errNothing is of a function that broke its contract. It is an error and no panic, because it is met in a goroutine where no
// caller could recover.
var errNothing = errors.New("Options.Dial returned neither a connection nor an error")

func checked(dial func(context.Context, string) (net.Conn, error)) func(context.Context, string) (net.Conn, error) {
	return func(ctx context.Context, addr string) (net.Conn, error) {
		conn, err := dial(ctx, addr)
		if conn == nil && err == nil {
			err = errNothing
		}
		return conn, err
	}
}

// secured is a TLS connection whose Close ends the stream at once: the farewell of TLS may wait for a peer that
// takes nothing any more, and no frame of the protocol depends on it.
type secured struct {
	*tls.Conn
	raw net.Conn
}

func (s *secured) Close() error { return s.raw.Close() }

func secure(ctx context.Context, raw net.Conn, addr string, config *tls.Config) (net.Conn, error) {
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			host = addr
		}
		config = config.Clone()
		config.ServerName = host
	}
	conn := tls.Client(raw, config)
	if err := conn.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	return &secured{conn, raw}, nil
}
