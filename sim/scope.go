package sim

import (
	"time"

	"ticketing/network"
	"ticketing/sim/choice"
)

// Scopes are worlds small enough to visit completely (package explore). Each is a scenario that asks nothing: its
// parameters are fixed, every call is one of finitely many, and every fault has a budget in place of an end in time.
//
// Each event happens as early as it may (Instants is 1), and what is under way takes no time at least, so that time
// stands still while messages are in flight: they arrive in every order, and the timers come after.
var Scopes = [...]Scenario{
	{Name: "one-connection", Doc: "one connection, two acquires: cancelled, reset, and written in part, up to every byte", draw: oneConnection},
	{Name: "leader-change", Doc: "two clients want one key and may give up, and the leader falls once", draw: leaderChange},
	{Name: "late-grant", Doc: "a grant that comes late or unasked, callers who give up, and the release lane", draw: lateGrant},
	{Name: "replies", Doc: "two acquires that may be cancelled, and two answers that are dropped, doubled, changed or not a frame", draw: replies},
	{Name: "redirect", Doc: "two nodes that send a client to each other and away", draw: redirect},
	{Name: "notices", Doc: "a node says who leads, rightly or not, twice, and a connection is reset", draw: notices},
	{Name: "leader-changes", Doc: "leader-change, in which the leader falls twice and a connection is reset: the largest", draw: leaderStorms},
}

func findScope(name string) (*Scenario, bool) {
	for i := range Scopes {
		if Scopes[i].Name == name {
			return &Scopes[i], true
		}
	}
	return nil, false
}

// always is the odds of what a search takes and leaves: it visits both, whatever the odds.
const always = choice.OddsOne / 2

// bounded makes p a world without faults that one node serves, for one client with so many callers of one acquire each.
func bounded(p *Params, callers int) {
	p.Nodes, p.Clients, p.Callers, p.Ops = 1, 1, callers, 1
	p.Keys = keyNames[:1]
	p.Instants = 1
	p.HealAt = 0
	p.Net.Faults, p.Net.Buffer, p.Net.Conns = network.Faults{}, 1<<12, 1
	p.Core.MaxAcquires, p.Core.MaxReleases, p.Core.MaxLane, p.Core.MaxHeld, p.Core.MaxClosing = 4, 4, 2, 4, 1
	p.Caller.Think = window(0, 10*time.Millisecond)
	p.Caller.Hold = window(0, 10*time.Millisecond)
	p.Caller.CancelIn = window(0, 10*time.Millisecond)
	p.Caller.WaitsMax, p.Caller.LeaseMin, p.Caller.LeaseMax = 0, 640, 640
	p.Chaos.Every = window(0, 20*time.Millisecond)
	p.Chaos.Election = window(0, 20*time.Millisecond)
	p.Chaos.Restart = window(0, 20*time.Millisecond)
	// Callers differ by some milliseconds of lease: no order of their ends is to be lost by that.
	p.Service.TimerLag = MaxCallers * 1_000_000
}

// once makes a fault happen at most once.
func once(p *Params, faults ...network.Fault) {
	for _, f := range faults {
		p.Net.Faults[f], p.Net.Budgets[f] = always, 1
	}
}

func oneConnection(_ *drawer, p *Params) {
	bounded(p, 2)
	p.Caller.CancelOdds = always
	p.Net.Cuts = 0 // every byte
	once(p, network.FaultReset, network.FaultShortWrite, network.FaultWriteError, network.FaultZeroWindow)
}

func leaderChange(_ *drawer, p *Params) {
	bounded(p, 1)
	p.Nodes, p.Clients = 2, 2
	p.Caller.CancelOdds = always
	p.Chaos.Budget, p.Chaos.FallOdds = 1, always
}

func leaderStorms(_ *drawer, p *Params) {
	leaderChange(nil, p)
	p.Chaos.Budget = 2
	once(p, network.FaultReset)
}

func lateGrant(_ *drawer, p *Params) {
	bounded(p, 2)
	p.Caller.CancelOdds, p.Caller.UncancelOdds = always, always
	p.Chaos.Budget, p.Chaos.StrayOdds = 1, always
	once(p, network.FaultStall, network.FaultLeftOver)
}

func replies(_ *drawer, p *Params) {
	bounded(p, 2)
	p.Caller.CancelOdds = always
	p.Service.Hostile.Odds, p.Service.Hostile.Budget = always, 2
}

func redirect(_ *drawer, p *Params) {
	bounded(p, 2)
	p.Nodes = 2
	p.Chaos.Budget, p.Chaos.FallOdds = 2, always
	p.Service.StaleOdds, p.Service.NoticeOdds = always, always
}

func notices(_ *drawer, p *Params) {
	bounded(p, 2)
	p.Nodes = 2
	p.Caller.CancelOdds = always
	p.Chaos.Budget, p.Chaos.NoticeOdds = 2, always
	once(p, network.FaultReset)
}
