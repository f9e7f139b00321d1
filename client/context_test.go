package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
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

// atTheAnswer is a context that is done only once the client has settled so many operations: then both are there for a
// caller to choose.
type atTheAnswer struct {
	context.Context
	c    *client.Client
	of   demux.Outcome
	n    uint64
	done chan struct{}
}

func (a *atTheAnswer) Done() <-chan struct{} {
	for a.c.Stats().Outcomes[a.of] < a.n {
		runtime.Gosched()
	}
	if a.Err() == nil {
		close(a.done)
	}
	return a.done
}

func (a *atTheAnswer) Err() error {
	select {
	case <-a.done:
		return context.Canceled
	default:
		return nil
	}
}

// A definite answer that is there is told, though the context is done as well (grant-wins, and of releases the same).
func TestAnswerWinsOverADoneContext(t *testing.T) {
	_, addrs := serve(t, 1, cluster.Options{})
	c := connect(t, client.Options{Addrs: addrs})
	for i := range uint64(30) {
		ctx := func(of demux.Outcome) context.Context {
			return &atTheAnswer{Context: context.Background(), c: c, of: of, n: i + 1, done: make(chan struct{})}
		}
		granting := ctx(demux.Granted)
		g, ok, err := c.Acquire(granting, "key", short)
		require.NoError(t, err)
		require.True(t, ok)
		require.Error(t, granting.Err())
		ending, err := g.Release(ctx(demux.Released))
		require.NoError(t, err)
		require.Equal(t, client.Released, ending)
	}
}

// A context that ends at any moment of an acquire, or of a release, costs nobody a lock: what is granted is told, and what
// is not told is over with its lease.
func TestContextEndsAtEveryMoment(t *testing.T) {
	_, addrs := serve(t, 1, cluster.Options{LeaseMax: 100 * time.Millisecond})
	c := connect(t, client.Options{Addrs: addrs, Backoff: hasty})
	var callers sync.WaitGroup
	for i := range 8 {
		callers.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(i)))
			for n := range 100 {
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(time.Duration(random.IntN(400))*time.Microsecond, cancel)
				key := strconv.Itoa(n % 3)
				g, ok, err := c.Acquire(ctx, key, client.AcquireOptions{Wait: 20 * time.Millisecond, Lease: time.Second})
				if (g != nil) != ok || ok && err != nil || err != nil && !sayable(err) {
					t.Errorf("%v, %v, %v", g, ok, err)
				}
				if ok {
					if _, err := g.Release(ctx); err != nil && !sayable(err) {
						t.Error(err)
					}
				}
				cancel()
			}
		})
	}
	callers.Wait()
	for key := range 3 {
		_, err := acquire(t, c, strconv.Itoa(key)).Release(context.Background())
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool { s := c.Stats(); return s.Acquires+s.Releases == 0 }, patience, time.Millisecond)
	s := c.Stats()
	var settled uint64
	for _, n := range []demux.Outcome{demux.Granted, demux.TimedOut, demux.Busy, demux.NotSent, demux.Indeterminate} {
		settled += s.Outcomes[n]
	}
	require.GreaterOrEqual(t, settled, s.Outcomes[demux.Granted]*2-s.Outcomes[demux.Released]-s.Outcomes[demux.NotFound])
}

// Everything at once while the client closes, from many sides: all return, and say so afterwards too.
func TestCloseAmidEverything(t *testing.T) {
	before := held(t)
	service, addrs := serve(t, 2, cluster.Options{})
	for round := range 20 {
		c, err := client.New(client.Options{Addrs: addrs, Credential: credential})
		require.NoError(t, err)
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				for {
					g, ok, err := c.Acquire(context.Background(), strconv.Itoa(i%4), client.AcquireOptions{Wait: time.Second, Lease: 200 * time.Millisecond})
					if errors.Is(err, client.ErrClosed) {
						return
					}
					if ok {
						all.Go(func() { g.Release(context.Background()) })
						g.Release(context.Background())
					}
					c.Stats()
				}
			})
		}
		time.Sleep(time.Duration(round) * time.Millisecond)
		done, cancel := context.WithCancel(context.Background())
		cancel()
		if err := c.Close(done); err != nil { // it may be that fast
			require.ErrorIs(t, err, context.Canceled)
		}
		for range 4 {
			all.Go(func() {
				if err := c.Close(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for range 600 { // more than there is room for where nobody takes them
			_, _, err = c.Acquire(context.Background(), "key", short)
			require.ErrorIs(t, err, client.ErrClosed)
		}
		require.NoError(t, c.Close(context.Background()))
		require.Zero(t, c.Stats().Links)
		require.Zero(t, c.Stats().Acquires+c.Stats().Releases)
	}
	service.Close()
	nothingLeft(t, before)
}

// Two releases at the same time share their answer; whichever comes later gets the same.
func TestReleaseFromTwoSides(t *testing.T) {
	_, addrs := serve(t, 1, cluster.Options{})
	c := connect(t, client.Options{Addrs: addrs})
	for range 100 {
		g := acquire(t, c, "key")
		var both sync.WaitGroup
		var endings [2]client.Ending
		for i := range endings {
			both.Go(func() {
				var err error
				if endings[i], err = g.Release(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		require.Contains(t, endings, client.Released, "one of them did it")
		require.NotContains(t, endings, client.Lost, "nobody else had it")
		ending, err := g.Release(context.Background())
		require.NoError(t, err)
		require.Equal(t, client.Released, ending)
	}
}

// The error of Do is that of fn, not something around it.
func TestDoReturnsTheErrorItself(t *testing.T) {
	isolated(t, 1, cluster.Options{}, client.Options{Grace: 50 * time.Millisecond}, func(t *testing.T, service *cluster.Cluster, c *client.Client) {
		ending, err := c.Do(context.Background(), "key", short, func(context.Context, *client.Grant) error { return io.EOF })
		require.True(t, err == io.EOF, "%v", err)
		require.Equal(t, client.Released, ending)

		ended := make(chan struct{})
		go func() {
			defer close(ended)
			c.Do(context.Background(), "key", short, func(context.Context, *client.Grant) error { runtime.Goexit(); return nil })
		}()
		<-ended
		acquire(t, c, "key")

		// A release that fails is told beside what fn said.
		ending, err = c.Do(context.Background(), "other", short, func(context.Context, *client.Grant) error {
			service.Close()
			return io.EOF
		})
		require.ErrorIs(t, err, io.EOF)
		require.True(t, errors.Is(err, client.ErrNotSent) || errors.Is(err, client.ErrIndeterminate), "%v", err)
		require.Equal(t, client.NotEnded, ending)
	})
}

// What the caller does to its slice afterwards is not dialled: the credential would go to whoever is there.
func TestOptionsAreTheClientsOwn(t *testing.T) {
	_, addrs := serve(t, 1, cluster.Options{})
	var heard ear
	h := beHostile(t, heard.hear)
	defer h.close()
	c := connect(t, client.Options{Addrs: addrs})
	addrs[0] = h.listener.Addr().String()
	_, err := acquire(t, c, "key").Release(context.Background())
	require.NoError(t, err)
	require.Zero(t, heard.bytes)
}

// No verb shows the credential, of no value that a caller can have; but for %p of Options, which calls no method whatever, and
// which vet refuses.
func TestNothingPrintsTheCredential(t *testing.T) {
	_, addrs := serve(t, 1, cluster.Options{})
	o := client.Options{Addrs: addrs, Credential: credential}
	c := connect(t, o)
	g := acquire(t, c, "key")
	_, _, err := c.Acquire(context.Background(), "key", client.AcquireOptions{})
	require.Error(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%c"} {
		for _, v := range []any{o, &o, struct{ O client.Options }{o}, []client.Options{o}, struct{ c *client.Client }{c}, struct{ g *client.Grant }{g}, map[string]client.Options{"": o}, c, g, err, c.Stats()} {
			text := fmt.Sprintf(verb, v)
			require.NotContains(t, text, credential, verb)
			require.NotContains(t, text, fmt.Sprintf("%x", credential), verb)
			require.NotContains(t, text, fmt.Sprintf("%X", credential), verb)
		}
	}
	require.Equal(t, `grant of "key", token 1`, g.String())
}

// A table that is full turns away at once, and takes again when there is room.
func TestFull(t *testing.T) {
	isolated(t, 1, cluster.Options{}, client.Options{MaxAcquires: 2}, func(t *testing.T, _ *cluster.Cluster, c *client.Client) {
		g := acquire(t, c, "key")
		var waiting sync.WaitGroup
		for range 2 {
			waiting.Go(func() {
				ending, err := c.Do(context.Background(), "key", short, func(context.Context, *client.Grant) error { return nil })
				if err != nil || ending != client.Released {
					t.Errorf("%v, %v", ending, err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		_, ok, err := client.Retry{}.Acquire(context.Background(), c, "key", short)
		require.False(t, ok)
		require.ErrorIs(t, err, client.ErrFull)
		require.ErrorIs(t, err, client.ErrNotSent)
		require.NotErrorIs(t, err, client.ErrBusy, "the service did not say so, and nothing is tried again")
		require.Zero(t, time.Since(began))
		_, err = g.Release(context.Background()) // has room of its own
		require.NoError(t, err)
		waiting.Wait()
	})
}

// The pauses of Retry end with the context, and are none where the wait does not allow them.
func TestRetryEnds(t *testing.T) {
	isolated(t, 1, cluster.Options{LocksMax: 1}, client.Options{}, func(t *testing.T, _ *cluster.Cluster, c *client.Client) {
		acquire(t, c, "first")
		for _, r := range []client.Retry{{}, {Base: time.Hour}, {Base: 1 << 62, Cap: 1}, {Base: time.Minute, Cap: time.Hour}} {
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			for _, wait := range []time.Duration{0, 10 * time.Millisecond, time.Hour} {
				began := time.Now()
				g, ok, err := r.Acquire(ctx, c, "second", client.AcquireOptions{Wait: wait, Lease: time.Second})
				require.Nil(t, g)
				require.False(t, ok)
				require.True(t, errors.Is(err, client.ErrBusy) || ctx.Err() != nil && errors.Is(err, client.ErrNotSent), "%v", err)
				require.LessOrEqual(t, time.Since(began), 50*time.Millisecond)
			}
			cancel()
		}
	})
}
