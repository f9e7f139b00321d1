package demux

import (
	"fmt"

	"ticketing/client/wire"
)

// Machine is the Core that ships. Make one with New.
type Machine struct {
	o       Options
	now     Time
	pending pending
	counter uint64 // owners made so far (rule owners)

	conns []conn     // MaxClosing slots
	cur   int        // the slot that is dialing or open, plus 1; zero: none
	used  int        // slots that are not vacant
	gen   Generation // dials so far

	lane   lane
	held   held
	hint   int32 // index into Options.Addrs, plus 1; zero: none (rule one-hint)
	cursor int32 // whose turn the next dial without a hint is

	gate   Time              // no dial before it (rule pacing)
	losses [numClasses]uint8 // unproven ends in a row, by class, no more than the cap needs

	shut    bool // InputClose came
	closeOp OpID // to be settled as Closed; zero: settled, or none
	closeAt Time // end of the closeGrace

	effects []Effect
	scratch []byte
	counts  Counts
}

var _ Core = (*Machine)(nil)

// New returns a Machine, or an error that names the option that is wrong.
func New(o Options) (*Machine, error) {
	o, err := o.WithDefaults()
	if err != nil {
		return nil, err
	}
	m := new(Machine)
	m.Reset(o)
	return m, nil
}

// Reset returns m to the state in which New would make it with o, its counts included, and reuses its
// memory. It panics on options that New refuses.
func (m *Machine) Reset(o Options) {
	o, err := o.WithDefaults()
	if err != nil {
		panic(err)
	}
	o.Addrs = ownAddrs(m.o.Addrs, o.Addrs)
	m.o = o
	m.now, m.counter, m.gen, m.gate = 0, 0, 0, 0
	m.pending.reset()
	for cap(m.conns) < o.MaxClosing { // a slot beyond the length keeps its memory
		m.conns = append(m.conns[:cap(m.conns)], conn{})
	}
	m.conns = m.conns[:o.MaxClosing]
	for i := range m.conns {
		m.conns[i].reset()
	}
	m.cur, m.used, m.hint, m.cursor = 0, 0, 0, 0
	m.lane.reset()
	m.held.reset()
	m.losses = [numClasses]uint8{}
	m.shut, m.closeOp, m.closeAt = false, 0, 0
	m.counts = Counts{}
}

// Step feeds one input and returns what to do; the slice is valid until the next Step. It panics on what only
// a wrong driver can feed: an unknown kind, arguments that CheckAcquire or CheckRelease refuse, an OpID of zero
// or of an operation that is not settled. Inputs that cannot come in the present state are ignored.
func (m *Machine) Step(now Time, in *Input) []Effect {
	m.effects = m.effects[:0]
	m.advance(now)
	m.handle(in)
	m.expire()
	m.dial()
	m.flush()
	m.finish()
	return m.effects
}

func (m *Machine) advance(now Time) {
	if now < m.now {
		m.count(CountClockBackwards)
		return
	}
	m.now = now
}

func (m *Machine) handle(in *Input) {
	switch in.Kind {
	case InputTick:
		return
	case InputAcquire:
		m.acquire(in)
		return
	case InputRelease:
		m.release(in)
		return
	case InputCancel:
		m.cancel(in.Op)
		return
	case InputClose:
		m.shutDown(in.Op)
		return
	case InputOpened, InputReceived, InputWrote, InputClosed:
	default:
		panic(fmt.Sprintf("demux: unknown input kind %d", in.Kind))
	}
	c := m.connection(in.Gen)
	if c == nil {
		return
	}
	switch in.Kind {
	case InputOpened:
		m.opened(c)
	case InputReceived:
		m.received(c, in.Data)
	case InputWrote:
		m.wrote(c, in.N, in.Failed)
	case InputClosed:
		m.closed(c)
	}
}

// expire fires every timer that is due, in the order of their instants; of one instant, the connection's come
// first. The lane's change nothing for the others.
func (m *Machine) expire() {
	m.lane.expire(m)
	for m.pending.earliest() <= m.now {
		m.expireConnection(m.pending.earliest())
		if m.pending.earliest() <= m.now {
			m.overdue(m.pending.due[0].slot)
		}
	}
	m.expireConnection(m.now)
}

// Deadline is the earliest instant at which the machine wants an InputTick, or Never.
func (m *Machine) Deadline() Time {
	d := min(m.pending.earliest(), m.lane.next)
	c := m.current()
	switch {
	case c == nil:
		if m.wantsDial() {
			d = min(d, m.gate)
		}
	case c.state == dialing || c.writing:
		d = min(d, c.until)
	case m.pending.queue.len(acquires) > 0: // held back, see carriesMore
		d = min(d, c.probe)
	}
	if m.shut && c != nil {
		d = min(d, m.closeAt)
	}
	return d
}

// CheckAcquire returns nil if a Step may be fed an acquire with these arguments; wait and lease are
// milliseconds.
func CheckAcquire(key string, wait, lease uint32) error {
	if err := wire.CheckName(key); err != nil {
		return fmt.Errorf("demux: acquire: key: %w", err)
	}
	if err := wire.CheckWait(wait); err != nil {
		return fmt.Errorf("demux: acquire: %w", err)
	}
	if err := wire.CheckLease(lease); err != nil {
		return fmt.Errorf("demux: acquire: %w", err)
	}
	return nil
}

// CheckRelease returns nil if a Step may be fed a release with these arguments.
func CheckRelease(key string, token uint64) error {
	if err := wire.CheckName(key); err != nil {
		return fmt.Errorf("demux: release: key: %w", err)
	}
	if err := wire.CheckToken(token); err != nil {
		return fmt.Errorf("demux: release: %w", err)
	}
	return nil
}

// mustBe panics with a programmer's mistake.
func mustBe(err error) {
	if err != nil {
		panic(err)
	}
}

func (m *Machine) mustBeNew(op OpID) {
	if op == 0 {
		panic("demux: OpID is 0")
	}
	if m.pending.live(op) || op == m.closeOp {
		panic(fmt.Sprintf("demux: OpID %d is not settled yet", op))
	}
}
