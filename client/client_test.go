package client_test

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/client/demux"
	"ticketing/cmd/ticketd/cluster"
)

const credential = "a-credential"

// serve starts a service of some nodes on loopback.
func serve(t testing.TB, nodes int, o cluster.Options) (*cluster.Cluster, []string) {
	var listeners []net.Listener
	for range nodes {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		listeners, o.Addrs = append(listeners, l), append(o.Addrs, l.Addr().String())
	}
	o.Credential = credential
	c, err := cluster.New(o, listeners)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c, o.Addrs
}

// connect makes a client that is closed with the test. On a busy machine an answer may take its time.
func connect(t testing.TB, o client.Options) *client.Client {
	o.Credential = credential
	if o.Grace == 0 {
		o.Grace = patience
	}
	c, err := client.New(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
	return c
}

// short is long enough for a busy machine, and short where a test has a clock of its own.
var short = client.AcquireOptions{Wait: 20 * time.Second, Lease: time.Minute}

func acquire(t testing.TB, c *client.Client, key string) *client.Grant {
	g, ok, err := c.Acquire(context.Background(), key, short)
	require.NoError(t, err)
	require.True(t, ok)
	return g
}

func TestAcquireAndRelease(t *testing.T) {
	_, addrs := serve(t, 1, cluster.Options{})
	c := connect(t, client.Options{Addrs: addrs})
	g := acquire(t, c, "key")
	require.Equal(t, "key", g.Key())
	require.NotZero(t, g.Token())
	require.Equal(t, short.Lease, g.Lease())

	other, ok, err := c.Acquire(context.Background(), "key", client.AcquireOptions{Lease: time.Second})
	require.NoError(t, err)
	require.False(t, ok, "a held key")
	require.Nil(t, other)

	ending, err := g.Release(context.Background())
	require.NoError(t, err)
	require.Equal(t, client.Released, ending)
	ending, err = g.Release(context.Background())
	require.NoError(t, err)
	require.Equal(t, client.Released, ending, "the same answer again")
	require.Greater(t, acquire(t, c, "key").Token(), g.Token())
}

func TestLeaseThatEndedIsLost(t *testing.T) {
	isolated(t, 1, cluster.Options{LeaseMax: 20 * time.Millisecond}, client.Options{}, func(t *testing.T, _ *cluster.Cluster, c *client.Client) {
		g := acquire(t, c, "key")
		require.Equal(t, 20*time.Millisecond, g.Lease(), "what the service said")
		next := acquire(t, c, "key")
		require.Greater(t, next.Token(), g.Token())
		ending, err := g.Release(context.Background())
		require.NoError(t, err)
		require.Equal(t, client.Lost, ending)
	})
}

func TestManyCallersExcludeEachOther(t *testing.T) {
	_, addrs := serve(t, 1, cluster.Options{})
	c := connect(t, client.Options{Addrs: addrs})
	inside := make([]int, 4)
	var callers sync.WaitGroup
	for i := range 32 {
		callers.Go(func() {
			for n := range 50 {
				key := (i + n) % len(inside)
				ending, err := c.Do(context.Background(), strconv.Itoa(key), short, func(context.Context, *client.Grant) error {
					inside[key]++ // the race detector watches
					return nil
				})
				if err != nil || ending != client.Released {
					t.Errorf("%v, %v", ending, err)
				}
			}
		})
	}
	callers.Wait()
	require.Equal(t, []int{400, 400, 400, 400}, inside)
	s := c.Stats()
	require.EqualValues(t, 1600, s.Outcomes[demux.Granted])
	require.EqualValues(t, 1600, s.Outcomes[demux.Released])
	require.Zero(t, s.Acquires+s.Releases+s.Held+s.Lane)
	require.EqualValues(t, 1, s.Dials)
}

func TestBusy(t *testing.T) {
	isolated(t, 1, cluster.Options{LocksMax: 1}, client.Options{}, func(t *testing.T, _ *cluster.Cluster, c *client.Client) {
		g := acquire(t, c, "first")
		_, ok, err := c.Acquire(context.Background(), "second", short)
		require.False(t, ok)
		require.ErrorIs(t, err, client.ErrBusy)
		require.NotErrorIs(t, err, client.ErrNotSent)
		var e *client.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "second", e.Key)

		time.AfterFunc(50*time.Millisecond, func() { g.Release(context.Background()) })
		again, ok, err := client.Retry{}.Acquire(context.Background(), c, "second", short)
		require.NoError(t, err)
		require.True(t, ok)
		require.Greater(t, again.Token(), g.Token())

		began := time.Now()
		_, _, err = client.Retry{}.Acquire(context.Background(), c, "third", client.AcquireOptions{Wait: 100 * time.Millisecond, Lease: time.Second})
		require.ErrorIs(t, err, client.ErrBusy, "the budget is used up")
		require.LessOrEqual(t, time.Since(began), 100*time.Millisecond)
	})
}

func TestContext(t *testing.T) {
	isolated(t, 1, cluster.Options{}, client.Options{}, func(t *testing.T, _ *cluster.Cluster, c *client.Client) {
		g := acquire(t, c, "key")

		done, cancel := context.WithCancelCause(context.Background())
		mine := errors.New("mine")
		cancel(mine)
		_, _, err := c.Acquire(done, "other", short)
		require.ErrorIs(t, err, client.ErrNotSent)
		require.ErrorIs(t, err, mine)

		// A deadline shortens the wait, so that it ends with the service's answer.
		soon, stop := context.WithTimeout(context.Background(), 700*time.Millisecond)
		defer stop()
		_, ok, err := c.Acquire(soon, "key", short)
		require.NoError(t, err)
		require.False(t, ok)
		require.NoError(t, soon.Err())

		later, cancelLater := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancelLater)
		_, _, err = c.Acquire(later, "key", short)
		require.ErrorIs(t, err, client.ErrIndeterminate)
		require.ErrorIs(t, err, context.Canceled)

		ending, err := g.Release(done)
		require.NoError(t, err)
		require.Equal(t, client.Released, ending, "a context that is done stops no release")
	})
}

func TestArguments(t *testing.T) {
	c := connect(t, client.Options{Addrs: []string{"127.0.0.1:1"}})
	for _, o := range []client.AcquireOptions{
		{Wait: -time.Second, Lease: time.Second}, {Lease: time.Microsecond}, {Lease: -1}, {Lease: 1 << 62}, {Wait: 1 << 62, Lease: time.Second},
	} {
		_, ok, err := c.Acquire(context.Background(), "key", o)
		require.Error(t, err, "%+v", o)
		require.False(t, ok)
		require.NotErrorIs(t, err, client.ErrNotSent, "nothing began")
	}
	_, _, err := c.Acquire(context.Background(), "a key", short)
	require.ErrorContains(t, err, "client: ")
	require.Zero(t, c.Stats().Dials)
	_, err = client.New(client.Options{Addrs: []string{"a:1"}, Credential: "not secret"})
	require.ErrorContains(t, err, "client: ")
	require.NotContains(t, err.Error(), "not secret")
}

func TestCloseSettlesAll(t *testing.T) {
	isolated(t, 1, cluster.Options{}, client.Options{}, func(t *testing.T, _ *cluster.Cluster, c *client.Client) {
		g := acquire(t, c, "key")
		failed := make(chan error, 1)
		go func() {
			_, _, err := c.Acquire(context.Background(), "key", short)
			failed <- err
		}()
		synctest.Wait()
		require.NoError(t, c.Close(context.Background()))
		require.ErrorIs(t, <-failed, client.ErrIndeterminate)
		_, _, err := c.Acquire(context.Background(), "key", short)
		require.ErrorIs(t, err, client.ErrClosed)
		require.ErrorIs(t, err, client.ErrNotSent)
		_, err = g.Release(context.Background())
		require.ErrorIs(t, err, client.ErrClosed)
		require.Zero(t, c.Stats().Links)
	})
}

func TestFindsTheLeader(t *testing.T) {
	isolated(t, 3, cluster.Options{}, client.Options{}, func(t *testing.T, service *cluster.Cluster, c *client.Client) {
		for i := range 6 {
			require.NoError(t, service.Lead((i*2)%3))
			require.Eventually(t, func() bool {
				ending, err := c.Do(context.Background(), strconv.Itoa(i), short, func(context.Context, *client.Grant) error { return nil })
				return err == nil && ending == client.Released
			}, patience, time.Millisecond)
		}
		require.NoError(t, service.Lead(-1))
		soon, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer stop()
		_, ok, err := c.Acquire(soon, "key", short)
		require.False(t, ok)
		require.Error(t, err)
	})
}

func TestDoReleasesAfterAPanic(t *testing.T) {
	_, addrs := serve(t, 1, cluster.Options{})
	c := connect(t, client.Options{Addrs: addrs})
	require.PanicsWithValue(t, "fn", func() {
		c.Do(context.Background(), "key", short, func(context.Context, *client.Grant) error { panic("fn") })
	})
	g, ok, err := c.Acquire(context.Background(), "key", client.AcquireOptions{Lease: time.Second})
	require.NoError(t, err)
	require.True(t, ok)
	own := errors.New("own")
	ending, err := c.Do(context.Background(), "other", short, func(context.Context, *client.Grant) error { return own })
	require.ErrorIs(t, err, own)
	require.Equal(t, client.Released, ending)
	ending, err = c.Do(context.Background(), g.Key(), client.AcquireOptions{Lease: time.Second}, nil)
	require.NoError(t, err)
	require.Equal(t, client.NotEnded, ending, "held by another: fn is not called")
}
