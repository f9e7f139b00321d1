package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client"
)

// output collects what a process writes.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// says waits until the output matches.
func (o *output) says(t *testing.T, pattern string) []string {
	found := regexp.MustCompile(pattern)
	require.Eventually(t, func() bool { return found.MatchString(o.String()) }, 30*time.Second, time.Millisecond, pattern)
	return found.FindStringSubmatch(o.String())
}

func TestServesAndObeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "credential")
	require.NoError(t, os.WriteFile(file, []byte("secret\r\n"), 0o600))
	stdin, commands := io.Pipe()
	var stdout, stderr output
	exit := make(chan int, 1)
	go func() {
		exit <- run([]string{"--listen", "127.0.0.1:0,127.0.0.1:0", "--credential-file", file}, stdin, &stdout, &stderr)
	}()
	stdout.says(t, "kept in memory")
	addrs := []string{stdout.says(t, `node 0 listens on (\S+)`)[1], stdout.says(t, `node 1 listens on (\S+)`)[1]}

	c, err := client.New(client.Options{Addrs: addrs, Credential: "secret", Grace: 10 * time.Second})
	require.NoError(t, err)
	defer c.Close(context.Background())
	g, ok, err := c.Acquire(context.Background(), "key", client.AcquireOptions{Wait: 10 * time.Second, Lease: time.Minute})
	require.NoError(t, err)
	require.True(t, ok)

	for _, line := range []struct{ command, says string }{
		{"lead 1", "node 1 leads"},
		{"status", "leader 1, 1 leader changes, .* 1 locks; 1 granted"},
		{"lead 2", "no node 2"},
		{"lead -1", "no node \"-1\""},
		{"lead none", "nobody leads"},
		{"dance", "the commands are"},
		{"lead 1", "node 1 leads\n(.*\n)*.*node 1 leads"},
	} {
		_, err := io.WriteString(commands, line.command+"\n")
		require.NoError(t, err)
		stdout.says(t, line.says)
	}
	require.Eventually(t, func() bool {
		ending, err := g.Release(context.Background())
		return err == nil && ending != client.NotEnded
	}, 30*time.Second, 10*time.Millisecond, "the lock outlives its leader")

	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
	stdout.says(t, "node 0 leads")
	commands.Close()
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	require.Zero(t, <-exit)
	require.Empty(t, stderr.String())
	require.NotContains(t, stdout.String(), "secret")
}

// Clients are told of other nodes by the names that they know.
func TestAdvertises(t *testing.T) {
	t.Setenv("TICKETD_CREDENTIAL", "secret")
	var stdout, stderr output
	stdin, commands := io.Pipe()
	defer commands.Close()
	exit := make(chan int, 1)
	go func() {
		exit <- run([]string{"--listen", "127.0.0.1:0,127.0.0.1:0", "--advertise", "first:1,second:2"}, stdin, &stdout, &stderr)
	}()
	conn, err := net.Dial("tcp", stdout.says(t, `node 1 listens on (\S+)`)[1])
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "H 1 secret\nR key 1\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "M first:1\n", line)
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	require.Zero(t, <-exit)
}

func TestUsage(t *testing.T) {
	t.Setenv("TICKETD_CREDENTIAL", "")
	for _, args := range [][]string{
		{"--nonsense"}, {}, {"--fault", "none-such"}, {"--credential-file", filepath.Join(t.TempDir(), "none")},
	} {
		var stdout, stderr output
		require.Equal(t, 2, run(args, bytes.NewReader(nil), &stdout, &stderr), "%v", args)
		require.Contains(t, stderr.String(), "ticketd: ")
	}
	t.Setenv("TICKETD_CREDENTIAL", "secret")
	for _, c := range []struct{ arg, says string }{
		{"--advertise=a:1,b:1", "--advertise: 2 addresses for 1 nodes"},
		{"--advertise=a", `--advertise: "a" is not HOST:PORT`},
		{"--advertise=a:0", `--advertise: "a:0": the port is not in 1..65535`},
		{"--listen=x", `--listen: "x" is not HOST:PORT`},
		{"--listen=", "--listen: "},
		{"--listen=127.0.0.1:99999", `--listen: "127.0.0.1:99999": the port is not in 0..65535`},
		{"--listen=127.0.0.1:no-port", `--listen: "127.0.0.1:no-port": the port`},
		{"--listen=not a word:1", `--listen: "not a word:1" is not HOST:PORT`},
		{"--lease-max=-1s", "--lease-max: -1s is not in 1ms..596h31m23.647s"},
		{"--lease-max=0s", "--lease-max: 0s is not in "},
		{"--lease-max=600h", "--lease-max: 600h0m0s is not in "},
		{"--queue-max=0", "--queue-max: 0 is not in 1..16777216"},
		{"--queue-max=16777217", "--queue-max: 16777217 is not in "},
		{"--credential-file=/no/such/file", "--credential-file: "},
		{"--credential-file=/dev/zero", "--credential-file: "},
	} {
		var stdout, stderr output
		require.Equal(t, exitUsage, run([]string{c.arg}, bytes.NewReader(nil), &stdout, &stderr), c.arg)
		require.Contains(t, stderr.String(), "ticketd: "+c.says)
		require.Empty(t, stdout.String())
	}
	var stdout, stderr output
	require.Zero(t, run([]string{"--help"}, bytes.NewReader(nil), &stdout, &stderr))
	t.Setenv("TICKETD_CREDENTIAL", "two words")
	require.Equal(t, exitUsage, run(nil, bytes.NewReader(nil), &stdout, &stderr))
	require.Contains(t, stderr.String(), "ticketd: TICKETD_CREDENTIAL: ")
	require.NotContains(t, stderr.String(), "words")
}

// A port that is taken is nobody's mistake in the arguments.
func TestTakenPort(t *testing.T) {
	t.Setenv("TICKETD_CREDENTIAL", "secret")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	var stdout, stderr output
	require.Equal(t, exitInternal, run([]string{"--listen", l.Addr().String()}, bytes.NewReader(nil), &stdout, &stderr))
	require.Contains(t, stderr.String(), "address already in use")
}
