package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/client/demux"
	"ticketing/cmd/ticketd/cluster"
	"ticketing/cmd/ticketd/proxy"
)

// recorder keeps every step of a shell, so that it can be had again without the shell. It is bounded by stepsMax.
type recorder struct {
	steps []step
	left  int // steps that it had no room for
}

type step struct {
	now     demux.Time
	in      demux.Input
	effects string
}

const stepsMax = 500_000

func (r *recorder) step(now demux.Time, in *demux.Input, effects []demux.Effect) {
	if len(r.steps) == stepsMax {
		r.left++
		return
	}
	s := step{now: now, in: *in, effects: print(effects)}
	s.in.Data = bytes.Clone(in.Data)
	r.steps = append(r.steps, s)
}

func print(effects []demux.Effect) string {
	var b strings.Builder
	for i := range effects {
		fmt.Fprintf(&b, "%v %q\n", effects[i], effects[i].Data) // an effect alone does not show its data
	}
	return b.String()
}

// conforms feeds the inputs to a fresh machine and demands the effects that the shell's own asked for. Then it looks
// for the duties of a driver.
func (r *recorder) conforms(t *testing.T, o demux.Options) {
	require.Zero(t, r.left)
	m, err := demux.New(o)
	require.NoError(t, err)
	type state struct{ dialled, opened, writing, closed bool }
	links := map[demux.Generation]state{}
	for i := range r.steps {
		s := &r.steps[i]
		l := links[s.in.Gen]
		switch s.in.Kind {
		case demux.InputOpened:
			require.True(t, l.dialled && !l.opened && !l.closed, "step %d", i)
			l.opened = true
		case demux.InputReceived:
			require.True(t, l.opened && !l.closed, "step %d", i)
		case demux.InputWrote:
			require.True(t, l.writing && !l.closed, "step %d: an answer to no write", i)
			l.writing = false
		case demux.InputClosed:
			require.True(t, l.dialled && !l.writing && !l.closed, "step %d", i)
			l.closed = true
		}
		links[s.in.Gen] = l
		effects := m.Step(s.now, &s.in)
		require.Equal(t, s.effects, print(effects), "step %d of %d", i, len(r.steps))
		for _, e := range effects {
			l := links[e.Gen]
			switch e.Kind {
			case demux.EffectDial:
				l.dialled = true
			case demux.EffectWrite:
				require.False(t, l.writing)
				l.writing = true
			}
			links[e.Gen] = l
		}
	}
	delete(links, 0)
	for gen, l := range links {
		require.True(t, l.closed && !l.writing, "generation %d: %+v", gen, l)
	}
}

// network is one that nodes listen on.
type network interface {
	listen(t *testing.T) net.Listener
	dial(ctx context.Context, addr string) (net.Conn, error)
}

type loopback struct{ net.Dialer }

func (*loopback) listen(t *testing.T) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return l
}

func (n *loopback) dial(ctx context.Context, addr string) (net.Conn, error) {
	return n.DialContext(ctx, "tcp", addr)
}

// proxied starts a service whose nodes are only reached through proxies.
func proxied(t *testing.T, n network, nodes int, o cluster.Options, faults proxy.Options) (*cluster.Cluster, []*proxy.Proxy, []string) {
	var listeners []net.Listener
	var proxies []*proxy.Proxy
	faults.Dial = n.dial
	for i := range nodes {
		inner, outer := n.listen(t), n.listen(t)
		listeners, o.Addrs = append(listeners, inner), append(o.Addrs, outer.Addr().String())
		faults.Seed += uint64(i)
		proxies = append(proxies, proxy.New(faults, outer, inner.Addr().String()))
	}
	o.Credential = credential
	c, err := cluster.New(o, listeners)
	require.NoError(t, err)
	return c, proxies, o.Addrs
}

var weather = map[string]proxy.Options{
	"delay":      {Seed: 1, DelayMax: 20 * time.Millisecond},
	"split":      {Seed: 2, Split: 900},
	"reset":      {Seed: 3, Reset: 30},
	"half-open":  {Seed: 4, HalfOpen: 20},
	"black-hole": {Seed: 5, BlackHole: 20},
	"all":        {Seed: 6, DelayMax: 5 * time.Millisecond, Split: 300, Reset: 10, HalfOpen: 5, BlackHole: 5},
}

// Callers go on through every fault; what they are told is consistent, the machine alone would have said the same, the
// client recovers, and nothing of it is left in the end.
func TestThroughFaults(t *testing.T) {
	span := time.Second
	if testing.Short() {
		span /= 4
	}
	for name, faults := range weather {
		t.Run(name, func(t *testing.T) { weathers(t, &loopback{}, faults, span) })
	}
}

// The same on a clock of its own, for longer than anybody would wait. What took no time at all would be done without end.
func TestThroughFaultsInMemory(t *testing.T) {
	for name, faults := range weather {
		t.Run(name, func(t *testing.T) {
			faults.DelayMax = max(faults.DelayMax, time.Millisecond)
			synctest.Test(t, func(t *testing.T) { weathers(t, &lan{}, faults, 5*time.Second) })
		})
	}
}

func weathers(t *testing.T, n network, faults proxy.Options, span time.Duration) {
	before := held(t)
	service, proxies, addrs := proxied(t, n, 3, cluster.Options{LeaseMax: 200 * time.Millisecond}, faults)
	var seen recorder
	o := client.Options{Addrs: addrs, Credential: credential, Dial: n.dial, Grace: 100 * time.Millisecond, WriteStall: 300 * time.Millisecond}
	o.Trace(seen.step)
	c, err := client.New(o)
	require.NoError(t, err)

	storm(t, c, service, span)
	for _, p := range proxies {
		p.Heal()
	}
	// What was black-holed before is found dead by a deadline.
	require.Eventually(t, func() bool {
		ending, err := c.Do(context.Background(), "after", client.AcquireOptions{Wait: 200 * time.Millisecond, Lease: time.Minute}, func(context.Context, *client.Grant) error { return nil })
		return err == nil && ending == client.Released
	}, patience, time.Millisecond)
	require.NoError(t, c.Close(context.Background()))
	stats := c.Stats()
	require.Zero(t, stats.Acquires+stats.Releases+stats.Links)
	require.NotZero(t, stats.Outcomes[demux.Granted])
	t.Logf("%d steps, %d dials, %d grants", len(seen.steps), stats.Dials, stats.Outcomes[demux.Granted])
	seen.conforms(t, c.Core(credential))

	service.Close()
	for _, p := range proxies {
		p.Close()
	}
	nothingLeft(t, before)
}

// storm has callers acquire and release for a while, with deadlines, cancels and leader changes between. Each
// checks that the tokens of a key grow in the order of the grants.
func storm(t *testing.T, c *client.Client, service *cluster.Cluster, span time.Duration) {
	end := time.Now().Add(span)
	tokens := make([]struct {
		sync.Mutex
		highest uint64
	}, 4)
	var callers sync.WaitGroup
	for i := range 16 {
		callers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 0))
			for time.Now().Before(end) {
				key := random.IntN(len(tokens))
				at := &tokens[key]
				at.Lock()
				floor := at.highest // of grants that returned before this call
				at.Unlock()
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(50+random.IntN(400))*time.Millisecond)
				if random.IntN(10) == 0 {
					time.AfterFunc(time.Duration(random.IntN(20))*time.Millisecond, cancel)
				}
				g, ok, err := c.Acquire(ctx, strconv.Itoa(key), client.AcquireOptions{Wait: 200 * time.Millisecond, Lease: 100 * time.Millisecond})
				switch {
				case ok:
					at.Lock()
					at.highest = max(at.highest, g.Token())
					at.Unlock()
					if g.Token() <= floor {
						t.Errorf("token %d after %d", g.Token(), floor)
					}
					if _, err := g.Release(ctx); err != nil && !sayable(err) {
						t.Errorf("release: %v", err)
					}
				case err != nil && !sayable(err):
					t.Errorf("acquire: %v", err)
				}
				cancel()
			}
		})
	}
	for i := 0; time.Now().Before(end); i++ {
		time.Sleep(span / 8)
		if err := service.Lead(i % 3); err != nil {
			t.Error(err)
		}
	}
	callers.Wait()
}

func sayable(err error) bool {
	return errors.Is(err, client.ErrNotSent) || errors.Is(err, client.ErrIndeterminate) || errors.Is(err, client.ErrBusy)
}
