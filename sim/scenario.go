package sim

import (
	"time"

	"ticketing/client/demux"
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// Scenario is a kind of world: it draws the parameters of one.
type Scenario struct {
	Name   string
	Doc    string // one line
	Breaks string // the assumption that its service breaks on purpose ("a-token"), or ""
	draw   func(*drawer, *Params)
}

// Scenarios are the named ones; the first is the default.
var Scenarios = [...]Scenario{
	{"swarm", "every fault of the network, of the service and of callers, each on or off by draw; one in four services lies", "", swarm},
	{"calm", "no faults: many callers, queues, leases that end", "", calm},
	{"leader-storm", "leaders fall and nodes crash all the time", "", leaderStorm},
	{"lease-edge", "leases, waits and holds that end at the same instants", "", leaseEdge},
	{"capacity", "tables, queues and nodes that are full", "", capacity},
	{"cancel-storm", "callers that give up at every stage, and close their client", "", cancelStorm},
	{"clocks", "clocks of clients that drift, jump and sleep; leaders that sleep across a lease", "", clocks},
	{"half-open", "peers and links that go silent: stalls, black holes, zero windows", "", halfOpen},
	{"hostile-server", "a service that answers what it should not", "", hostileServer},
	{"broken-token", "a new leader counts tokens on from a backup", "a-token", broken(BrokenToken)},
	{"broken-lease", "the leader's clock jumps ahead, and leases end early", "a-lease", broken(BrokenLease)},
	{"broken-endless", "leases that never end", "a-lease", broken(BrokenEndless)},
	{"broken-double", "a deposed leader grants as well", "a-lease", broken(BrokenDouble)},
	{"broken-lost", "a new leader has lost committed grants", "a-lease", broken(BrokenLost)},
	{"broken-final", "an acquire is granted after T or B", "a-final", broken(BrokenFinal)},
	{"broken-missing", "a release of a grant that is held finds nothing", "a-final", broken(BrokenMissing)},
	{"broken-unconfirmed", "a deposed leader says T for what its successor may grant", "a-final", broken(BrokenUnconfirmed)},
	{"broken-line", "a line that was cut off is executed", "a-line", broken(BrokenLine)},
}

// FindScenario returns the scenario or the scope of that name.
func FindScenario(name string) (*Scenario, bool) {
	for i := range Scenarios {
		if Scenarios[i].Name == name {
			return &Scenarios[i], true
		}
	}
	return findScope(name)
}

// Draw draws the parameters of one world.
func (s *Scenario) Draw(src choice.Source) Params {
	d := &drawer{src: src}
	p := base(d)
	s.draw(d, &p)
	p.Scenario = s.Name
	p.Net.Conns += p.Clients * (p.Core.MaxClosing + 1)
	return p
}

// base draws what every scenario has: a small service without faults and callers who behave.
func base(d *drawer) Params {
	p := Params{
		Nodes:     pick(d, "scenario.nodes", 3, 1, 2, 3),
		Clients:   pick(d, "scenario.clients", 1, 2, 3),
		Callers:   pick(d, "scenario.callers", 1, 2, 3, 5),
		Ops:       pick(d, "scenario.ops", 2, 4, 6),
		Keys:      keyNames[:pick(d, "scenario.keys", 1, 2, 4)],
		TimerLag:  pick[clock.Time](d, "scenario.timer-lag", 0, 0, 2*clock.Millisecond, 40*clock.Millisecond),
		DriftPPM:  pick[int64](d, "scenario.drift", 0, 100, 20_000),
		ClientPPM: pick[int64](d, "scenario.client-drift", 0, 200, 100_000),
		HealAt:    pick(d, "scenario.heal-at", 4*clock.Second, 12*clock.Second),
		EventsMax: 200_000,
	}
	p.Net = network.Options{
		Conns:     4, // more than the clients can have: for ends that linger
		Buffer:    1 << 16,
		Chunks:    8,
		Cuts:      8,
		DelayMax:  pick(d, "scenario.delay", 2*clock.Millisecond, 20*clock.Millisecond, 200*clock.Millisecond),
		StallMin:  200 * clock.Millisecond,
		StallMax:  10 * clock.Second,
		KeepAlive: 30 * clock.Second,
	}
	p.Core.Jitter = pick[uint64](d, "scenario.jitter", 0, 0x5eed)
	p.Core.MaxAcquires = pick(d, "scenario.max-acquires", 16, 16, 4)
	p.Core.MaxReleases = pick(d, "scenario.max-releases", 16, 16, 4)
	p.Core.MaxLane = 4
	p.Core.MaxHeld = pick(d, "scenario.max-held", 16, 16, 2)
	p.Core.MaxClosing = pick(d, "scenario.max-closing", 3, 1)
	p.Core.MaxWrite = 2048
	p.Core.Grace = pick(d, "scenario.grace", 500*time.Millisecond, 100*time.Millisecond, 2*time.Second)
	p.Core.Probe = pick(d, "scenario.probe", 250*time.Millisecond, 20*time.Millisecond)
	p.Core.DialTimeout = 3 * time.Second
	p.Core.WriteStall = 2 * time.Second
	p.Core.CloseGrace = time.Second
	p.Core.LaneSlack = time.Second
	p.Core.DialSpacing = 5 * time.Millisecond
	p.Caller = CallerParams{
		Think:    window(0, 300*time.Millisecond),
		Hold:     pick(d, "scenario.hold", window(0, 50*time.Millisecond), window(0, 500*time.Millisecond), window(0, 4*time.Second)),
		WaitsMax: pick[uint32](d, "scenario.wait", 2000, 400, 8000),
		LeaseMin: 64,
		LeaseMax: pick[uint32](d, "scenario.lease", 4000, 800),
		JoinsMax: 1,
		CancelIn: window(0, pick(d, "scenario.cancel-in", 100*time.Millisecond, 2*time.Second)),
	}
	p.Service = ServiceParams{
		Work:          window(0, pick(d, "scenario.work", time.Millisecond, 10*time.Millisecond)),
		ProposalsMax:  16,
		QueueMax:      16,
		LeaseCap:      1 << 30,
		QueueDies:     pick(d, "scenario.queue-dies", true, false),
		QueueLost:     pick(d, "scenario.queue-lost", true, false),
		LeaseRestarts: pick(d, "scenario.lease-restarts", true, false),
		TimerLag:      pick[clock.Time](d, "scenario.service-lag", 0, clock.Millisecond),
	}
	p.Chaos = ChaosParams{
		Every:       window(10*time.Millisecond, time.Second),
		Election:    window(time.Millisecond, 400*time.Millisecond),
		Restart:     window(10*time.Millisecond, 2*time.Second),
		Nap:         window(10*time.Millisecond, pick(d, "scenario.nap", time.Second, 6*time.Second)),
		TokenGapMax: pick(d, "scenario.token-gap", 0, 3),
	}
	return p
}

func calm(_ *drawer, p *Params) { p.DriftPPM, p.ClientPPM = 0, 0 }

func swarm(d *drawer, p *Params) {
	d.network(p)
	d.callers(p)
	d.service(p)
	d.extremes(p)
	p.LateOpenOdds = 2 * d.odds("scenario.late-open")
	p.Chaos.Budget = pick(d, "scenario.chaos", 0, 2, 6, 12)
	p.Chaos.FallOdds = 3 * d.odds("scenario.fall")
	p.Chaos.CrashOdds = d.odds("scenario.crash")
	p.Chaos.CutOdds = 2 * d.odds("scenario.cut")
	p.Chaos.BlockOdds = d.odds("scenario.block")
	p.Chaos.NoticeOdds = d.odds("scenario.say")
	p.Chaos.PauseOdds = d.odds("scenario.pause")
	p.Chaos.SleepOdds = d.odds("scenario.sleep")
	p.Chaos.JumpOdds = d.odds("scenario.jump")
	p.Chaos.RestartOdds = d.odds("scenario.restart") / 2
	p.Service.Hostile.Odds = pick[uint16](d, "scenario.lies", 0, 0, 0, 0, 0, 0, choice.OddsOne/64, choice.OddsOne/8)
	if p.Service.Hostile.Odds > 0 {
		p.Chaos.StrayOdds = d.odds("scenario.stray")
		p.Service.Hostile.AnswerOdds = d.odds("scenario.answers")
		p.Service.Hostile.GreetOdds = d.odds("scenario.greet")
	}
}

// network draws each of the faults of the network.
// faultNames are the names of the faults as those of labels of the stream Scenario.
var faultNames = func() (names [network.NumFaults]string) {
	for f := range names {
		names[f] = choice.ScenarioPrefix + network.Fault(f).String()
	}
	return names
}()

func (d *drawer) network(p *Params) {
	for f := range p.Net.Faults {
		p.Net.Faults[f] = d.odds(faultNames[f])
	}
	// These end a connection or a request whenever they happen: often is too often to get anywhere.
	for _, f := range [...]network.Fault{network.FaultRefuse, network.FaultDialHole, network.FaultStall, network.FaultStallWrote,
		network.FaultShortWrite, network.FaultWriteError, network.FaultZeroWindow, network.FaultReset, network.FaultBlackHole,
		network.FaultHalfOpen} {
		p.Net.Faults[f] /= 4
	}
	p.Net.Faults[network.FaultTrickle] /= 16
}

func (d *drawer) callers(p *Params) {
	c := &p.Caller
	c.CancelOdds = d.odds("scenario.cancel")
	c.UncancelOdds = d.odds("scenario.uncancel")
	c.DeadlineOdds = d.odds("scenario.deadline")
	c.ForgetOdds = d.odds("scenario.forget")
	c.TwiceOdds = d.odds("scenario.twice")
	c.AgainOdds = d.odds("scenario.again")
	c.ShutOdds = d.odds("scenario.shut") / 16
	c.LateOdds = d.odds("scenario.late")
	c.ShutAgain = d.odds("scenario.shut-again")
	p.Chaos.ShutOdds = d.odds("scenario.shut-any") / 4
}

var (
	shortBackoff  = backoff(20, 50)
	shortBackoffs = demux.Backoffs{Moved: shortBackoff, NoLeader: shortBackoff, NotActive: shortBackoff, Auth: shortBackoff,
		Broken: shortBackoff, Lost: shortBackoff, Own: shortBackoff}
	// No two of these are alike, or one could stand in for another and nobody would see.
	variedBackoffs = demux.Backoffs{Moved: backoff(20, 50), NoLeader: backoff(21, 54), NotActive: backoff(22, 58), Auth: backoff(23, 62),
		Broken: backoff(24, 66), Lost: backoff(25, 70), Own: backoff(12, 900)}
)

// backoff is a delay in milliseconds.
func backoff(base, most time.Duration) demux.Backoff {
	return demux.Backoff{Base: base * time.Millisecond, Cap: most * time.Millisecond}
}

// extremes draws what is at a bound: names, tables, buffers, tokens and delays.
func (d *drawer) extremes(p *Params) {
	p.Long = pick(d, "scenario.long", false, false, false, false, false, true)
	if p.Long {
		p.Keys = longKeys[:len(p.Keys)]
		if pick(d, "scenario.mixed-keys", false, true) {
			p.Keys = mixedKeys[:len(p.Keys)]
		}
	}
	p.Net.Buffer = pick(d, "scenario.buffer", 1<<16, 1<<16, 1<<16, 900)
	p.Net.Conns = pick(d, "scenario.spare-conns", p.Net.Conns, p.Net.Conns, 0)
	o := &p.Core
	o.MaxLane = pick(d, "scenario.max-lane", 4, 1, 12)
	o.MaxHeld = pick(d, "scenario.few-held", o.MaxHeld, o.MaxHeld, 1)
	o.CloseGrace = pick(d, "scenario.close-grace", o.CloseGrace, 20*time.Millisecond)
	o.LaneSlack = pick(d, "scenario.lane-slack", o.LaneSlack, time.Millisecond)
	o.DialSpacing = pick(d, "scenario.dial-spacing", o.DialSpacing, o.DialSpacing, 200*time.Millisecond)
	if pick(d, "scenario.short-back-off", false, false, true) {
		o.Backoff = shortBackoffs
	}
	if pick(d, "scenario.varied-back-off", false, false, true) {
		o.Backoff = variedBackoffs
	}
	if pick(d, "scenario.no-back-off", false, false, false, true) {
		o.Backoff.Own = demux.Backoff{Base: 1, Cap: 1} // half of which is nothing
	}
	// Where numbers of fewer bits end.
	p.Service.FirstToken = pick[uint64](d, "scenario.first-token", 0, 0, 1<<31-4, 1<<32-4, 1<<53-4, 1<<63-4, 1<<64-1<<20)
}

func (d *drawer) service(p *Params) {
	s := &p.Service
	s.ProposalsMax = pick(d, "scenario.proposals", 16, 16, 2)
	s.QueueMax = pick(d, "scenario.queue", 16, 16, 1)
	s.LeaseCap = pick[uint32](d, "scenario.lease-cap", 1<<30, 1<<30, 1<<30, 500, 500, 1)
	s.MuteOdds = d.odds("scenario.mute") / 4
	s.AuthOdds = d.odds("scenario.auth") / 4
	s.LapseOdds = d.odds("scenario.lapse") / 8
	s.SlamOdds = d.odds("scenario.slam") / 2
	s.SilentOdds = d.odds("scenario.silent") / 4
	s.IdleOdds = d.odds("scenario.idle")
	s.NoticeOdds = d.odds("scenario.notice")
	s.StaleOdds = d.odds("scenario.stale")
}

func leaderStorm(d *drawer, p *Params) {
	swarm(d, p)
	p.Nodes = pick(d, "scenario.storm-nodes", 3, 2, 5)
	p.Chaos.Budget = 30
	p.Chaos.Every = window(time.Millisecond, pick(d, "scenario.every", 300*time.Millisecond, 50*time.Millisecond))
	p.Chaos.FallOdds = choice.OddsOne / 2
	p.Chaos.CrashOdds = choice.OddsOne / 8
	p.Service.StaleOdds = choice.OddsOne / 4
	p.Service.NoticeOdds = choice.OddsOne / 4
}

func leaseEdge(d *drawer, p *Params) {
	swarm(d, p)
	// Everything takes a multiple of one lease, and nothing lags: much falls on one instant.
	lease := pick[uint32](d, "scenario.edge", 64, 128, 512)
	edge := time.Duration(lease) * time.Millisecond
	p.Caller.LeaseMin, p.Caller.LeaseMax = lease, lease
	p.Caller.WaitsMax = pick[uint32](d, "scenario.edge-waits", 2, 1, 8) * lease
	p.Caller.Hold = pick(d, "scenario.edge-hold", window(edge, edge), window(edge-time.Millisecond, edge+time.Millisecond), window(0, 2*edge))
	p.Caller.ForgetOdds = choice.OddsOne / 4
	p.TimerLag, p.Service.TimerLag = 0, 0
}

func capacity(d *drawer, p *Params) {
	swarm(d, p)
	p.Callers = pick(d, "scenario.crowd", 8, 12, 16)
	p.Clients = 1
	p.Caller.Think = window(0, 5*time.Millisecond)
	p.Core.MaxAcquires = pick(d, "scenario.few-acquires", 2, 4, 16)
	p.Core.MaxReleases = pick(d, "scenario.few-releases", 1, 2, 16)
	if pick(d, "scenario.every-key", false, true) {
		// As many holders as can be: their releases can fill a write.
		all := pick(d, "scenario.keys-of-all", 8, MaxKeys)
		p.Keys = keyNames[:all]
		// After the longest H and six of the longest R, an A for a short key still fits where an R does not.
		p.Core.MaxWrite = pick(d, "scenario.few-bytes", p.Core.MaxWrite, 2230)
		if p.Long {
			p.Keys = pick(d, "scenario.keys-of-mixed", longKeys[:all], mixedKeys[:all])
		}
	}
	p.Service.ProposalsMax = pick(d, "scenario.few-proposals", 1, 2, 16)
	p.Service.QueueMax = pick(d, "scenario.few-waiters", 1, 2)
}

func cancelStorm(d *drawer, p *Params) {
	swarm(d, p)
	c := &p.Caller
	c.CancelOdds = choice.OddsOne / 2
	c.UncancelOdds = choice.OddsOne / 2
	c.TwiceOdds = choice.OddsOne / 2
	c.JoinsMax = pick(d, "scenario.joins", 1, JoinsMax)
	c.AgainOdds = choice.OddsOne / 4
	c.ShutOdds = choice.OddsOne / 32
	c.CancelIn = window(0, pick(d, "scenario.storm-in", 10*time.Millisecond, 100*time.Millisecond, time.Second))
}

func clocks(d *drawer, p *Params) {
	swarm(d, p)
	p.Chaos.Budget = 20
	p.Chaos.Every = window(time.Millisecond, 400*time.Millisecond)
	p.Chaos.JumpOdds = choice.OddsOne / 2
	p.Chaos.SleepOdds = choice.OddsOne / 4
	p.Chaos.PauseOdds = choice.OddsOne / 4
	p.Chaos.FallOdds = choice.OddsOne / 16
	p.ClientPPM = pick[int64](d, "scenario.clock-rate", 100_000, 400_000)
	p.DriftPPM = 20_000
}

func halfOpen(d *drawer, p *Params) {
	swarm(d, p)
	for _, f := range [...]network.Fault{network.FaultDialHole, network.FaultStall, network.FaultStallWrote, network.FaultZeroWindow,
		network.FaultBlackHole, network.FaultHalfOpen, network.FaultCrashHush, network.FaultLeftOver} {
		p.Net.Faults[f] = choice.OddsOne / 16
	}
	// Orphans, so that the lane meets silence too.
	p.Service.Hostile.GreetOdds = pick[uint16](d, "scenario.half-greets", 0, 0, choice.OddsOne/4)
}

func hostileServer(d *drawer, p *Params) {
	swarm(d, p)
	p.Service.Hostile.Odds = pick[uint16](d, "scenario.hostile", choice.OddsOne/16, choice.OddsOne/4)
	p.Service.Hostile.GreetOdds = pick[uint16](d, "scenario.greets", 0, choice.OddsOne/8, choice.OddsOne/2, choice.OddsOne)
	p.Chaos.StrayOdds = choice.OddsOne / 2
	p.Service.Hostile.AnswerOdds = pick[uint16](d, "scenario.hostile-answers", 0, choice.OddsOne/8)
	p.Chaos.ShutOdds = choice.OddsOne / 16
	if pick(d, "scenario.flood", false, false, false, true) {
		// More orphans than one write can take.
		p.Long, p.Keys = true, longKeys[:len(p.Keys)]
		p.Core.MaxLane, p.Core.Backoff = 12, shortBackoffs
		// With the longest H, and releases of tokens of two digits, seven of these make a write that is full to the byte.
		p.Core.MaxWrite = pick(d, "scenario.max-write", p.Core.MaxWrite, 803+7*206)
		p.Service.Hostile.GreetOdds = choice.OddsOne
		p.Chaos.ShutOdds = choice.OddsOne / 8
		p.Net.Faults[network.FaultStallWrote] = choice.OddsOne / 2
	}
	p.Chaos.Budget = 12
}

// broken makes a service that fails in one way and is honest otherwise, over a network with few faults, so that what
// comes of it is seen.
func broken(how Broken) func(*drawer, *Params) {
	return func(d *drawer, p *Params) {
		p.Callers = pick(d, "scenario.broken-callers", 3, 5)
		p.Ops = 6
		p.Keys = p.Keys[:1]
		p.Service.Broken = how
		p.Service.BrokenOdds = choice.OddsOne / 2
		p.Service.QueueLost = false
		p.Service.QueueDies = p.Service.QueueDies && how != BrokenUnconfirmed
		p.Caller.ForgetOdds = d.odds("scenario.forget")
		p.Caller.CancelOdds = d.odds("scenario.cancel")
		p.Caller.Hold = window(0, 500*time.Millisecond)
		p.Net.Faults[network.FaultWriteError] = choice.OddsOne / 64
		p.Net.Faults[network.FaultSplit] = choice.OddsOne / 8
		p.Net.Faults[network.FaultReset] = choice.OddsOne / 128
		p.Chaos.Budget = 20
		p.Chaos.Every = window(10*time.Millisecond, 400*time.Millisecond)
		p.Chaos.Election = window(time.Millisecond, 50*time.Millisecond)
		p.Chaos.FallOdds = choice.OddsOne / 2
		p.Chaos.CutOdds = choice.OddsOne / 16
		if how == BrokenLine {
			p.Chaos.CutOdds = choice.OddsOne / 4
			p.Net.Faults[network.FaultWriteError] = choice.OddsOne / 8
		}
	}
}
