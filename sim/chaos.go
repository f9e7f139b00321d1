package sim

import (
	"ticketing/network"
	"ticketing/sim/choice"
)

// chaos is the fate of the service as a whole: leaders fall, nodes crash, links break. It has a budget, and ends with
// the healing.
type chaos struct {
	left    int   // what remains of the budget
	lies    int   // and of that of the hostile answers, if there is one
	down    int16 // the node that is to restart, or -1: at most one is down
	blocked bool  // the link from→to is blocked
	from    network.Host
	to      network.Host
}

func (w *World) armChaos() {
	if w.chaos.left == 0 || w.healed {
		w.q.Clear(w.slot.chaos)
		return
	}
	now := w.q.Now()
	w.q.Set(w.slot.chaos, now+w.p.Chaos.Every.Min, now+w.p.Chaos.Every.Max)
}

// strike lets at most one blow of each kind fall.
func (w *World) strike() {
	w.chaos.left--
	c := &w.p.Chaos
	if w.chance(labelFall, c.FallOdds) {
		w.fall()
	}
	if w.chance(labelCrash, c.CrashOdds) {
		w.crash()
	}
	if w.chance(labelCut, c.CutOdds) {
		w.cut()
	}
	if w.chance(labelBlock, c.BlockOdds) {
		w.block()
	}
	if w.chance(labelSay, c.NoticeOdds) {
		w.notify()
	}
	if w.chance(labelStray, c.StrayOdds) {
		w.stray()
	}
	if w.chance(labelShutNow, c.ShutOdds) {
		w.shutAny()
	}
	if w.chance(labelPause, c.PauseOdds) {
		w.pause()
	}
	if w.chance(labelDoze, c.SleepOdds) {
		w.doze()
	}
	if w.chance(labelSet, c.JumpOdds) {
		w.jump()
	}
	if w.chance(labelRestart, c.RestartOdds) {
		w.restart()
	}
	w.jumpAhead()
	w.armChaos()
}

// spendLie takes one from the budget of the hostile answers, if there is one.
func (w *World) spendLie() {
	if w.chaos.lies == 0 {
		return
	}
	w.chaos.lies--
	if w.chaos.lies == 0 {
		w.p.Service.Hostile.Odds = 0
	}
}

// fall deposes the leader. It may learn of that at once, or go on believing.
func (w *World) fall() {
	old := w.service.Leader
	if old < 0 {
		return
	}
	w.blow(BlowLeader, NoClient)
	w.vacate()
	if !w.chance(labelUnaware, choice.OddsOne/2) && !w.nodeSleeps(old) {
		w.depose(old)
	}
}

// vacate leaves the service without a leader until the next election.
func (w *World) vacate() {
	w.service.Vacate()
	w.emit(Fact{Kind: FactLeader, Node: -1})
	w.armService()
	w.armElection()
}

func (w *World) armElection() {
	now := w.q.Now()
	w.q.Set(w.slot.election, now+w.p.Chaos.Election.Min, now+w.p.Chaos.Election.Max)
}

// elect makes one of the nodes that are up and awake the leader, if there is none or it sleeps.
func (w *World) elect() {
	if l := w.service.Leader; l >= 0 && !w.nodeSleeps(l) {
		return
	}
	up := 0
	for i := range w.service.Nodes {
		if w.eligible(i) {
			up++
		}
	}
	if up == 0 {
		w.armElection()
		return
	}
	k := w.choose(labelElect, up)
	for i := range w.service.Nodes {
		if !w.eligible(i) {
			continue
		}
		if k == 0 {
			w.crown(int16(i))
			return
		}
		k--
	}
}

func (w *World) eligible(n int) bool { return w.service.Nodes[n].Up && !w.nodeSleeps(int16(n)) }

// crown makes n the leader; the others learn it now or when they must.
func (w *World) crown(n int16) {
	w.lead(n)
	for i := range w.service.Nodes {
		d := &w.service.Nodes[i]
		if int16(i) == n || d.Leads || w.nodeSleeps(int16(i)) || w.chance(labelStale, w.p.Service.StaleOdds) {
			continue
		}
		d.Knows = n
		if w.chance(labelNotice, w.p.Service.NoticeOdds) {
			w.noticeAll(int16(i), n)
		}
	}
}

// noticeAll sends L to every client of node i.
func (w *World) noticeAll(i, leader int16) {
	if w.nodeSleeps(i) {
		return
	}
	w.counts[CountNotice] += uint64(w.service.Notify(w.host(), i, leader))
}

// crash takes a node down until its restart. What it held is gone; what was committed is not.
func (w *World) crash() {
	if w.chaos.down >= 0 {
		return
	}
	n := int16(w.choose(labelWhom, len(w.service.Nodes)))
	w.count(CountCrash)
	w.blow(BlowCrash, NoClient)
	if w.nodeSleeps(n) {
		w.wake()
	}
	w.emit(Fact{Kind: FactCrash, Node: n})
	d := &w.service.Nodes[n]
	d.Up, d.Leads, d.Knows, d.Proposals = false, false, -1, d.Proposals[:0]
	w.armNode(n)
	w.net.SetListening(network.Host(n), false)
	w.net.Crash(&w.q, w.src, network.Host(n))
	for c := range w.service.Sessions {
		if w.service.Sessions[c].Node == n {
			w.service.Over(w.host(), int32(c))
		}
	}
	if w.service.Leader == n {
		w.vacate()
	}
	w.chaos.down = n
	now := w.q.Now()
	w.q.Set(w.slot.revive, now+w.p.Chaos.Restart.Min, now+w.p.Chaos.Restart.Max)
}

// revive restarts the node that is down, as a follower that knows nothing.
func (w *World) revive() {
	n := w.chaos.down
	if n < 0 {
		return
	}
	w.chaos.down = -1
	w.service.Nodes[n].Up = true
	w.net.SetListening(network.Host(n), true)
}

// cut resets a connection.
func (w *World) cut() {
	open := 0
	for c := range w.service.Sessions {
		if w.service.Sessions[c].Open {
			open++
		}
	}
	if open == 0 {
		return
	}
	k := w.choose(labelWhom, open)
	for c := range w.service.Sessions {
		if !w.service.Sessions[c].Open {
			continue
		}
		if k == 0 {
			w.count(CountCut)
			w.blow(BlowReset, int(w.dialers[c]))
			w.net.Cut(&w.q, w.src, network.Conn(c))
			return
		}
		k--
	}
}

// block cuts one direction between a client and a node, or mends the one that is cut.
func (w *World) block() {
	if w.chaos.blocked {
		w.unblock()
		return
	}
	w.count(CountBlock)
	w.blow(BlowBlock, NoClient)
	node := network.Host(w.choose(labelWhom, len(w.service.Nodes)))
	client := w.hostOf(w.choose(labelWhom, len(w.clients)))
	w.chaos.from, w.chaos.to = client, node
	if w.choose(labelWay, 2) == 1 {
		w.chaos.from, w.chaos.to = node, client
	}
	w.chaos.blocked = true
	w.net.Block(&w.q, w.chaos.from, w.chaos.to, true)
}

func (w *World) unblock() {
	if w.chaos.blocked {
		w.chaos.blocked = false
		w.net.Block(&w.q, w.chaos.from, w.chaos.to, false)
	}
}

// shutAny closes a client.
func (w *World) shutAny() {
	if c := w.choose(labelWhom, len(w.clients)); !w.clients[c].shut && !w.clientSleeps(c) {
		w.count(CountShutAny)
		w.shut(c)
	}
}

// notify lets a node say who leads, as it believes or not.
func (w *World) notify() {
	n := int16(w.choose(labelWhom, len(w.service.Nodes)))
	w.noticeAll(n, int16(w.choose(labelSays, len(w.service.Nodes))))
}

// heal stops the faults: from here on the service works, and everything has to come to rest.
func (w *World) heal() {
	w.healed = true
	w.q.Clear(w.slot.chaos)
	w.wake()
	w.unblock()
	w.net.Heal(&w.q)
	w.revive()
	w.q.Clear(w.slot.revive)
	if w.service.Leader < 0 {
		w.q.Clear(w.slot.election)
		w.elect()
	}
	for i := range w.service.Nodes {
		if d := &w.service.Nodes[i]; d.Leads && int16(i) != w.service.Leader {
			w.depose(int16(i))
		}
		w.service.Nodes[i].Knows = w.service.Leader
	}
	s := &w.p.Service
	s.MuteOdds, s.AuthOdds, s.IdleOdds, s.LapseOdds, s.SlamOdds, s.SilentOdds = 0, 0, 0, 0, 0, 0
	w.emit(Fact{Kind: FactHealed})
}

var (
	labelFall    = choice.Label{Stream: choice.Service, Name: "chaos.fall"}
	labelCrash   = choice.Label{Stream: choice.Service, Name: "chaos.crash"}
	labelCut     = choice.Label{Stream: choice.Service, Name: "chaos.cut"}
	labelBlock   = choice.Label{Stream: choice.Service, Name: "chaos.block"}
	labelSay     = choice.Label{Stream: choice.Service, Name: "chaos.say"}
	labelPause   = choice.Label{Stream: choice.Clocks, Name: "chaos.pause"}
	labelDoze    = choice.Label{Stream: choice.Clocks, Name: "chaos.sleep"}
	labelSet     = choice.Label{Stream: choice.Clocks, Name: "chaos.jump"}
	labelRestart = choice.Label{Stream: choice.Callers, Name: "chaos.restart"}
	labelShutNow = choice.Label{Stream: choice.Service, Name: "chaos.shut"}
	labelStray   = choice.Label{Stream: choice.Service, Name: "chaos.stray"}
	labelUnaware = choice.Label{Stream: choice.Service, Name: "chaos.unaware"}
	labelElect   = choice.Label{Stream: choice.Service, Name: "chaos.elect"}
	labelStale   = choice.Label{Stream: choice.Service, Name: "chaos.stale"}
	labelWhom    = choice.Label{Stream: choice.Service, Name: "chaos.whom"}
	labelWay     = choice.Label{Stream: choice.Service, Name: "chaos.way"}
	labelSays    = choice.Label{Stream: choice.Service, Name: "chaos.says"}
)
