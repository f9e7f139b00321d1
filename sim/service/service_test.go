package service_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/wire"
	"ticketing/sim/clock"
	"ticketing/sim/service"
)

// walk draws a step of a random life, to be taken by any driver. now is odd nanoseconds on, so that no two ends coincide.
type walk struct {
	*rand.Rand
	now    clock.Time
	owners int
	begun  [6]bool
}

// step draws one step.
func (r *walk) step() func(d *driver) {
	r.now += clock.Time(1 + r.IntN(2_999_999))
	now, c := r.now, int32(r.IntN(len(r.begun)))
	if !r.begun[c] {
		r.begun[c] = true
		return func(d *driver) {
			d.advance(now)
			d.Begin(c, int16(c)%2)
			d.Open(c)
			d.Receive(d, c, []byte("H 1 secret\n"))
		}
	}
	key := "abc"[r.IntN(3)]
	switch k := r.IntN(100); {
	case k < 45:
		r.owners++
		line := fmt.Appendf(nil, "A %c o%d %d %d\n", key, r.owners, r.IntN(3)*r.IntN(60), 1+r.IntN(30))
		return func(d *driver) { d.advance(now); d.Receive(d, c, line); d.settle() }
	case k < 90:
		back := uint64(r.IntN(3))
		return func(d *driver) {
			d.advance(now)
			d.Receive(d, c, fmt.Appendf(nil, "R %c %d\n", key, max(1, d.Token-min(d.Token, back))))
			d.settle()
		}
	case k < 94:
		r.begun[c] = false
		return func(d *driver) { d.advance(now); d.Over(d, c) }
	case k < 96:
		q := []service.Question{service.AskMissing, service.AskDouble, service.AskStay, service.AskNotice}[r.IntN(4)]
		return func(d *driver) { d.advance(now); d.yes[q] = !d.yes[q] }
	}
	n := int16(r.IntN(3) - 1)
	return func(d *driver) {
		d.advance(now)
		if n != d.Leader {
			d.change(n, false)
		}
	}
}

func lively(known bool, seed uint64) *driver {
	d := &driver{known: known}
	revive(d, seed)
	return d
}

// revive makes d new.
func revive(d *driver, seed uint64) {
	d.reset(service.Options{Addrs: []string{"n0:1", "n1:1"}, Credential: "secret", Conns: 6, ProposalsMax: 4, QueueMax: 6, WaitersMax: 14,
		LeaseCap: 25, WaitRestart: 20, QueueDies: seed%2 == 0, QueueLost: seed%3 == 0, LeaseRestarts: seed%5 == 0, DriftPPM: 100},
		[]string{"a", "b", "c"})
	d.change(0, false)
}

// TestBothUsesAnswerAlike: the scan of a world and the heap of ticketd, keys known and not, commits at once and later.
func TestBothUsesAnswerAlike(t *testing.T) {
	answers := 0
	for seed := range uint64(60) {
		r := &walk{Rand: rand.New(rand.NewPCG(seed, 0))}
		world, ticketd := lively(true, seed), lively(false, seed)
		for i := range 600 {
			step := r.step()
			step(world)
			step(ticketd)
			want := world.heard()
			require.Equal(t, want, ticketd.heard(), "seed %d, step %d", seed, i)
			require.Equal(t, firstEnd(world), world.Deadline())
			require.Equal(t, firstEnd(ticketd), ticketd.Deadline())
			answers += len(want)
		}
	}
	require.Greater(t, answers, 100_000)
}

// firstEnd is what Deadline is to be, by looking at everything. The clock of the leader shows the time.
func firstEnd(d *driver) clock.Time {
	first := clock.Never
	if d.Leader < 0 {
		return first
	}
	for key := range int32(d.Locks()) {
		if d.Lock(key).Held {
			first = min(first, d.Ends(key))
		}
	}
	for v := range d.Waiters() {
		first = min(first, d.Until(v))
	}
	return first
}

// TestCloneRunsAlike: a clone, made over another's remains, answers like its original.
func TestCloneRunsAlike(t *testing.T) {
	clone := lively(true, 99)
	clone.Reset(&service.Options{Addrs: []string{"x0:1", "x1:1", "x2:1"}, Conns: 2})
	for seed := range uint64(20) {
		r := &walk{Rand: rand.New(rand.NewPCG(seed, 1))}
		d := lively(true, seed)
		for i := range 300 {
			if i%50 == 20 {
				clone.CopyFrom(&d.Service)
				clone.now, clone.keys = d.now, d.keys
				clone.owners = append(clone.owners[:0], d.owners...)
				clear(clone.yes)
				for q, yes := range d.yes {
					clone.yes[q] = yes
				}
				require.Equal(t, d.AppendState(d.now, nil), clone.AppendState(d.now, nil))
			}
			step := r.step()
			step(d)
			want := d.heard()
			if i >= 20 {
				step(clone)
				require.Equal(t, want, clone.heard(), "seed %d, step %d", seed, i)
			}
		}
		require.Equal(t, d.AppendState(d.now, nil), clone.AppendState(d.now, nil))
	}
}

// TestResetMakesNew: what was before leaves nothing, and no memory is lost.
func TestResetMakesNew(t *testing.T) {
	used := lively(true, 4)
	for seed := range uint64(10) {
		r := &walk{Rand: rand.New(rand.NewPCG(seed, 2))}
		fresh := lively(true, seed)
		revive(used, seed)
		require.Equal(t, fresh.AppendState(0, nil), used.AppendState(0, nil))
		for i := range 200 {
			step := r.step()
			step(fresh)
			step(used)
			require.Equal(t, fresh.heard(), used.heard(), "seed %d, step %d", seed, i)
		}
	}
}

// TestStateShowsWhatMatters: instants, lives, and the places of waiters do not show; what makes a difference does.
func TestStateShowsWhatMatters(t *testing.T) {
	state := func(first clock.Time, then func(d *driver)) []byte {
		d := lively(true, 0)
		d.advance(first)
		hello := func(c int32) { d.Begin(c, 0); d.Open(c); d.Receive(d, c, []byte("H 1 secret\n")) }
		hello(0)
		hello(1)
		d.Receive(d, 0, []byte("A a o1 0 20\n"))
		d.settle()
		then(d)
		return d.AppendState(d.now, nil)
	}
	say := func(d *driver, c int32, line string) { d.Receive(d, c, []byte(line+"\n")); d.settle() }
	again := func(d *driver) { d.Begin(1, 0); d.Open(1); d.Receive(d, 1, []byte("H 1 secret\n")) }
	d0 := state(1, func(d *driver) { say(d, 0, "A a o2 10 20"); say(d, 0, "A a o3 10 20") })
	same := state(7*clock.Millisecond, func(d *driver) {
		d.intern(&d.owners, "o2")
		d.intern(&d.owners, "o3")
		say(d, 1, "A a o4 10 20")
		say(d, 0, "A a o2 10 20")
		d.Over(d, 1)
		again(d)
		say(d, 0, "A a o3 10 20")
	})
	require.Equal(t, d0, same)
	seen := map[string]string{string(d0): "nothing"}
	both := func(d *driver) { say(d, 0, "A a o2 10 20"); say(d, 0, "A a o3 10 20") }
	for name, other := range map[string]func(d *driver){
		"order":               func(d *driver) { d.intern(&d.owners, "o2"); say(d, 0, "A a o3 10 20"); say(d, 0, "A a o2 10 20") },
		"wait":                func(d *driver) { say(d, 0, "A a o2 10 20"); say(d, 0, "A a o3 11 20") },
		"lease of a waiter":   func(d *driver) { say(d, 0, "A a o2 10 20"); say(d, 0, "A a o3 10 21") },
		"connection":          func(d *driver) { say(d, 0, "A a o2 10 20"); say(d, 1, "A a o3 10 20") },
		"owner of a waiter":   func(d *driver) { say(d, 0, "A a o2 10 20"); say(d, 0, "A a o4 10 20"); say(d, 0, "A a o5 10 20") },
		"client of a waiter":  func(d *driver) { say(d, 0, "A a o2 10 20"); say(d, 0, "A a p3 10 20") },
		"key of a waiter":     func(d *driver) { both(d); d.Queue(1, service.Owner{}, 20, service.Address{Life: 1}, d.now) },
		"another key of it":   func(d *driver) { both(d); d.Queue(2, service.Owner{}, 20, service.Address{Life: 1}, d.now) },
		"time":                func(d *driver) { both(d); d.now++ },
		"token":               func(d *driver) { both(d); d.Token++ },
		"other leader":        func(d *driver) { both(d); d.Leader = 1 },
		"no leader":           func(d *driver) { both(d); d.Vacate() },
		"up":                  func(d *driver) { both(d); d.Nodes[1].Up = false },
		"leads":               func(d *driver) { both(d); d.Nodes[1].Leads = true },
		"belief":              func(d *driver) { both(d); d.Nodes[1].Knows = 1 },
		"clock":               func(d *driver) { both(d); d.Nodes[1].Clock = clock.NewLocal(0, 50) },
		"hello":               func(d *driver) { both(d); d.Sessions[1].Hello = false },
		"closed":              func(d *driver) { both(d); d.Over(d, 1) },
		"node of a session":   func(d *driver) { both(d); d.Sessions[1].Node = 1 },
		"carry":               func(d *driver) { both(d); d.Receive(d, 1, []byte("A")) },
		"other carry":         func(d *driver) { both(d); d.Receive(d, 1, []byte("R")) },
		"free":                func(d *driver) { both(d); d.Free(d, 0, 0, true) },
		"release":             func(d *driver) { both(d); d.Receive(d, 1, []byte("R b 1\n")) },
		"token of a release":  func(d *driver) { both(d); d.Receive(d, 1, []byte("R b 2\n")) },
		"key of a release":    func(d *driver) { both(d); d.Receive(d, 1, []byte("R c 1\n")) },
		"acquire":             func(d *driver) { both(d); d.Receive(d, 1, []byte("A b o2 0 1\n")) },
		"wait of an acquire":  func(d *driver) { both(d); d.Receive(d, 1, []byte("A b o2 1 1\n")) },
		"lease of an acquire": func(d *driver) { both(d); d.Receive(d, 1, []byte("A b o2 0 2\n")) },
		"owner of an acquire": func(d *driver) { both(d); d.Receive(d, 1, []byte("A b o3 0 1\n")) },
		"whose acquire":       func(d *driver) { both(d); d.Receive(d, 0, []byte("A b o2 0 1\n")) },
		"refused acquire": func(d *driver) {
			both(d)
			d.Receive(d, 1, []byte("A b o2 0 1\n"))
			d.Nodes[0].Proposals[0].Refuse = true
		},
		"other lock":          func(d *driver) { both(d); say(d, 0, "A b o2 0 20"); d.Token-- },
		"its lease":           func(d *driver) { both(d); d.lasts = 20 * clock.Millisecond; say(d, 0, "A b o2 0 21"); d.Token-- },
		"its owner":           func(d *driver) { both(d); say(d, 0, "A b o3 0 20"); d.Token-- },
		"its token":           func(d *driver) { both(d); d.Token++; say(d, 0, "A b o2 0 20"); d.Token -= 2 },
		"its end":             func(d *driver) { both(d); d.lasts = 1; say(d, 0, "A b o2 0 20"); d.Token-- },
		"its being for ever":  func(d *driver) { both(d); d.lasts = clock.Never; say(d, 0, "A b o2 0 20"); d.Token-- },
		"which lock it is":    func(d *driver) { both(d); say(d, 0, "A c o2 0 20"); d.Token-- },
		"its place in a line": func(d *driver) { both(d); say(d, 0, "A b o2 0 20"); d.Token--; say(d, 0, "A b o3 10 20") },
	} {
		s := string(state(1, other))
		require.Empty(t, seen[s], name)
		seen[s] = name
	}

	// When a grant began matters where leases go on under another leader.
	began := func(world, at clock.Time) []byte {
		d := lively(true, 1)
		d.advance(world + at)
		d.Begin(0, 0)
		d.Open(0)
		d.lasts = 10*clock.Millisecond - at
		say(d, 0, "H 1 secret\nA a o 0 20")
		d.advance(world + 5*clock.Millisecond)
		return d.AppendState(d.now, nil)
	}
	require.Equal(t, began(0, 1), began(clock.Second, 1))
	require.NotEqual(t, began(0, 1), began(0, 2))
}

// mute is a host of known keys that keeps nothing of what it hears.
type mute struct {
	service.Service
	now    clock.Time
	answer []byte
}

func (m *mute) Read(_ int32, r *wire.Request) (int32, service.Owner) {
	key := 0
	for _, b := range r.Key {
		key = key*10 + int(b-'0')
	}
	return int32(key), service.Owner{N: 1}
}
func (m *mute) Enter(*wire.Request, int32) (int32, service.Owner, bool) { panic("known keys") }
func (m *mute) AppendKey(dst []byte, key int32) []byte                  { return strconv.AppendInt(dst, int64(key), 10) }
func (m *mute) AppendOwner(dst []byte, _ service.Owner) []byte          { return append(dst, 'o') }
func (m *mute) Ask(service.Question) bool                               { return false }
func (m *mute) Gap() uint64                                             { return 0 }
func (m *mute) Term(_ uint64, lease clock.Time) clock.Time              { return lease }
func (m *mute) Answer(_ int32, frame []byte)                            { m.answer = append(m.answer[:0], frame...) }
func (m *mute) Write(_ int32, frame []byte)                             { m.answer = append(m.answer[:0], frame...) }
func (m *mute) Close(int32)                                             {}
func (m *mute) Tell(e *service.Event) {
	if e.Kind == service.EventProposed {
		m.Work(m, m.now, e.Node)
	}
}

// begin resets it to so many keys, all but the first of which are held.
func (m *mute) begin(keys int) {
	m.Reset(&service.Options{Addrs: []string{"n0:1"}, Credential: "secret", Conns: 2, Keys: keys, ProposalsMax: 4, QueueMax: 64,
		WaitersMax: 64, LeaseCap: 1 << 30, QueueDies: true})
	m.Lead(m, 0, 0)
	m.greet(0)
	for key := 1; key < keys; key++ {
		m.Receive(m, 0, fmt.Appendf(nil, "A %d o 0 %d\n", key, 1_000_000_000+key))
	}
}

func (m *mute) greet(c int32) { m.Begin(c, 0); m.Open(c); m.Receive(m, c, []byte("H 1 secret\n")) }

// round is two acquires of key 0, the end of a lease, a wait that dies, and a release.
func (m *mute) round() {
	m.now += clock.Second
	m.greet(1)
	m.Receive(m, 0, []byte("A 0 o 0 10\nA 0 o 100 5\n"))
	m.Receive(m, 1, []byte("A 0 o 100 5\nA 1 o 100"))
	m.now += 10 * clock.Millisecond
	m.ExpireAll(m, m.now)
	m.Over(m, 1)
	m.answer = append(strconv.AppendUint(append(m.answer[:0], "R 0 "...), m.Token, 10), '\n')
	m.Receive(m, 0, m.answer)
}

func TestNothingIsAllocated(t *testing.T) {
	var m, clone mute
	m.begin(100)
	m.round()
	clone.CopyFrom(&m.Service)
	state := m.AppendState(m.now, nil)
	// So many rounds that a table which forgets its free places would have to grow.
	require.Zero(t, testing.AllocsPerRun(1, func() {
		for range 2000 {
			m.round()
		}
		clone.CopyFrom(&m.Service)
		state = clone.AppendState(m.now, state[:0])
	}))
	require.Equal(t, fmt.Sprintf("R 0 %d\n", m.Token), string(m.answer))
}

// TestDeadlineIsTheFirst grants and frees in any order, and compares with all ends.
func TestDeadlineIsTheFirst(t *testing.T) {
	var m mute
	m.Reset(&service.Options{Addrs: []string{"n0:1"}, Credential: "secret", Conns: 1, Keys: 200, ProposalsMax: 4, LeaseCap: 1 << 30})
	m.Lead(&m, 0, 0)
	m.greet(0)
	r := rand.New(rand.NewPCG(3, 4))
	var held [200]bool
	for i := range 5000 {
		key := r.IntN(len(held))
		if held[key] {
			m.Receive(&m, 0, fmt.Appendf(nil, "R %d %d\n", key, m.Lock(int32(key)).Token))
		} else {
			m.Receive(&m, 0, fmt.Appendf(nil, "A %d o 0 %d\n", key, 1+r.IntN(1_000_000)))
		}
		held[key] = !held[key]
		first := clock.Never
		for key := range int32(len(held)) {
			if held[key] {
				first = min(first, m.Ends(key))
			}
		}
		require.Equal(t, first, m.Deadline(), "step %d", i)
	}
}

// BenchmarkRound shows what a round costs beside few and many keys that are held.
func BenchmarkRound(b *testing.B) {
	for _, keys := range []int{2, 65_536} {
		b.Run(strconv.Itoa(keys), func(b *testing.B) {
			var m mute
			m.begin(keys)
			b.ReportAllocs()
			for b.Loop() {
				m.round()
			}
		})
	}
}

func TestMisuse(t *testing.T) {
	good := service.Options{Addrs: []string{"n0:1"}}
	for _, bad := range []func(o *service.Options){
		func(o *service.Options) { o.Addrs = nil },
		func(o *service.Options) { o.Conns = -1 },
		func(o *service.Options) { o.Keys = -1 },
		func(o *service.Options) { o.Keys = service.Most + 1 },
		func(o *service.Options) { o.ProposalsMax = -1 },
		func(o *service.Options) { o.QueueMax = -1 },
		func(o *service.Options) { o.WaitersMax = -1 },
		func(o *service.Options) { o.WaitersMax = service.Most + 1 },
	} {
		var s service.Service
		o := good
		s.Reset(&o)
		require.True(t, s.Nodes[0].Up)
		bad(&o)
		require.PanicsWithValue(t, fmt.Sprintf("service: options out of bounds: %d nodes, %d connections, %d keys, %d proposals, %d waiters of %d",
			len(o.Addrs), o.Conns, o.Keys, o.ProposalsMax, o.QueueMax, o.WaitersMax), func() { s.Reset(&o) })
	}
	d := lively(true, 0)
	require.Panics(t, func() { d.Expire(d, d.now, 0) }, "nothing is due")
	require.Equal(t, clock.Never, d.Deadline())
	require.Zero(t, d.Lock(2))
	require.Zero(t, d.Lock(3), "one that there is not")

	d = &driver{}
	d.reset(service.Options{Addrs: []string{"n0:1"}, Credential: "secret", Conns: 1, ProposalsMax: 1, LeaseCap: 25}, []string{"a"})
	d.change(0, false)
	d.Begin(0, 0)
	d.Open(0)
	d.Receive(d, 0, []byte("H 1 secret\nA a o 0 1\n"))
	require.PanicsWithValue(t, "service: key 1 of 1", func() { d.Receive(d, 0, []byte("A b o 0 1\n")) })
}
