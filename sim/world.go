package sim

import (
	"fmt"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
	"ticketing/sim/service"
)

// NewCore makes the client core that a world runs.
type NewCore func(demux.Options) (demux.Core, error)

// World is one simulated service with its clients, network and callers: plain data and pure steps.
//
//  1. Make one with New, once; it is reused.
//  2. Reset it to the parameters that a scenario drew.
//  3. Step it until it reports false. Each step is one event.
//  4. Read Failure, History and Hash.
//
// A world is cloned by CopyFrom and identified by AppendState. History, hash, counters and trace stay outside of the
// state: a clone starts without them.
type World struct {
	p       Params
	q       clock.Queue
	net     network.Net
	slot    slots
	clients []client
	callers []caller
	service service.Service
	chaos   chaos
	nap     nap
	// dialers and silent are by connection slot: the client that dialled, and whether the node reads nothing and says nothing.
	dialers []int16
	silent  []bool
	audits  []Audit
	// watchers are the audits by the kind of a fact that they want.
	watchers [numFacts][]Audit
	healed   bool

	newCore NewCore
	src     choice.Source
	log     log
	counts  Counts
	mix     mix
	fact    Fact
	input   demux.Input
	read    reading
	reply   wire.Reply
	lie     wire.Reply
	scratch []byte
	owner   []byte
	liar    []byte
	addrs   []string
}

// slots says which slot of the queue stands for what. Those of one kind follow each other.
type slots struct {
	client, refused, caller, node                     int
	service, election, chaos, revive, wake, heal, net int
}

// New makes a world that runs the cores that newCore makes, watched by audits.
func New(newCore NewCore, audits ...Audit) *World {
	w := &World{newCore: newCore}
	for _, a := range audits {
		w.Watch(a)
	}
	return w
}

// Reset makes the world new: p is what it is made of, and src answers its questions. Parameters out of bounds panic.
func (w *World) Reset(p *Params, src choice.Source) {
	w.p, w.src, w.healed, w.nap = *p, src, false, nap{host: -1}
	w.checkParams()
	w.log.reset()
	w.counts = Counts{}
	w.mix.reset(p.Clients * p.Callers)
	w.addrs = w.addrs[:0]
	for i := range p.Nodes {
		w.addrs = append(w.addrs, addrNames[i])
	}
	w.p.Core.Addrs, w.p.Core.Credential = w.addrs, Credential
	if p.Long {
		w.p.Core.Credential = longCredential
	}
	w.layout()
	w.net.Reset(w.p.Net, w.slot.net)
	w.q.Reset(w.slot.net + w.net.Slots())
	if p.Instants > 0 {
		w.q.SetSteps(p.Instants)
	}
	w.resetService()
	w.resetClients()
	for _, a := range w.audits {
		a.Reset(&w.p)
	}
	w.crown(int16(w.choose(labelElect, len(w.service.Nodes))))
	w.chaos = chaos{left: p.Chaos.Budget, lies: p.Service.Hostile.Budget, down: -1}
	w.armChaos()
	if p.HealAt > 0 {
		w.q.Set(w.slot.heal, p.HealAt, p.HealAt)
	}
	for c := range w.clients {
		for k := range w.p.Callers {
			w.armCaller(c, k, p.Caller.Think)
		}
	}
}

func (w *World) checkParams() {
	p := &w.p
	ok := p.Nodes >= 1 && p.Nodes <= MaxNodes && p.Clients >= 1 && p.Clients <= MaxClients &&
		p.Callers >= 1 && p.Callers <= MaxCallers && len(p.Keys) >= 1 && len(p.Keys) <= MaxKeys && p.Ops >= 0 && p.Ops <= 1000
	if !ok {
		panic(fmt.Sprintf("sim: parameters out of bounds: %d nodes, %d clients, %d callers, %d keys, %d operations",
			p.Nodes, p.Clients, p.Callers, len(p.Keys), p.Ops))
	}
}

func (w *World) layout() {
	at := 0
	take := func(n int) int {
		at += n
		return at - n
	}
	s := &w.slot
	s.client, s.refused = take(w.p.Clients), take(w.p.Clients)
	s.caller = take(w.p.Clients * w.p.Callers)
	s.node = take(w.p.Nodes)
	s.service, s.election, s.chaos, s.revive, s.wake, s.heal = take(1), take(1), take(1), take(1), take(1), take(1)
	s.net = at
	w.p.Net.Hosts = w.p.Nodes + w.p.Clients
}

func (w *World) resetService() {
	p := &w.p
	v := &p.Service
	w.service.Reset(&service.Options{Addrs: p.Core.Addrs, Credential: p.Core.Credential, Text: "said by the simulated service",
		Conns: p.Net.Conns, Keys: len(p.Keys), ProposalsMax: v.ProposalsMax, QueueMax: v.QueueMax, WaitersMax: len(p.Keys) * v.QueueMax,
		LeaseCap: v.LeaseCap, QueueDies: v.QueueDies, QueueLost: v.QueueLost, LeaseRestarts: v.LeaseRestarts,
		WaitRestart: p.Caller.WaitsMax, DriftPPM: p.DriftPPM, FirstToken: v.FirstToken})
	for i := range w.service.Nodes {
		w.service.Nodes[i].Clock = clock.NewLocal(0, w.rate(p.DriftPPM))
		w.net.SetListening(network.Host(i), true)
	}
	w.silent, w.dialers = resize(w.silent, p.Net.Conns), resize(w.dialers, p.Net.Conns)
	clear(w.silent)
	for i := range w.dialers {
		w.dialers[i] = NoClient
	}
}

func (w *World) resetClients() {
	p := &w.p
	w.clients = resize(w.clients, p.Clients)
	for i := range w.clients {
		cl := &w.clients[i]
		cl.life = 0
		if cl.core == nil {
			cl.core = w.makeCore(i)
		} else {
			cl.core.Reset(w.coreOptions(i))
		}
		offset := clock.Time(w.choose(labelOffset, 4)) * clock.Second
		links := resize(cl.links, p.Core.MaxClosing+1)
		for k := range links {
			links[k] = link{frames: links[k].frames[:0], carry: links[k].carry[:0]}
		}
		*cl = client{core: cl.core, links: links, clock: clock.NewLocal(offset, w.rate(p.ClientPPM))}
	}
	w.callers = resize(w.callers, p.Clients*p.Callers)
	for i := range w.callers {
		w.callers[i] = caller{state: thinking, left: int16(p.Ops)}
	}
}

// coreOptions are those of client i: the scenario's, with an identity of its own.
func (w *World) coreOptions(i int) demux.Options {
	o := w.p.Core
	o.Prefix = w.prefixOf(i)
	if o.Jitter != 0 {
		o.Jitter += uint64(i)
	}
	return o
}

func (w *World) makeCore(i int) demux.Core {
	core, err := w.newCore(w.coreOptions(i))
	if err != nil {
		panic("sim: core options: " + err.Error())
	}
	return core
}

// rate draws a clock's drift, in parts per million, within the bound.
func (w *World) rate(bound int64) int64 {
	if bound == 0 {
		return 0
	}
	return [...]int64{0, bound, -bound, bound / 2, -bound / 2}[w.choose(labelRate, 5)]
}

// Step takes the next event. It reports false when nothing can happen any more.
func (w *World) Step() bool {
	id, ok := w.q.Take(w.src)
	if !ok {
		w.emit(Fact{Kind: FactEnded})
		return false
	}
	w.log.events++
	told := w.log.told
	if w.nap.host >= 0 && w.postponed(id) {
		w.log.idle++
		return true
	}
	s := &w.slot
	switch {
	case id >= s.net:
		w.deliver(w.net.Take(&w.q, w.src, id))
	case id < s.refused:
		c := id - s.client
		w.emit(Fact{Kind: FactTick, Client: int16(c)})
		w.newInput(demux.InputTick)
		w.feed(c)
	case id < s.caller:
		c := id - s.refused
		w.ended(c, w.clients[c].refused)
	case id < s.node:
		w.act((id-s.caller)/w.p.Callers, (id-s.caller)%w.p.Callers)
	case id < s.service:
		w.work(int16(id - s.node))
	case id == s.service:
		w.serviceTimer()
	case id == s.election:
		w.elect()
	case id == s.chaos:
		w.strike()
	case id == s.revive:
		w.revive()
	case id == s.wake:
		w.wake()
	default:
		w.heal()
	}
	w.blows()
	if w.idled(id, w.log.told-told) {
		w.log.idle++
	}
	return true
}

// idled says whether an event after which so many facts were told has changed nothing: a timer after which a client asks for
// nothing, or a moment at which nothing was due or struck. The network and callers always move.
func (w *World) idled(id int, told int64) bool {
	switch s := &w.slot; {
	case id < s.refused:
		return told == 2 // FactTick and FactStepped
	case id == s.service, id == s.election, id == s.chaos, id == s.wake:
		return told == 0
	}
	return false
}

// deliver hands what the network did to the side that it is for.
func (w *World) deliver(e *network.Event) {
	if e.Kind == network.EventNone {
		return
	}
	if e.Side == network.Acceptor {
		switch e.Kind {
		case network.EventAccepted:
			w.accepted(e.Conn)
		case network.EventReceived:
			w.readRequests(e.Conn, e.Data)
		case network.EventClosed:
			w.service.Over(w.host(), int32(e.Conn))
		}
		return
	}
	c := int(w.dialers[e.Conn])
	l := w.linkOn(c, e.Conn)
	switch e.Kind {
	case network.EventOpened:
		w.opened(c, l)
	case network.EventWrote:
		w.wrote(c, l, e.N, e.Failed)
	case network.EventReceived:
		w.received(c, l, e.Data)
	case network.EventClosed:
		w.ended(c, l.gen)
	}
}

// Now is the present instant.
func (w *World) Now() clock.Time { return w.q.Now() }

// Events is how many events were taken since Reset.
func (w *World) Events() int64 { return w.log.events }

// Idle is how many of the events changed nothing: the dispatch was in vain.
func (w *World) Idle() int64 { return w.log.idle }

// Healed reports whether the faults have stopped.
func (w *World) Healed() bool { return w.healed }

// Failure is the first contradiction that an audit found, or nil.
func (w *World) Failure() *Failure {
	for _, a := range w.audits {
		if f := a.Failure(); f != nil {
			return f
		}
	}
	return nil
}

// Net is the network, for its counts.
func (w *World) Net() *network.Net { return &w.net }

// Core is the core of client c, for its counts.
func (w *World) Core(c int) demux.Core { return w.clients[c].core }

// Params are those of the last Reset.
func (w *World) Params() *Params { return &w.p }

func (w *World) choose(label choice.Label, n int) int { return w.src.Choose(label, n) }

// chance asks whether something of these odds happens. At odds of zero it is not asked.
func (w *World) chance(label choice.Label, odds uint16) bool {
	return odds != 0 && w.src.Choose(label.WithOdds(odds), 2) == 1
}

func (w *World) hostOf(client int) network.Host { return network.Host(w.p.Nodes + client) }

// resize returns s with length n, keeping its elements and their memory.
func resize[E any](s []E, n int) []E {
	for cap(s) < n {
		s = append(s[:cap(s)], *new(E))
	}
	return s[:n]
}

var (
	labelRate   = choice.Label{Stream: choice.Clocks, Name: "clock.rate"}
	labelOffset = choice.Label{Stream: choice.Clocks, Name: "clock.offset"}
)
