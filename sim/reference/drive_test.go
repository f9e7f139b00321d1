package reference_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"ticketing/client/demux"
	"ticketing/sim/dialogue"
	"ticketing/sim/reference"
)

// drive is a driver and a peer without manners: it keeps the duties of demux.Core and nothing else. Every input
// is drawn from one seed.
type drive struct {
	r      *rand.Rand
	o      demux.Options
	core   demux.Core
	ledger *dialogue.Ledger
	now    demux.Time
	ops    demux.OpID
	open   []demux.OpID
	keys   map[demux.OpID]string
	conns  []*driven
	asked  []string // frames that the core wrote, on any connection
	said   []string // frames that were sent to it
	grants []string // "key token"
	shut   bool
	calm   bool // the peer mostly answers, and time is short
	trace  []string
	counts map[string]int
}

// driven is one connection of a drive.
type driven struct {
	gen            demux.Generation
	opened, closed bool
	write          []byte
	asked          []string // what was written here and, in a calm drive, not answered
	rest           string   // what the peer said and has not arrived
}

func newDrive(seed uint64, make dialogue.Make, counts map[string]int) *drive {
	d := &drive{r: rand.New(rand.NewPCG(seed, 1)), ledger: dialogue.NewLedger(), keys: map[demux.OpID]string{}, counts: counts}
	d.calm = d.chance(2)
	d.o = d.options()
	core, err := make(d.o)
	if err != nil {
		panic(err)
	}
	d.core = core
	d.now = demux.Time(d.r.Int64N(1 << 40))
	return d
}

func (d *drive) options() demux.Options {
	small := func(n int) int { return d.r.IntN(3) * (1 + d.r.IntN(n)) } // zero is the default
	ms := func(n int) time.Duration { return time.Duration(d.r.IntN(2)*(1+d.r.IntN(n))) * time.Millisecond }
	o := demux.Options{
		Addrs:       []string{"a:1", "b:1", "c:1", "d:1"}[:1+d.r.IntN(4)],
		Credential:  strings.Repeat("s", 1+d.r.IntN(800)),
		Prefix:      "p",
		MaxAcquires: small(4), MaxReleases: small(3), MaxLane: small(3), MaxHeld: small(3), MaxClosing: small(2),
		Grace: ms(2000), DialTimeout: ms(300), WriteStall: ms(300), Probe: ms(500), CloseGrace: ms(200),
		LaneSlack: ms(500), DialSpacing: ms(100),
	}
	if d.chance(3) {
		o.MaxWrite = 2048
	}
	if d.chance(2) {
		o.Jitter = d.r.Uint64()
	}
	if d.chance(4) {
		o.Prefix = "a.long.prefix"
	}
	if d.chance(3) {
		d.tiny(&o)
	}
	return o
}

// tiny makes every table hold one entry and every delay short: all bounds are met all the time.
func (d *drive) tiny(o *demux.Options) {
	o.MaxAcquires, o.MaxReleases, o.MaxLane, o.MaxHeld, o.MaxClosing = 1+d.r.IntN(2), 1+d.r.IntN(2), 1, 1, 1
	o.CloseGrace, o.Probe, o.DialSpacing = 1, 1+time.Duration(d.r.IntN(1000)), time.Nanosecond
	b := &o.Backoff
	for _, b := range []*demux.Backoff{&b.Moved, &b.NoLeader, &b.NotActive, &b.Auth, &b.Broken, &b.Lost, &b.Own} {
		b.Base = time.Duration(1 + d.r.IntN(20_000_000))
		b.Cap = b.Base * time.Duration(1+d.r.IntN(9))
	}
}

func (d *drive) chance(n int) bool { return d.r.IntN(n) == 0 }

func pick[T any](d *drive, from []T) T { return from[d.r.IntN(len(from))] }

// run feeds n inputs and then winds down.
func (d *drive) run(n int, after func()) {
	for range n {
		d.input()
		after()
	}
	if !d.shut {
		d.feed(demux.Input{Kind: demux.InputClose, Op: d.nextOp()})
		after()
	}
	for range 2 {
		for _, c := range append([]*driven(nil), d.conns...) {
			if c.write != nil {
				d.wrote(c)
				after()
			}
			d.feed(demux.Input{Kind: demux.InputClosed, Gen: c.gen})
			after()
		}
	}
}

func (d *drive) nextOp() demux.OpID { d.ops++; return d.ops }

func (d *drive) input() {
	if !d.calm || d.chance(6) {
		d.pass()
	}
	switch k := d.r.IntN(40); {
	case k < 8:
		d.acquire()
	case k < 12:
		d.release()
	case k < 15 && len(d.open) > 0:
		d.feed(demux.Input{Kind: demux.InputCancel, Op: pick(d, d.open)})
	case k == 15 && d.chance(40):
		d.shut = true
		d.feed(demux.Input{Kind: demux.InputClose, Op: d.nextOp()})
	case k < 18:
		d.feed(demux.Input{Kind: demux.InputTick})
	case k == 18:
		d.stray()
	default:
		if len(d.conns) > 0 {
			d.connection(pick(d, d.conns))
		}
	}
}

// pass lets time pass: often none, sometimes to the core's Deadline exactly, sometimes backwards.
func (d *drive) pass() {
	switch d.r.IntN(12) {
	case 0, 1:
		if at := d.core.Deadline(); at != demux.Never && at > d.now {
			d.now = at
			if d.chance(2) {
				d.feed(demux.Input{Kind: demux.InputTick})
			}
		}
	case 2, 3, 4:
		d.now += demux.Time(d.r.Int64N(20_000_000))
	case 5:
		d.now += demux.Time(d.r.Int64N(1_000_000_000))
	case 6:
		if d.chance(4) {
			d.now += demux.Time(d.r.Int64N(20_000_000_000))
		}
	case 7:
		if d.chance(4) {
			d.now = max(0, d.now-demux.Time(d.r.Int64N(100_000_000)))
		}
	}
}

func (d *drive) key() string {
	if d.o.MaxWrite == 2048 {
		return strings.Repeat("k", 180+d.r.IntN(3))
	}
	return pick(d, []string{"k", "l", "m"})
}

func (d *drive) acquire() {
	in := demux.Input{Kind: demux.InputAcquire, Op: d.nextOp(), Key: d.key(), Wait: uint32(d.r.IntN(3000)), Lease: 1 + uint32(d.r.IntN(9000))}
	switch d.r.IntN(8) {
	case 0:
		in.Wait = 0
	case 1:
		in.Deadline = d.now + demux.Time(d.r.Int64N(4_000_000_000)) + 1
	case 2:
		in.Wait = 1<<31 - 1
	}
	d.open = append(d.open, in.Op)
	d.keys[in.Op] = in.Key
	d.feed(in)
}

func (d *drive) release() {
	in := demux.Input{Kind: demux.InputRelease, Op: d.nextOp(), Key: d.key(), Token: 1 + d.r.Uint64N(12)}
	if len(d.grants) > 0 && !d.chance(4) {
		fmt.Sscan(pick(d, d.grants), &in.Key, &in.Token)
	}
	d.open = append(d.open, in.Op)
	d.feed(in)
}

func (d *drive) connection(c *driven) {
	switch {
	case c.write != nil && d.chance(2):
		d.wrote(c)
	case !c.opened && !c.closed && !d.chance(6):
		c.opened = true
		d.feed(demux.Input{Kind: demux.InputOpened, Gen: c.gen})
	case c.opened && !d.chance(10):
		d.received(c)
	case c.write == nil && (c.closed || d.chance(4)):
		d.feed(demux.Input{Kind: demux.InputClosed, Gen: c.gen})
	}
}

// stray feeds what must change nothing: inputs of a generation that is gone or not yet dialled, of a state in which they
// cannot come, of an operation that is settled.
func (d *drive) stray() {
	gen := demux.Generation(d.r.IntN(6))
	if len(d.conns) > 0 {
		c := pick(d, d.conns)
		switch {
		case d.chance(3) && c.opened:
			d.feed(demux.Input{Kind: demux.InputOpened, Gen: c.gen})
			return
		case d.chance(3) && c.write == nil:
			d.feed(demux.Input{Kind: demux.InputWrote, Gen: c.gen, N: d.r.IntN(9), Failed: d.chance(2)})
			return
		case d.chance(3) && !c.opened:
			d.feed(demux.Input{Kind: demux.InputReceived, Gen: c.gen, Data: []byte("M a:1\n")})
			return
		}
		gen += c.gen - 3
	}
	if d.alive(gen) {
		d.feed(demux.Input{Kind: demux.InputCancel, Op: demux.OpID(d.r.Uint64N(uint64(d.ops) + 2))})
		return
	}
	for _, in := range []demux.Input{
		{Kind: demux.InputOpened, Gen: gen},
		{Kind: demux.InputReceived, Gen: gen, Data: []byte("T k p-1\nM a:1\n")},
		{Kind: demux.InputWrote, Gen: gen, N: d.r.IntN(9), Failed: d.chance(2)},
		{Kind: demux.InputClosed, Gen: gen},
	} {
		d.feed(in)
	}
}

func (d *drive) alive(gen demux.Generation) bool {
	for _, c := range d.conns {
		if c.gen == gen {
			return true
		}
	}
	return false
}

func (d *drive) wrote(c *driven) {
	in := demux.Input{Kind: demux.InputWrote, Gen: c.gen, N: len(c.write)}
	kinds := 10
	if d.calm {
		kinds = 60
	}
	switch d.r.IntN(kinds) {
	case 0:
		in.N, in.Failed = d.r.IntN(len(c.write)+1), true
	case 1:
		in.N = d.r.IntN(len(c.write))
	case 2:
		in.N, in.Failed = strings.IndexByte(string(c.write), '\n')+d.r.IntN(2), d.chance(2)
	}
	c.write = nil
	d.feed(in)
}

func (d *drive) received(c *driven) {
	for range 1 + d.r.IntN(3) {
		f := d.frame(c)
		d.said = append(d.said, f)
		c.rest += f + "\n"
	}
	n := len(c.rest)
	if d.chance(3) {
		n = d.r.IntN(n + 1)
	}
	in := demux.Input{Kind: demux.InputReceived, Gen: c.gen, Data: []byte(c.rest[:n])}
	c.rest = c.rest[n:]
	d.feed(in)
}

// frame is a reply to something that was asked on any connection, something said before, or nonsense.
func (d *drive) frame(c *driven) string {
	if d.calm && !d.chance(12) && len(c.asked) > 0 {
		i := d.r.IntN(len(c.asked))
		f := strings.Fields(c.asked[i])
		c.asked = append(c.asked[:i:i], c.asked[i+1:]...)
		return d.answer(f)
	}
	if d.calm && !d.chance(12) {
		return "L a:1"
	}
	switch k := d.r.IntN(28); {
	case k > 24 && len(d.grants) > 0:
		return d.again()
	case k < 14 && len(d.asked) > 0:
		recent := d.asked[max(0, len(d.asked)-6):]
		return d.answer(strings.Fields(pick(d, recent)))
	case k == 14 && len(d.said) > 0:
		return pick(d, d.said)
	case k == 15:
		return fmt.Sprintf("A %s %s-%d %d %d", d.key(), pick(d, []string{d.o.Prefix, "q"}), d.r.IntN(40), 1+d.r.IntN(40), 1+d.r.IntN(3000))
	case k < 18:
		return pick(d, []string{"M ", "L "}) + pick(d, []string{"a:1", "b:1", "c:1", "d:1", "e:1", "A:1"})
	case k == 18:
		return "E " + pick(d, []string{"no_leader", "not_active", "auth_failed", "other", "no_leader x y", "no_leader ", "not_active  ."})
	case k == 19:
		return pick(d, []string{"", " ", "A", "T k", "T k p-1 x", "t k p-1", "T  k p-1", "R k 0", "R k 01", "N k 18446744073709551616",
			"A k p-1 1 2147483648", "A k p-1 1 0", "R k +1", "E", "E ", "E no_leader \x01", "M", "M a:1 b", "T k p-1\r", "Z k 1",
			strings.Repeat("x", 1023), strings.Repeat("x", 1024), "E no_leader " + strings.Repeat("x", 1011), "E no_leader " + strings.Repeat("x", 1012)})
	}
	return pick(d, []string{"L a:1", "L b:1", "T k p-1", "R k 1"})
}

// again is a grant that was given before, told once more: to its owner, to another of this client, to a stranger; or one
// whose token is near it.
func (d *drive) again() string {
	var key string
	var token uint64
	fmt.Sscan(pick(d, d.grants), &key, &token)
	if d.chance(4) {
		token = max(1, token+d.r.Uint64N(3)-1)
	}
	if d.chance(6) {
		key = d.key()
	}
	owner := pick(d, []string{d.o.Prefix + "-", d.o.Prefix + "-", d.o.Prefix + "-0", "q-"})
	return fmt.Sprintf("A %s %s%d %d %d", key, owner, d.r.IntN(40), token, pick(d, []int{1, 50, 5000, 1<<31 - 1}))
}

func (d *drive) answer(f []string) string {
	token := 1 + d.r.IntN(40)
	switch {
	case f[0] == "A" && d.chance(12):
		return fmt.Sprintf("A %s %s %d 500", d.key(), f[2], token)
	case f[0] == "A":
		return pick(d, []string{
			"T " + f[1] + " " + f[2],
			"B " + f[1] + " " + f[2],
			fmt.Sprintf("A %s %s %d %d", f[1], f[2], token, 1+d.r.IntN(4000)),
			fmt.Sprintf("A %s %s %d %d", f[1], f[2], token, 1+d.r.IntN(60000)),
		})
	case f[0] == "R" && d.chance(12):
		return fmt.Sprintf("R %s %d", f[1], token)
	case f[0] == "R":
		return pick(d, []string{"R ", "N "}) + f[1] + " " + f[2]
	}
	return "L a:1"
}

func (d *drive) feed(in demux.Input) {
	if d.trace = append(d.trace, fmt.Sprintf("%d: %s", d.now, reference.FormatInput(&in))); len(d.trace) > 400 {
		d.trace = d.trace[200:]
	}
	d.ledger.Fed(&in)
	if in.Kind == demux.InputClosed {
		d.conns = without(d.conns, in.Gen)
	}
	for _, e := range d.core.Step(d.now, &in) {
		d.trace = append(d.trace, "    "+reference.FormatEffect(e, nil))
		d.ledger.Did(e)
		d.perform(e)
	}
}

func (d *drive) perform(e demux.Effect) {
	switch e.Kind {
	case demux.EffectDial:
		d.count("dial")
		d.conns = append(d.conns, &driven{gen: e.Gen})
	case demux.EffectWrite:
		d.count("write")
		lines := strings.Split(strings.TrimSuffix(string(e.Data), "\n"), "\n")
		for _, c := range d.conns {
			if c.gen == e.Gen {
				c.write = append([]byte(nil), e.Data...)
				c.asked = append(c.asked, lines...)
			}
		}
		d.asked = append(d.asked, lines...)
	case demux.EffectClose:
		d.count("close " + e.Reason.String())
		for _, c := range d.conns {
			if c.gen == e.Gen {
				c.closed = true
			}
		}
	case demux.EffectComplete:
		d.count(fmt.Sprintf("complete %v %v resent=%v tries=%d", e.Outcome, e.Cause, e.Resent, e.Tries))
		d.complete(e)
	}
}

func (d *drive) complete(e demux.Effect) {
	for i, op := range d.open {
		if op == e.Op {
			d.open = append(d.open[:i:i], d.open[i+1:]...)
			break
		}
	}
	if e.Outcome == demux.Granted {
		d.grants = append(d.grants, fmt.Sprintf("%s %d", d.keys[e.Op], e.Token))
	}
}

func (d *drive) count(what string) { d.counts[what]++ }

func without(conns []*driven, gen demux.Generation) []*driven {
	var rest []*driven
	for _, c := range conns {
		if c.gen != gen {
			rest = append(rest, c)
		}
	}
	return rest
}
