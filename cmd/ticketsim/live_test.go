package main

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/cmd/ticketd/cluster"
)

// live runs the command against a service of three nodes and returns its status and what it printed.
func live(t *testing.T, o cluster.Options, args ...string) (exit, string) {
	var listeners []net.Listener
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		listeners, o.Addrs = append(listeners, l), append(o.Addrs, l.Addr().String())
	}
	o.Credential = "the-secret"
	service, err := cluster.New(o, listeners)
	require.NoError(t, err)
	defer service.Close()
	file := filepath.Join(t.TempDir(), "credential")
	require.NoError(t, os.WriteFile(file, []byte("the-secret\n"), 0o600))
	args = append([]string{"live", "--addr", strings.Join(o.Addrs, ","), "--credential-file", file}, args...)
	var stdout, stderr bytes.Buffer
	code := (&tool{stdout: &stdout, stderr: &stderr, engine: faked()}).main(args)
	require.Empty(t, stderr.String())
	require.NotContains(t, stdout.String(), "the-secret")
	return code, stdout.String()
}

func TestLivePasses(t *testing.T) {
	dir := t.TempDir()
	code, out := live(t, cluster.Options{}, "--ops", "500", "--for", "10m", "--out", dir, "--json")
	require.Equal(t, exitOK, code, out)
	var l lived
	require.NoError(t, json.Unmarshal([]byte(out), &l))
	require.Equal(t, "pass", l.Verdict)
	require.NotZero(t, l.Outcomes["granted"])
	require.NotEmpty(t, l.Latency)
	require.Zero(t, l.Left)
	require.EqualValues(t, 1000, l.DriftPPM)

	// The history that it left is judged alike.
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, (&tool{stdout: &stdout, stderr: &stderr}).main([]string{"check", filepath.Join(dir, "history.txt")}))
	require.Contains(t, stdout.String(), "pass")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "what was written beside it is gone")
}

func TestLiveThroughProxiesPasses(t *testing.T) {
	code, out := live(t, cluster.Options{}, "--ops", "500", "--for", "10m", "--proxy", "--seed", "7")
	require.Equal(t, exitOK, code, out)
	require.Contains(t, out, "nothing was left")
}

func TestLiveCatchesAServiceThatBreaksItsWord(t *testing.T) {
	for _, fault := range []cluster.Fault{cluster.FaultDoubleGrant, cluster.FaultEarlyExpiry} {
		code, out := live(t, cluster.Options{Fault: fault, FaultEvery: 5}, "--ops", "1000", "--for", "10m")
		require.Equal(t, exitViolation, code, out)
		require.Contains(t, out, "violation of")
	}
}

func TestLiveSaysWhatIsLeft(t *testing.T) {
	before := held()
	require.Zero(t, leftOver(before, settleMax))
	stay := make(chan struct{})
	defer close(stay)
	const more = 100 // than may end meanwhile of what other tests began
	for range more {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		go func() { <-stay }()
	}
	left := leftOver(before, time.Millisecond)
	require.InDelta(t, more, left.Goroutines, more/2)
	if _, err := os.Stat("/proc/self/fd"); err == nil {
		require.InDelta(t, more, left.Sockets, more/2)
	}

	r := newLiveRun(0, []string{"key"}, 1)
	r.left = holdings{Goroutines: 1, Sockets: 2}
	var out bytes.Buffer
	code, err := (&liveCmd{}).report(&out, r, r.history(0))
	require.NoError(t, err)
	require.Equal(t, exitViolation, code)
	require.Contains(t, out.String(), "violation of shut-down: 1 goroutines and 2 sockets")
	require.Contains(t, out.String(), "live: violation: ")
}

func TestLiveEnds(t *testing.T) {
	code, out := live(t, cluster.Options{}, "--for", "1h", "--ops", "200")
	require.Equal(t, exitOK, code, out)
	require.Contains(t, out, "ended early")
}

func TestLiveWithNobodyThere(t *testing.T) {
	t.Setenv("TICKETSIM_CREDENTIAL", "the-secret")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	var stdout, stderr bytes.Buffer
	code := (&tool{stdout: &stdout, stderr: &stderr}).main([]string{"live", "--addr", l.Addr().String(), "--for", "100ms"})
	require.Equal(t, exitNothing, code, stdout.String()+stderr.String())
	require.Regexp(t, `^ticketsim: live: nothing was granted: there was nothing to judge; the last acquire: .*not sent.*refused.*\n$`, stderr.String())
	require.Contains(t, stdout.String(), "live: nothing ran: ")
	require.NotContains(t, stdout.String(), "pass")

	// What cannot be told is not a pass, and a secret that has no end is none.
	stderr.Reset()
	code = (&tool{stdout: brokenWriter{}, stderr: &stderr}).main([]string{"live", "--addr", l.Addr().String(), "--for", "100ms"})
	require.Equal(t, exitInternal, code)
	require.Equal(t, "ticketsim: cannot write the results: disk full\n", stderr.String())
	stderr.Reset()
	code = (&tool{stdout: &stdout, stderr: &stderr}).main([]string{"live", "--addr", l.Addr().String(), "--credential-file", "/dev/zero"})
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr.String(), "option Credential is not")
}

// Nobody who is turned away is left to guess why.
func TestLiveWithAWrongCredential(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := l.Addr().String()
	service, err := cluster.New(cluster.Options{Addrs: []string{addr}, Credential: "the-secret"}, []net.Listener{l})
	require.NoError(t, err)
	defer service.Close()
	t.Setenv("TICKETSIM_CREDENTIAL", "another-one")
	var stdout, stderr bytes.Buffer
	code := (&tool{stdout: &stdout, stderr: &stderr}).main([]string{"live", "--addr", addr, "--for", "10m", "--ops", "200", "--callers", "40"})
	require.Equal(t, exitNothing, code, stdout.String()+stderr.String())
	require.Contains(t, stderr.String(), "reason=auth-failed")
	require.NotContains(t, stdout.String()+stderr.String(), "another-one")
	require.NotContains(t, stdout.String()+stderr.String(), "the-secret")
}

func TestLiveUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "credential")
	require.NoError(t, os.WriteFile(file, []byte("secret\r\n"), 0o600))
	t.Setenv("TICKETSIM_CREDENTIAL", "")
	for _, args := range []string{
		"", "--addr 127.0.0.1:1", "--addr 127.0.0.1:1 --for -1s", "--addr 127.0.0.1:1 --callers 0", "--addr 127.0.0.1:1 --keys 0",
		"--addr 127.0.0.1:1 --ops 0", "--addr 127.0.0.1:1 --drift-ppm 2000000", "--addr 127.0.0.1:1 --credential-file /no/such/file",
		"--addr nope", "--addr x:y:z", "--addr localhost", "--addr 127.0.0.1:abc", "--addr 127.0.0.1:0", "--addr 127.0.0.1:65536", "--addr=",
		"--addr 127.0.0.1:1 --credential-file live.go", "--addr 127.0.0.1:1 --for 1h --credential-file " + file + " --out " + file + "/in-a-file",
	} {
		var stdout, stderr bytes.Buffer
		code := (&tool{stdout: &stdout, stderr: &stderr}).main(append([]string{"live"}, strings.Fields(args)...))
		require.Equal(t, exitUsage, code, args)
		require.NotEmpty(t, stderr.String())
	}
}
