package audit

import (
	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// Conduct follows what each client does with its requests and its connections, on the client's own clock, and holds it to
// the rules that it was made for. It keeps books of its own: it reads no other audit.
//
// Whatever has to happen is asked for when a step is over; the core may do it at any point of the step.
type Conduct struct {
	finding
	rules   Rules
	options demux.Options // with every default filled in
	names   []string      // of the keys
	lag     clock.Time    // a timer of a client fires up to this much late, on its own clock
	drifts  bool          // the clients' clocks do not run as the world's
	round   int           // sessions in a row that may lead nowhere once the faults stopped
	healed  bool
	clients []desk
}

// Rules is a set of concerns of a Conduct.
type Rules uint16

// The concerns.
const (
	RuleDials     Rules = 1 << iota // Allowlist, OneHint, Pacing
	RuleCauses                      // Cause
	RuleDeadlines                   // Cancel, Deadline, Torn
	RuleWrites                      // Order, Probation, Prompt
	RuleLane                        // Lane
	RuleBounds                      // OwnCapacity
	RuleShut                        // ShutDown
	RuleWake                        // Wake
	RuleReach                       // Reach
	RulesAll      Rules = 1<<iota - 1
)

// NewConduct makes a Conduct that judges these concerns.
func NewConduct(rules Rules) *Conduct { return &Conduct{rules: rules} }

// desk is what is known of one client.
type desk struct {
	now     clock.Time // its clock at the last fact, never behind an earlier reading (clock)
	ahead   clock.Time // by how much its clock jumped since
	world   clock.Time // world time of the last fact
	excused bool       // it slept or its clock jumped: what was due meanwhile is late
	asleep  bool
	shut    bool // Close was called
	over    bool // and is settled: nothing is left
	shutAt  clock.Time
	errands []errand
	link    link // the connection that is dialling or open
	closing uint8
	strays  []stray
	blurred bool   // there were more strays than are followed
	muddled bool   // a caller released what may be in the lane: from then on nobody can tell which R was answered
	holds   []hold // granted here, and not released since
	mark    uint64 // the greatest token that may have been dropped from the held without a release (held-grant)
	pace    pace
	vain    uint8 // sessions in a row, begun after the faults stopped, that led nowhere
	step    step
}

// step is what happened in the step that goes on.
type step struct {
	closed  demux.Reason     // the core closed the connection for this reason
	on      demux.Generation // and this is the connection
	cancel  demux.Generation // a request sent on it was cancelled, and is told so
	overdue demux.Generation // the reply to a request sent on it was missing, and it is told so
	orphan  demux.Generation // a request sent on it is told indeterminate for no reason of its own
	torn    bool             // a write on the current connection failed or was short
	wrote   bool             // the write on the current connection was handed over
}

// hold is a grant that a caller has.
type hold struct {
	grant
	until clock.Time // its lease is over on the client's clock, and it may be dropped from the held
}

// Reset implements sim.Audit.
func (c *Conduct) Reset(p *sim.Params) {
	c.failure = nil
	o := p.Core
	if o.Prefix == "" {
		o.Prefix = "p" // each client's is its own, and of no concern here
	}
	c.options, _ = o.WithDefaults()
	c.names = p.Keys
	c.lag = p.TimerLag + p.TimerLag*clock.Time(p.ClientPPM)/million + 2*clock.Microsecond
	c.drifts = p.ClientPPM != 0
	// Each node may be asked once in turn, and one more time by a hint from before.
	c.round, c.healed = p.Nodes+1, false
	c.clients = desks(c.clients, p.Clients)
	for i := range c.clients {
		c.clients[i].reset()
	}
}

// desks returns n of them; one beyond the length keeps its memory.
func desks(all []desk, n int) []desk {
	for cap(all) < n {
		all = append(all[:cap(all)], desk{})
	}
	return all[:n]
}

func (d *desk) reset() {
	*d = desk{errands: d.errands[:0], strays: d.strays[:0], holds: d.holds[:0], link: link{carried: d.link.carried[:0]}}
}

// breaks keeps a contradiction, if its concern is one to judge.
func (c *Conduct) breaks(rule Rules, f *sim.Fact, property string, facts ...string) {
	if c.rules&rule != 0 {
		c.fail(f, property, facts...)
	}
}

// Wants implements sim.Selective. What the service does is no concern of a Conduct, and bytes that arrive, and time, are none
// before the end of their step.
func (c *Conduct) Wants(kind sim.FactKind) bool {
	switch kind {
	case sim.FactShutAgain, sim.FactReceived, sim.FactTick:
		return false
	}
	return kind <= sim.FactStepped || kind >= sim.FactJump && kind <= sim.FactHealed
}

// Observe implements sim.Audit.
func (c *Conduct) Observe(f *sim.Fact) {
	if c.failure != nil {
		return
	}
	switch {
	case f.Kind <= sim.FactStepped:
		d := &c.clients[f.Client]
		d.now, d.world, d.ahead = max(d.now, f.Local), f.At, 0
		if !d.muddled {
			c.client(f, d)
		}
	case f.Kind == sim.FactHealed:
		c.healed = true
	case f.Kind < sim.FactJump || f.Kind > sim.FactRestart || f.Client == sim.NoClient:
	case f.Kind == sim.FactRestart:
		c.clients[f.Client].reset()
	default:
		d := &c.clients[f.Client]
		d.excused = true
		switch f.Kind {
		case sim.FactJump:
			d.ahead += clock.Time(f.N)
		default:
			d.asleep = f.Kind == sim.FactSleep
		}
	}
}

func (c *Conduct) client(f *sim.Fact, d *desk) {
	switch f.Kind {
	case sim.FactAcquire:
		c.acquired(f, d)
	case sim.FactRelease:
		c.released(f, d)
	case sim.FactCancel:
		if e := d.errand(f.Op); e != nil {
			e.cancelled = true
		}
	case sim.FactShut:
		d.shut, d.shutAt, d.pace.hint = true, d.now, 0
	case sim.FactComplete:
		c.completed(f, d)
	case sim.FactDial:
		c.dialled(f, d)
	case sim.FactHanded:
		c.handed(f, d)
	case sim.FactWrite:
		d.link.writing, d.link.since, d.link.length, d.link.rank = true, d.now, len(f.Data), 0
		d.step.wrote = true
	case sim.FactAccepted, sim.FactRefused:
		c.answered(f, d)
	case sim.FactWrote:
		d.wrote(f)
	case sim.FactOpened:
		d.link.open = d.link.open || d.link.gen == f.Gen
	case sim.FactReply:
		c.reply(f, d)
	case sim.FactClose:
		c.closed(f, d)
	case sim.FactClosed:
		c.gone(f, d)
	case sim.FactStepped:
		c.stepped(f, d)
	}
}

// stepped asks for what a step owes.
func (c *Conduct) stepped(f *sim.Fact, d *desk) {
	c.explain(f, d)
	for i := range d.errands {
		c.owes(f, d, &d.errands[i])
	}
	c.patience(f, d)
	c.prompt(f, d)
	c.parting(f, d)
	c.woken(f, d)
	d.prune()
	d.step, d.excused = step{}, d.asleep
}
