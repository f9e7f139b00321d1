// Package reference is a second client core, made to be read against the protocol page and not to be run fast.
//
// It is written from the page and from the contract in package demux alone, shares no code with the core that
// ships, and prefers the obvious to the quick: linear scans, strings, slices rebuilt in each step. Where the two
// disagree, one of them misreads the page; Pair finds the place.
//
// It is not for production: nothing is reused and every step walks every table.
//
// The contract is that of demux.Core.
package reference

import (
	"fmt"
	"slices"
	"strconv"

	"ticketing/client/demux"
	"ticketing/client/wire"
)

// Core is the naive core. Its tables are in order of arrival, always: a request never changes its place, so
// "back to the head of the queue in their order" (unsent-moves) needs no code.
type Core struct {
	o   demux.Options
	now demux.Time

	owners int // acquires that got an owner so far (rule owners)
	serial int // numbers releases and lane entries, for the frames of a write to refer to

	acquires []acquire
	releases []release
	lane     []orphan
	held     []grant
	mark     uint64 // rule held-grant

	conns    []conn // those that have not had their InputClosed, in order of generation
	dialled  demux.Generation
	lastDial demux.Time
	leader   leader

	shut      bool
	shutOp    demux.OpID // zero once settled
	shutLimit demux.Time // when the last connection is closed, lane written or not

	out []demux.Effect
}

var _ demux.Core = (*Core)(nil)

// New returns a core. Its errors are those of demux.Options.WithDefaults.
func New(o demux.Options) (*Core, error) {
	full, err := o.WithDefaults()
	if err != nil {
		return nil, err
	}
	c := new(Core)
	c.start(full)
	return c, nil
}

func (c *Core) start(full demux.Options) {
	full.Addrs = slices.Clone(full.Addrs)
	*c = Core{o: full, now: minTime, leader: leader{hint: none}}
}

// Reset makes c the core that New(o) returns. It panics where New has an error.
func (c *Core) Reset(o demux.Options) {
	full, err := o.WithDefaults()
	if err != nil {
		panic(err)
	}
	c.start(full)
}

// CopyFrom makes c a deep copy of src, which must be a *Core.
func (c *Core) CopyFrom(src demux.Core) {
	s := src.(*Core)
	*c = *s
	c.acquires = slices.Clone(s.acquires)
	c.releases = slices.Clone(s.releases)
	for i := range c.releases {
		c.releases[i].callers = slices.Clone(c.releases[i].callers)
	}
	c.lane = slices.Clone(s.lane)
	c.held = slices.Clone(s.held)
	c.conns = slices.Clone(s.conns)
	for i := range c.conns {
		c.conns[i].write = slices.Clone(c.conns[i].write)
	}
	c.out = nil
}

// Step handles the input, then the timers, then dials or writes. A reply that is there beats a deadline that
// passed meanwhile (rule grant-wins).
func (c *Core) Step(now demux.Time, in *demux.Input) []demux.Effect {
	c.now = max(c.now, now, 0) // rule clock
	c.out = nil
	c.handle(in)
	c.fire()
	c.pump()
	c.settleClose()
	return c.out
}

func (c *Core) handle(in *demux.Input) {
	switch in.Kind {
	case demux.InputAcquire:
		c.acquire(in)
	case demux.InputRelease:
		c.release(in)
	case demux.InputCancel:
		c.cancelAcquire(in.Op)
		c.cancelRelease(in.Op)
	case demux.InputClose:
		c.shutDown(in)
	case demux.InputOpened:
		c.opened(in.Gen)
	case demux.InputReceived:
		c.received(in.Gen, in.Data)
	case demux.InputWrote:
		c.wrote(in.Gen, in.N, in.Failed)
	case demux.InputClosed:
		c.closed(in.Gen)
	case demux.InputTick:
	default:
		panic("reference: unknown input " + strconv.Itoa(int(in.Kind)))
	}
}

// begin panics on what a driver must not ask, since such a request must not exist (rule owners).
func (c *Core) begin(in *demux.Input) {
	if in.Op == 0 {
		panic("reference: operation without an OpID")
	}
	if c.pending(in.Op) {
		panic(fmt.Sprintf("reference: operation %d is not settled yet", in.Op))
	}
	if in.Kind == demux.InputClose {
		return
	}
	if err := wire.CheckName(in.Key); err != nil {
		panic(fmt.Sprintf("reference: operation %d: key: %v", in.Op, err))
	}
	if in.Kind == demux.InputRelease && in.Token == 0 {
		panic(fmt.Sprintf("reference: release %d has no token", in.Op))
	}
	if in.Kind == demux.InputAcquire && (in.Wait > maxMillis || in.Lease < 1 || in.Lease > maxMillis) {
		panic(fmt.Sprintf("reference: acquire %d: wait %d or lease %d is out of bounds", in.Op, in.Wait, in.Lease))
	}
}

func (c *Core) pending(op demux.OpID) bool {
	for _, a := range c.acquires {
		if a.op == op {
			return true
		}
	}
	for _, r := range c.releases {
		for _, k := range r.callers {
			if k.op == op {
				return true
			}
		}
	}
	return c.shutOp == op
}

func (c *Core) emit(e demux.Effect) { c.out = append(c.out, e) }

func (c *Core) notSent(op demux.OpID, cause demux.Cause) {
	c.emit(demux.Effect{Kind: demux.EffectComplete, Op: op, Outcome: demux.NotSent, Cause: cause})
}

// phase is how far a frame got (rule sent-per-frame).
type phase int

const (
	unsent  phase = iota // not handed to a transport, or known to have left no byte there
	writing              // handed over; how much was accepted is not known yet
	sent                 // its first byte was accepted
)

// place is where a request's frame is. gen is of use unless unsent; that connection may have ended, for
// a frame stays writing until InputWrote (rule unsent-moves).
type place struct {
	phase phase
	gen   demux.Generation
}

// on says whether a reply on gen may match (rule match): writing or sent on this very connection.
func (p place) on(gen demux.Generation) bool { return p.phase != unsent && p.gen == gen }
