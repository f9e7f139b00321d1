package demux

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/client/wire"
)

// driver is a random driver that keeps the duties of a driver, and a peer that need not keep the protocol.
// It checks what must hold whatever the peer does: each operation settles once, its outcome agrees with the
// bytes that were accepted, writes and dials obey the contract, bounds hold.
type driver struct {
	t      *testing.T
	m      *Machine
	choose func(n int) int
	now    Time
	nextOp OpID
	live   []OpID
	ops    map[OpID]*driven
	owners map[string]*driven // of the acquires that were given one
	conns  []*link
	lastG  Generation
	tokens []uint64 // granted to callers
	token  uint64   // the last that the peer gave
	shut   bool
	ended  bool

	// follow is fed every input and returns what to check against the machine, if anything.
	follow func(now Time, in *Input, effects []Effect)
}

type driven struct {
	acquire   bool
	settled   bool
	cancelled bool
	accepted  bool // of an acquire: a byte of it was taken
}

// link is the driver's side of a connection.
type link struct {
	gen     Generation
	open    bool
	closing bool
	out     []byte // the outstanding write
	writing bool
	asked   []wire.Request // what the peer saw
}

func smallOptions() Options {
	return Options{
		Addrs: []string{"n1:1", "n2:1", "n3:1"}, Credential: "secret", Prefix: "me",
		MaxAcquires: 6, MaxReleases: 4, MaxLane: 3, MaxHeld: 4, MaxClosing: 2, MaxWrite: 2048,
	}
}

func newDriver(t *testing.T, o Options, choose func(n int) int) *driver {
	m, err := New(o)
	require.NoError(t, err)
	return &driver{t: t, m: m, choose: choose, ops: map[OpID]*driven{}, owners: map[string]*driven{}}
}

func (d *driver) feed(in Input) {
	effects := d.m.Step(d.now, &in)
	if d.follow != nil {
		d.follow(d.now, &in, effects)
	}
	for i := range effects {
		d.perform(&effects[i])
	}
	m := d.m
	require.True(d.t, m.pending.all.len(acquires) <= m.o.MaxAcquires && m.pending.numCalls <= m.o.MaxReleases &&
		len(m.lane.entries) <= m.o.MaxLane && m.held.len() <= m.o.MaxHeld && m.used <= m.o.MaxClosing)
	require.True(d.t, m.Deadline() > m.now, "a deadline that a step left behind")
}

func (d *driver) perform(e *Effect) {
	switch e.Kind {
	case EffectDial:
		require.Equal(d.t, d.lastG+1, e.Gen)
		for _, l := range d.conns {
			require.True(d.t, l.closing, "a dial beside a connection that lives")
		}
		d.lastG = e.Gen
		d.conns = append(d.conns, &link{gen: e.Gen})
	case EffectWrite:
		l := d.link(e.Gen)
		require.True(d.t, l.open && !l.closing && !l.writing)
		require.LessOrEqual(d.t, len(e.Data), d.m.o.MaxWrite)
		l.writing, l.out = true, e.Data
		d.eachAcquire(l.out, func(_ int, op *driven) {
			require.False(d.t, op.accepted || op.settled, "an owner that goes out again, or too late")
		})
	case EffectClose:
		l := d.link(e.Gen)
		require.False(d.t, l.closing)
		l.closing = true
	case EffectComplete:
		d.complete(e)
	default:
		d.t.Fatalf("effect %d", e.Kind)
	}
}

func (d *driver) link(gen Generation) *link {
	for _, l := range d.conns {
		if l.gen == gen {
			return l
		}
	}
	d.t.Fatalf("no connection %d", gen)
	return nil
}

func (d *driver) complete(e *Effect) {
	if e.Outcome == Closed {
		require.Empty(d.t, d.live)
		require.Empty(d.t, d.conns)
		d.ended = true
		return
	}
	op := d.ops[e.Op]
	require.NotNil(d.t, op)
	require.False(d.t, op.settled, "settled twice")
	op.settled = true
	for i, l := range d.live {
		if l == e.Op {
			d.live = append(d.live[:i], d.live[i+1:]...)
			break
		}
	}
	switch e.Outcome {
	case Granted:
		d.tokens = append(d.tokens, e.Token)
	case NotSent:
		require.NotZero(d.t, e.Cause)
		require.Zero(d.t, e.Tries)
		require.False(d.t, op.accepted, "NotSent after a byte")
		require.True(d.t, e.Cause != CauseCancelled || op.cancelled)
		require.True(d.t, e.Cause != CauseClosed || d.shut)
	case Indeterminate:
		require.Equal(d.t, op.acquire, e.Tries == 0)
		require.Equal(d.t, op.acquire, op.accepted, "Indeterminate without a byte")
	case TimedOut, Busy:
		require.True(d.t, op.acquire)
	case Released, NotFound:
		require.False(d.t, op.acquire)
		require.True(d.t, 0 < e.Tries && e.Tries <= maxTries && e.Resent == (e.Outcome == NotFound && e.Tries > 1))
	}
}

// eachAcquire visits the acquires in a write, with where their frames begin.
func (d *driver) eachAcquire(data []byte, visit func(start int, op *driven)) {
	for at := 0; at < len(data); {
		var r wire.Request
		n, err := wire.ParseRequest(data[at:], &r)
		require.NoError(d.t, err)
		if r.Op == wire.OpAcquire {
			require.Contains(d.t, d.owners, string(r.Owner))
			visit(at, d.owners[string(r.Owner)])
		}
		at += n
	}
}

// written parses what the transport accepted, or would have, and tells the peer about whole frames.
func (d *driver) written(l *link, n int) {
	rest := l.out
	at := 0
	for len(rest) > 0 {
		var r wire.Request
		size, err := wire.ParseRequest(rest, &r)
		require.NoError(d.t, err, "%q", rest)
		require.NotZero(d.t, size, "half a frame in a write")
		if at+size <= n {
			r.Key, r.Owner = bytes.Clone(r.Key), bytes.Clone(r.Owner)
			l.asked = append(l.asked, r)
		}
		at += size
		rest = rest[size:]
	}
}

func (d *driver) step() {
	d.now += Time(d.choose(3)) * Time(d.choose(40)) * millisecond
	switch k := d.choose(16); k {
	case 0, 1, 2:
		d.askAcquire()
	case 3:
		d.askRelease()
	case 4:
		if len(d.live) > 0 {
			op := d.live[d.choose(len(d.live))]
			d.ops[op].cancelled = true
			d.feed(Input{Kind: InputCancel, Op: op})
		}
	case 5:
		if at := d.m.Deadline(); at != Never {
			d.now = max(d.now, at)
		}
		d.feed(Input{Kind: InputTick})
	case 6:
		d.askOdd()
	default:
		if len(d.conns) > 0 {
			d.connStep(d.conns[d.choose(len(d.conns))], k)
		}
	}
}

// askOdd does what is rare: a shut-down, a clock that goes back, inputs that are too late.
func (d *driver) askOdd() {
	switch d.choose(40) {
	case 1:
		d.nextOp++
		d.shut = true
		d.feed(Input{Kind: InputClose, Op: d.nextOp})
	case 2:
		d.now--
		d.feed(Input{Kind: InputTick})
		d.now++
	case 3:
		d.feed(Input{Kind: InputCancel, Op: d.nextOp + 1})
	case 4:
		d.feed(Input{Kind: InputWrote, Gen: d.lastG + 1, N: 1})
		d.feed(Input{Kind: InputReceived, Gen: d.lastG + 1, Data: []byte("A k0 me-1 1 1\n")})
		d.feed(Input{Kind: InputClosed, Gen: d.lastG + 1})
	}
}

func (d *driver) askAcquire() {
	d.nextOp++
	op := &driven{acquire: true}
	d.ops[d.nextOp] = op
	// The next owner is its own, if it gets one at all.
	d.owners[d.m.o.Prefix+"-"+strconv.FormatUint(d.m.counter+1, 10)] = op
	d.live = append(d.live, d.nextOp)
	in := Input{Kind: InputAcquire, Op: d.nextOp, Key: d.key(), Wait: uint32(d.choose(3) * 300), Lease: uint32(1 + d.choose(2)*500)}
	if d.choose(3) == 1 {
		in.Deadline = d.now + Time(d.choose(900))*millisecond
	}
	d.feed(in)
}

func (d *driver) key() string { return "k" + strconv.Itoa(d.choose(2)) }

func (d *driver) askRelease() {
	token := uint64(1 + d.choose(9))
	if len(d.tokens) > 0 && d.choose(4) > 0 {
		token = d.tokens[d.choose(len(d.tokens))]
	}
	d.nextOp++
	d.ops[d.nextOp] = &driven{}
	d.live = append(d.live, d.nextOp)
	d.feed(Input{Kind: InputRelease, Op: d.nextOp, Key: d.key(), Token: token})
}

func (d *driver) connStep(l *link, k int) {
	switch {
	case !l.open && !l.closing && k < 14:
		l.open = true
		d.feed(Input{Kind: InputOpened, Gen: l.gen})
	case l.writing && (k < 11 || l.closing):
		d.answerWrite(l)
	case k < 15 && l.open:
		d.feed(Input{Kind: InputReceived, Gen: l.gen, Data: d.speak(l)})
	case !l.writing && (l.closing || d.choose(3) == 1):
		d.dropLink(l)
		d.feed(Input{Kind: InputClosed, Gen: l.gen})
	}
}

func (d *driver) dropLink(l *link) {
	for i := range d.conns {
		if d.conns[i] == l {
			d.conns = append(d.conns[:i], d.conns[i+1:]...)
			return
		}
	}
}

func (d *driver) answerWrite(l *link) {
	in := Input{Kind: InputWrote, Gen: l.gen, N: len(l.out)}
	switch d.choose(6) {
	case 1:
		in.N = d.choose(len(l.out) + 1)
	case 2:
		in.N, in.Failed = d.choose(len(l.out)+1), true
	}
	d.written(l, in.N)
	d.eachAcquire(l.out, func(start int, op *driven) { op.accepted = op.accepted || start < in.N })
	l.writing, l.out = false, nil
	d.feed(in)
}

// speak makes bytes of the peer: an answer to what it saw, right or wrong, or anything else.
func (d *driver) speak(l *link) []byte {
	var out []byte
	for range 1 + d.choose(3) {
		out = d.speakOne(l, out)
	}
	if d.choose(8) == 1 {
		out = out[:d.choose(len(out)+1)]
	}
	return out
}

func (d *driver) speakOne(l *link, out []byte) []byte {
	switch d.choose(32) {
	case 1:
		return wire.AppendMoved(out, "n"+strconv.Itoa(1+d.choose(4))+":1")
	case 2:
		return wire.AppendNotice(out, "n"+strconv.Itoa(1+d.choose(4))+":1")
	case 3:
		return wire.AppendError(out, []string{"no_leader", "not_active", "auth_failed", "x"}[d.choose(4)], "text")
	case 4:
		return append(out, []string{"garbage\n", "X\n", long(wire.MaxFrame)}[d.choose(3)]...)
	case 5:
		return wire.AppendGranted(out, d.key(), []string{"me-", "me-0", "you-"}[d.choose(3)]+strconv.Itoa(1+d.choose(9)), uint64(1+d.choose(12)), 100)
	case 7:
		return append(out, d.noise()...)
	case 6:
		return wire.AppendReleased(out, d.key(), uint64(1+d.choose(12)))
	}
	return d.answer(l, out)
}

// noise is any bytes at all, or nearly a frame.
func (d *driver) noise() []byte {
	var out []byte
	for range d.choose(12) {
		out = append(out, byte(d.choose(256)))
	}
	switch d.choose(4) {
	case 1:
		out = append([]byte("A k0 me-1 "), out...)
	case 2:
		out = append([]byte("R k1 1"), out...)
	case 3:
		out = append([]byte("E "), out...)
	}
	return append(out, '\n')
}

// answer is an honest answer, but for its order, to something that the peer saw.
func (d *driver) answer(l *link, out []byte) []byte {
	if len(l.asked) == 0 {
		return out
	}
	r := l.asked[d.choose(len(l.asked))]
	switch r.Op {
	case wire.OpAcquire:
		switch d.choose(4) {
		case 1:
			return wire.AppendTimedOut(out, r.Key, r.Owner)
		case 2:
			return wire.AppendBusy(out, r.Key, r.Owner)
		}
		d.token++
		return wire.AppendGranted(out, r.Key, r.Owner, d.token, r.Lease)
	case wire.OpRelease:
		if d.choose(3) == 1 {
			return wire.AppendNotFound(out, r.Key, r.Token)
		}
		return wire.AppendReleased(out, r.Key, r.Token)
	}
	return out
}

// finish closes the machine and everything that it still waits for; nothing may be left then.
func (d *driver) finish() {
	if !d.shut {
		d.shut = true
		d.nextOp++
		d.feed(Input{Kind: InputClose, Op: d.nextOp})
	}
	for !d.ended {
		if len(d.conns) == 0 {
			break
		}
		switch l := d.conns[0]; {
		case l.writing:
			d.answerWrite(l)
		case l.closing:
			d.dropLink(l)
			d.feed(Input{Kind: InputClosed, Gen: l.gen})
		default:
			d.now = d.m.Deadline()
			d.feed(Input{Kind: InputTick})
		}
	}
	require.True(d.t, d.ended, "Close did not settle")
	require.Empty(d.t, d.live)
	require.Equal(d.t, Never, d.m.Deadline())
}

func long(n int) string { return strings.Repeat("x", n) }

// splitmix is the random source of these tests.
func splitmix(seed uint64) func(n int) int {
	return func(n int) int {
		seed += 0x9e3779b97f4a7c15
		x := (seed ^ seed>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return int((x ^ x>>31) % uint64(n))
	}
}

// oddOptions are small bounds that differ from seed to seed.
func oddOptions(seed uint64) Options {
	o := smallOptions()
	o.Jitter, o.MaxLane, o.MaxHeld = seed%3, 1+int(seed%4), 1+int(seed/4%4)
	o.Backoff.Auth = Backoff{10 * time.Millisecond, time.Second}
	if seed%5 == 0 {
		// A write that cannot hold all that is pending.
		o.Prefix, o.Credential, o.MaxAcquires = long(MaxPrefix), long(wire.MaxCredential), 20
	}
	return o
}

// Whatever happens, the contract holds; and it does happen: every branch of every rule is taken.
func TestRandomDriver(t *testing.T) {
	var total Counts
	for seed := range uint64(1500) {
		d := newDriver(t, oddOptions(seed), splitmix(seed))
		for i := 0; i < 400 && !d.ended; i++ {
			d.step()
		}
		d.finish()
		total.Add(d.m.Counts())
	}
	// An orphan is queued on an open connection only if it did not fit beside H: TestShutDownWritesLane.
	for _, c := range []Count{CountShutDownLaneWrite, CountShutDownGrace, CountShutDownUnread} {
		total[c]++
	}
	var missed []string
	for i, n := range total {
		if n == 0 {
			missed = append(missed, CountNames[i])
		}
	}
	require.Empty(t, missed)
}
