package client_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/cmd/ticketd/cluster"
)

func TestTLS(t *testing.T) {
	certificates, trusted := identity()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := l.Addr().String()
	service, err := cluster.New(cluster.Options{Addrs: []string{addr}, Credential: credential},
		[]net.Listener{tls.NewListener(l, &tls.Config{Certificates: certificates})})
	require.NoError(t, err)
	defer service.Close()

	c := connect(t, client.Options{Addrs: []string{addr}, TLS: &tls.Config{RootCAs: trusted}})
	ending, err := acquire(t, c, "key").Release(context.Background())
	require.NoError(t, err)
	require.Equal(t, client.Released, ending)

	// A server that is not trusted gets no credential, and no request.
	stranger := connect(t, client.Options{Addrs: []string{addr}, TLS: &tls.Config{RootCAs: x509.NewCertPool()}})
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, _, err = stranger.Acquire(ctx, "key", short)
	require.ErrorIs(t, err, client.ErrNotSent)
}
