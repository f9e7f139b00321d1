package checker

import (
	"ticketing/sim"
	"ticketing/sim/clock"
)

// A world comes to rest: every request is settled, every client closed, every lease over, and no byte under way. By when is
// no guess but a sum, of what its parameters allow each of them once the faults stopped. Nothing in it waits for the
// service, for every request has a bound of its own; that the client gets through to the service is what the audits' reach
// and prompt are for.
//
//	a round trip   two delays, and the transport's word on both ends
//	an acquire     unsent until call + wait + grace, then sent until grace has passed once more; while its frame is being
//	               written it waits for that, writeStall at most, and for the end of the connection
//	a release      call + grace, and the same for a frame that is being written
//	a caller       thinks, acquires, holds, and releases, with up to JoinsMax more releases that join the first, and as
//	               often again after that, each of them after a moment, and a moment before it is cancelled; as often as it
//	               has acquires to make, and once more for what it was at when the faults stopped
//	a client       its callers at once, on a clock that may be slow, and stands still for as long as it was set back; then
//	               closeGrace
//	the service    what the nodes hold, then the longest wait, then the longest lease: begun anew by the leader of the
//	               healing, on a slow clock, each ended by a timer that lags
//	the network    a node whose client is gone without a word learns of that after two keepalives

// jumpBackMax is the furthest that a client's clock is set back at a time.
const jumpBackMax = 5 * clock.Second

// restBy is the instant by which a world of these parameters must have come to rest.
func restBy(p *sim.Params) clock.Time {
	return faultsEnd(p) + clientsEnd(p) + serviceEnds(p) + 2*p.Net.KeepAlive + roundTrip(p)
}

// faultsEnd is the instant by which the faults have stopped: when the scenario says so, or once their budget is spent, one
// after the other, and what they broke is whole again.
func faultsEnd(p *sim.Params) clock.Time {
	if p.HealAt > 0 {
		return p.HealAt
	}
	c := &p.Chaos
	return clock.Time(c.Budget)*(c.Every.Max+c.Election.Max+c.Restart.Max+c.Nap.Max) + p.Net.StallMax
}

func roundTrip(p *sim.Params) clock.Time { return 2 * (p.Net.DelayMax + p.Net.WroteMax) }

// clientsEnd is how long clients take until they are closed and nothing of them is left.
func clientsEnd(p *sim.Params) clock.Time {
	c := &p.Caller
	wait := clock.Time(c.WaitsMax) * clock.Millisecond
	grace := clock.Time(p.Core.Grace) + wait/1000
	write := clock.Time(p.Core.WriteStall) + roundTrip(p) + 4*p.TimerLag
	acquire := wait + 2*grace + write
	release := clock.Time(p.Core.Grace) + write
	round := c.Think.Max + acquire + c.Hold.Max + 2*clock.Time(1+c.JoinsMax)*(2*c.CancelIn.Max+release)
	closing := c.Think.Max + c.CancelIn.Max + clock.Time(p.Core.CloseGrace) + write
	span := clock.Time(p.Ops+1)*round + closing
	slow := span + span/clock.Second*clock.Time(p.ClientPPM)*clock.Microsecond*million/(million-clock.Time(p.ClientPPM)) + clock.Second
	if p.Chaos.JumpOdds > 0 {
		slow += clock.Time(p.Chaos.Budget) * jumpBackMax
	}
	return slow
}

// serviceEnds is how long the service takes, once nobody asks any more, until every lock is free.
func serviceEnds(p *sim.Params) clock.Time {
	s := &p.Service
	span := clock.Time(min(s.LeaseCap, p.Caller.LeaseMax)+p.Caller.WaitsMax) * clock.Millisecond
	held := clock.Time(2*s.ProposalsMax) * s.Work.Max
	lags := clock.Time(len(p.Keys)*(1+s.QueueMax)) * s.TimerLag
	// Twice: the wait and the lease begin anew under the leader of the healing. The drift counts once a clock.
	return held + 2*(span+4*span/million*clock.Time(p.DriftPPM)) + lags + clock.Second
}

const million = 1_000_000
