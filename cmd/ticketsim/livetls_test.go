package main

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/cmd/ticketd/cluster"
)

// A service behind TLS is tried like any other, through proxies too; one that is not trusted is told nothing.
func TestLiveOverTLS(t *testing.T) {
	model := httptest.NewTLSServer(nil) // its certificate is made for tests, of 127.0.0.1
	defer model.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: model.Certificate().Raw}), 0o600))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := l.Addr().String()
	service, err := cluster.New(cluster.Options{Addrs: []string{addr}, Credential: "the-secret"},
		[]net.Listener{tls.NewListener(l, &tls.Config{Certificates: model.TLS.Certificates})})
	require.NoError(t, err)
	defer service.Close()
	t.Setenv("TICKETSIM_CREDENTIAL", "the-secret")
	for _, c := range []struct {
		code exit
		says string
		args []string
	}{
		{exitOK, "pass", []string{"--ca", ca}},
		{exitOK, "pass", []string{"--ca", ca, "--proxy"}},
		{exitNothing, "certificate", []string{"--tls"}}, // signed by nobody that the system knows
		{exitNothing, "nothing was granted", nil},
		{exitUsage, "--ca: ", []string{"--ca", ca + ".none"}},
		{exitUsage, "--ca: no certificate in live.go", []string{"--ca", "live.go"}},
	} {
		var stdout, stderr bytes.Buffer
		args := append([]string{"live", "--addr", addr, "--for", "10m", "--ops", "50"}, c.args...)
		code := (&tool{stdout: &stdout, stderr: &stderr}).main(args)
		require.Equal(t, c.code, code, "%v: %s%s", c.args, &stdout, &stderr)
		require.Contains(t, stdout.String()+stderr.String(), c.says)
	}
}
