package audit

import (
	"fmt"
	"slices"

	"ticketing/client/demux"
	"ticketing/sim"
)

// Ledger follows every request from its call to its outcome, as the facts show it, and holds the core to that.
type Ledger struct {
	failure *sim.Failure
	clients []account
	now     sim.Fact // the fact being observed, for its place in the run
}

// account is what is known of one client.
type account struct {
	calls   []call
	conns   []conn
	held    []grant // granted to callers who have not called Release
	orphans []orphan
	owed    []demux.Generation // connections that must be closed when the step is over
	closed  bool               // Close was called: what is read after that does not count (shut-down)
	lied    []uint64           // owners that the service lied about, made or not
}

// callKind says what was called.
type callKind uint8

const (
	acquire callKind = iota
	release
	shut
)

// call is an operation that is not settled.
type call struct {
	op      demux.OpID
	kind    callKind
	key     int16
	stage   stage
	touched bool // a byte was accepted, on whatever connection
	forged  bool // the service lied about it
	fresh   bool // called in this step
	tries   uint8
	expect  demux.Outcome // what a reply read in this step makes of it
	deny    demux.Outcome // what the service answered for good
	token   uint64        // of a release; of an acquire, the token committed for it
	lease   uint32        // asked
	wait    uint32
	told    grant // of expect Granted
	length  uint32
	owner   uint64           // 0: no frame was handed over yet
	gen     demux.Generation // where its frame is, unless unsent
}

// stage says where the frame of a call is.
//
//   - unsent: with the core.
//   - writing: handed over; the transport has not said what it took.
//   - sent: a byte was accepted.
type stage uint8

const (
	unsent stage = iota
	writing
	sent
)

// conn is a connection from its dial to its end.
type conn struct {
	gen    demux.Generation
	hello  bool
	closed bool         // the core closed it
	dead   bool         // a closing frame or an unmatched reply was read: the rest does not count
	must   demux.Reason // why it has to close in this step
}

// grant names a lock that somebody holds.
type grant struct {
	key   int16
	token uint64
}

// orphan is a token that was parsed for nobody.
type orphan struct {
	grant
	gen demux.Generation // where its R is under way; 0: nowhere
}

// Reset implements sim.Audit.
func (l *Ledger) Reset(p *sim.Params) {
	l.failure = nil
	for cap(l.clients) < p.Clients { // an account beyond the length keeps its memory
		l.clients = append(l.clients[:cap(l.clients)], account{})
	}
	l.clients = l.clients[:p.Clients]
	for i := range l.clients {
		l.clients[i].reset()
	}
}

func (a *account) reset() {
	a.calls, a.conns, a.held, a.orphans, a.owed = a.calls[:0], a.conns[:0], a.held[:0], a.orphans[:0], a.owed[:0]
	a.lied, a.closed = a.lied[:0], false
}

// Failure implements sim.Audit.
func (l *Ledger) Failure() *sim.Failure { return l.failure }

// Wants implements sim.Selective. Of connections the ledger knows when they are dialled and end, and of what they carry the
// frames; of the service, what became of acquires.
func (l *Ledger) Wants(kind sim.FactKind) bool {
	switch kind {
	case sim.FactCancel, sim.FactShutAgain, sim.FactOpened, sim.FactWrite, sim.FactWrote, sim.FactReceived, sim.FactTick:
		return false
	case sim.FactGrant, sim.FactDeny, sim.FactForged, sim.FactRestart, sim.FactEnded:
		return true
	}
	return kind <= sim.FactStepped
}

// Observe implements sim.Audit.
func (l *Ledger) Observe(f *sim.Fact) {
	if l.failure != nil {
		return
	}
	l.now.At, l.now.Event, l.now.Client = f.At, f.Event, f.Client
	switch {
	case f.Kind <= sim.FactStepped:
		l.client(f, &l.clients[f.Client])
	case f.Kind == sim.FactRestart:
		l.clients[f.Client].reset() // all that it had was lost with it
	case f.Kind == sim.FactEnded:
		l.ended()
	default:
		l.service(f)
	}
}

func (l *Ledger) client(f *sim.Fact, a *account) {
	switch f.Kind {
	case sim.FactAcquire:
		a.calls = append(a.calls, call{op: f.Op, kind: acquire, key: f.Key, lease: f.Lease, wait: f.Wait})
	case sim.FactRelease:
		l.released(f, a)
	case sim.FactShut:
		a.closed = true
		a.calls = append(a.calls, call{op: f.Op, kind: shut})
	case sim.FactComplete:
		l.settle(f, a)
	case sim.FactDial:
		for i := range a.conns {
			if !a.conns[i].closed {
				l.fail(OneConnection, fmt.Sprintf("connection %d is dialled while %d is dialling or open", f.Gen, a.conns[i].gen))
			}
		}
		a.conns = append(a.conns, conn{gen: f.Gen})
	case sim.FactHanded:
		l.handed(f, a)
	case sim.FactAccepted, sim.FactRefused:
		l.answered(f, a)
	case sim.FactReply:
		l.reply(f, a)
	case sim.FactClose:
		l.closing(f, a)
	case sim.FactClosed:
		a.gone(f.Gen)
	case sim.FactStepped:
		l.stepped(a)
	}
}

// released begins a Release call. It shares the R that is under way for its token, if there is one.
func (l *Ledger) released(f *sim.Fact, a *account) {
	c := call{op: f.Op, kind: release, key: f.Key, token: f.Token, fresh: true}
	for i := range a.calls {
		if o := &a.calls[i]; o.kind == release && o.key == f.Key && o.token == f.Token {
			c.stage, c.gen, c.touched, c.tries = o.stage, o.gen, o.touched, o.tries
			break
		}
	}
	a.calls = append(a.calls, c)
	// A service that lies can grant one token to two callers. What one of them releases nobody holds any longer.
	a.held = slices.DeleteFunc(a.held, func(g grant) bool { return g == grant{f.Key, f.Token} })
}

// service follows what the service commits for the calls that are open, and what it lies about.
func (l *Ledger) service(f *sim.Fact) {
	switch f.Kind {
	case sim.FactGrant, sim.FactDeny, sim.FactForged:
	default:
		return
	}
	if f.Kind == sim.FactForged && f.Owner.Client >= 0 {
		a := &l.clients[f.Owner.Client]
		a.lied = append(a.lied, f.Owner.N)
	}
	for i := range l.clients {
		for k := range l.clients[i].calls {
			c := &l.clients[i].calls[k]
			mine := c.kind == acquire && c.owner != 0 && f.Owner == (sim.Owner{Client: int16(i), N: c.owner})
			switch {
			case f.Kind == sim.FactForged:
				c.forged = c.forged || mine || c.kind == release && c.token == f.Token
			case mine && f.Kind == sim.FactGrant:
				c.token = f.Token
			case mine:
				c.deny = verdictOf(f.Verb)
			}
		}
	}
}

// ended checks that nothing is left open.
func (l *Ledger) ended() {
	for i := range l.clients {
		for _, c := range l.clients[i].calls {
			l.now.Client = int16(i)
			l.fail(SettleOnce, fmt.Sprintf("%s was called", l.name(&c)), "nothing can happen any more, and it was told nothing")
			return
		}
	}
}

// fail keeps the first contradiction.
func (l *Ledger) fail(property string, facts ...string) {
	if l.failure == nil {
		l.failure = &sim.Failure{Property: property, At: l.now.At, Event: l.now.Event, Facts: facts}
	}
}

func (l *Ledger) name(c *call) string {
	what := [...]string{"acquire", "release", "close"}[c.kind]
	if c.kind == shut {
		return fmt.Sprintf("client %d %s", l.now.Client, what)
	}
	return fmt.Sprintf("client %d %s (operation %d, key %d, owner %d, token %d)", l.now.Client, what, c.op, c.key, c.owner, c.token)
}
