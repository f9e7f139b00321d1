package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"time"

	"ticketing/client/demux"
)

// shell drives the machine: wait, step, perform. One goroutine, run, owns all of it but the channels. It has the duties
// that demux.Core lists, and takes no decision: whatever a rule is about is decided in the machine.
type shell struct {
	events chan event
	ended  chan struct{} // closed once the machine has settled its close

	m      *demux.Machine
	o      demux.Options
	dial   func(ctx context.Context, addr string) (net.Conn, error)
	log    *slog.Logger
	trace  func(now demux.Time, in *demux.Input, effects []demux.Effect)
	origin time.Time

	in    demux.Input // one place for all: nothing escapes
	timer *time.Timer
	armed demux.Time // when timer fires, or Never

	calls  map[demux.OpID]*call // not settled; as many as the machine's tables hold
	lastOp demux.OpID
	links  map[demux.Generation]*link // not ended; at most MaxClosing
	stats  Stats
	over   bool

	unreached error // why the last dial failed, until one succeeds
}

// event is one thing that run waits for.
type event struct {
	kind   eventKind
	failed bool
	n      int
	call   *call
	link   *link
	data   []byte
	conn   net.Conn
	err    error
	stats  chan<- Stats
}

type eventKind uint8

const (
	callMade   eventKind = iota // call
	callCancel                  // call
	linkOpened                  // link, conn
	linkRead                    // link, data
	linkWrote                   // link, n, failed
	linkEnded                   // link, err: nothing of it follows
	statsAsked                  // stats
)

// call is one operation of a caller.
type call struct {
	in        demux.Input
	done      chan struct{} // holds one; ready once result stands
	result    demux.Effect
	unreached error // of a result that is NotSent
	cancelled bool  // a callCancel is on its way: never to be used again
}

// eventsAhead is how many events may wait for the loop, before those who have more wait themselves: enough that a burst of
// callers and a busy connection are taken in one go.
const eventsAhead = 256

func newShell(o *Options, core demux.Options, m *demux.Machine) *shell {
	log := o.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &shell{
		events: make(chan event, eventsAhead), ended: make(chan struct{}),
		m: m, o: core, dial: o.dialer(), log: log, trace: o.trace,
		origin: time.Now(), armed: demux.Never,
		calls: map[demux.OpID]*call{}, links: map[demux.Generation]*link{},
	}
}

// run is the loop. It ends when the machine has settled its close: nothing is left then.
func (s *shell) run() {
	s.timer = time.NewTimer(time.Hour)
	defer s.timer.Stop()
	for !s.over {
		select {
		case e := <-s.events:
			s.take(&e)
		case <-s.timer.C:
			s.armed = demux.Never
			s.feed(demux.Input{Kind: demux.InputTick})
		}
		// Replies of one read wake many callers, who ask again at once: let them, so that one write carries what they
		// ask. It halves what an operation costs.
		runtime.Gosched()
		// Whatever has come already is taken without looking at the timer: a reply beats a deadline.
		for n := len(s.events); n > 0 && !s.over; n-- {
			e := <-s.events
			s.take(&e)
		}
		s.arm()
	}
	s.count()
	close(s.ended)
}

// arm sets the timer to the machine's deadline. A timer that fires too early is harmless and cheaper than to
// move it with every step.
func (s *shell) arm() {
	if d := s.m.Deadline(); d < s.armed {
		s.armed = d
		s.timer.Reset(time.Duration(d - s.now()))
	}
}

// now is the time on the machine's clock.
func (s *shell) now() demux.Time { return demux.Time(time.Since(s.origin)) }

// at is an instant on the machine's clock: 1 or more, because zero is none.
func (s *shell) at(t time.Time) demux.Time { return max(1, demux.Time(t.Sub(s.origin))) }

// take turns an event into an input.
func (s *shell) take(e *event) {
	switch e.kind {
	case callMade:
		s.lastOp++
		e.call.in.Op = s.lastOp
		s.calls[s.lastOp] = e.call
		s.feed(e.call.in)
	case callCancel:
		s.feed(demux.Input{Kind: demux.InputCancel, Op: e.call.in.Op})
	case linkOpened:
		e.link.conn = e.conn
		s.unreached = nil
		s.log.Debug("connected", "addr", s.o.Addrs[e.link.addr], "generation", e.link.gen)
		s.feed(demux.Input{Kind: demux.InputOpened, Gen: e.link.gen})
	case linkRead:
		s.feed(demux.Input{Kind: demux.InputReceived, Gen: e.link.gen, Data: e.data})
		e.link.consumed <- struct{}{}
	case linkWrote:
		e.link.writing = false
		s.feed(demux.Input{Kind: demux.InputWrote, Gen: e.link.gen, N: e.n, Failed: e.failed})
	case linkEnded:
		s.endLink(e.link, e.err)
	case statsAsked:
		s.count()
		e.stats <- s.stats
	default:
		panic(fmt.Sprintf("client: unknown event %d", e.kind))
	}
}

// errDialTook is why a dial failed that was given up: what it says itself is that its context was cancelled.
var errDialTook = errors.New("the dial took too long")

// endLink feeds the last input of a link. A write that its writer did not take any more had no byte accepted.
func (s *shell) endLink(l *link, err error) {
	if l.writing {
		l.writing = false
		s.feed(demux.Input{Kind: demux.InputWrote, Gen: l.gen, Failed: true})
	}
	if l.conn == nil {
		s.unreached = err
		if l.closed {
			s.unreached = errDialTook
		}
	}
	if !l.closed {
		s.log.Info("connection ended", "addr", s.o.Addrs[l.addr], "generation", l.gen, "error", err)
	}
	delete(s.links, l.gen)
	s.feed(demux.Input{Kind: demux.InputClosed, Gen: l.gen})
}

// feed is a step and its effects, in order.
func (s *shell) feed(in demux.Input) {
	s.in = in
	now := s.now()
	effects := s.m.Step(now, &s.in)
	if s.trace != nil {
		s.trace(now, &s.in, effects)
	}
	for i := range effects {
		s.perform(&effects[i])
	}
}

func (s *shell) perform(e *demux.Effect) {
	switch e.Kind {
	case demux.EffectDial:
		s.stats.Dials++
		l := newLink(s, e.Gen, e.Addr)
		s.links[e.Gen] = l
		go l.serve(s.dial, s.o.Addrs[e.Addr])
	case demux.EffectWrite:
		l := s.links[e.Gen]
		l.writing = true
		l.writes <- e.Data // holds one, and one is outstanding
	case demux.EffectClose:
		l := s.links[e.Gen]
		l.closed = true
		s.logClose(l, e.Reason)
		l.stop(l.conn)
	case demux.EffectComplete:
		s.complete(e)
	default:
		panic(fmt.Sprintf("client: unknown effect %d", e.Kind))
	}
}

func (s *shell) logClose(l *link, reason demux.Reason) {
	level := slog.LevelInfo
	if reason == demux.ReasonAuth || reason == demux.ReasonFatal || reason == demux.ReasonUnmatched {
		level = slog.LevelWarn // somebody has to look at the service, or at the credential
	}
	s.log.Log(context.Background(), level, "connection closed", "addr", s.o.Addrs[l.addr], "generation", l.gen, "reason", reason)
}

func (s *shell) complete(e *demux.Effect) {
	c := s.calls[e.Op]
	delete(s.calls, e.Op)
	s.stats.Outcomes[e.Outcome]++
	s.over = s.over || e.Outcome == demux.Closed
	c.result, c.unreached = *e, nil
	if e.Outcome == demux.NotSent {
		c.unreached = s.unreached
	}
	c.done <- struct{}{}
}

// post hands an event of a caller to the loop, which may end without having taken it. It returns false once
// the loop has ended and the event could not be handed over.
func (s *shell) post(e event) bool {
	select {
	case s.events <- e: // as a rule there is room: much cheaper than to wait on two channels
		return true
	default:
	}
	select {
	case s.events <- e:
		return true
	case <-s.ended:
		return false
	}
}

// await waits until a call that was posted is settled. Once it returns false, the loop ended without having seen the call.
func (s *shell) await(c *call) bool {
	select {
	case <-c.done:
		return true
	case <-s.ended:
	}
	select {
	case <-c.done: // settled in the last steps of the loop
		return true
	default:
		return false
	}
}
