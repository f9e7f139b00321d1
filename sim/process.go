package sim

import (
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// nap is the sleep of one process: none of its slots runs, and what is sent to it waits. At most one sleeps at a time.
type nap struct {
	host  int16 // the network host that sleeps, or -1
	until clock.Time
}

// postponed puts off what slot id stands for if that belongs to the process that sleeps.
func (w *World) postponed(id int) bool {
	n := &w.nap
	if w.q.Now() >= n.until || w.hostOfSlot(id) != n.host {
		return false
	}
	w.q.Set(id, n.until, n.until)
	return true
}

// hostOfSlot is the host whose process runs in a slot, or -1.
func (w *World) hostOfSlot(id int) int16 {
	s := &w.slot
	switch {
	case id >= s.net:
		return int16(w.net.Whom(id))
	case id < s.refused:
		return int16(w.hostOf(id - s.client))
	case id < s.caller:
		return int16(w.hostOf(id - s.refused))
	case id < s.node:
		return int16(w.hostOf((id - s.caller) / w.p.Callers))
	case id < s.service:
		return int16(id - s.node)
	case id == s.service:
		return w.service.Leader
	}
	return -1
}

func (w *World) nodeSleeps(n int16) bool { return w.nap.host == n }

func (w *World) clientSleeps(c int) bool { return w.nap.host == int16(w.hostOf(c)) }

// sleep puts a process to sleep, unless another sleeps.
func (w *World) sleep(h network.Host) {
	in := w.p.Chaos.Nap
	length := in.Min + (in.Max-in.Min)*clock.Time(w.choose(labelNap, 8))/7
	w.nap = nap{host: int16(h), until: w.q.Now() + length}
	w.q.Set(w.slot.wake, w.nap.until, w.nap.until)
	f := w.processFact(FactSleep, h)
	f.N = int(length)
	w.emit(f)
}

// wake ends the sleep. Whoever slept goes on with what it believed; what waited for it is due now.
func (w *World) wake() {
	h, until := w.nap.host, w.nap.until
	if h < 0 {
		return
	}
	for id := range w.q.Len() {
		// What was put off is due now, though it wakes early.
		if w.q.Armed(id) && w.hostOfSlot(id) == h {
			if opens, _ := w.q.Window(id); opens == until {
				w.q.Set(id, w.q.Now(), w.q.Now())
			}
		}
	}
	w.nap = nap{host: -1}
	w.q.Clear(w.slot.wake)
	w.emit(w.processFact(FactWake, network.Host(h)))
}

func (w *World) processFact(kind FactKind, h network.Host) Fact {
	if int(h) < w.p.Nodes {
		return Fact{Kind: kind, Client: NoClient, Node: int16(h)}
	}
	return Fact{Kind: kind, Client: int16(int(h) - w.p.Nodes), Node: -1}
}

// pause puts a node to sleep, preferably the leader. The others may elect another meanwhile: then two think they lead.
func (w *World) pause() {
	n := w.service.Leader
	if n < 0 || w.choose(labelPaused, 4) == 3 {
		n = int16(w.choose(labelWhom, len(w.service.Nodes)))
	}
	if w.nap.host >= 0 || !w.service.Nodes[n].Up {
		return
	}
	w.count(CountPause)
	w.blow(BlowPause, NoClient)
	w.sleep(network.Host(n))
	if n == w.service.Leader && len(w.service.Nodes) > 1 && w.choose(labelReplaced, 2) == 0 {
		w.armElection()
	}
}

// doze puts a client to sleep.
func (w *World) doze() {
	if w.nap.host >= 0 {
		return
	}
	w.count(CountSleep)
	c := w.choose(labelWhom, len(w.clients))
	w.blow(BlowSleep, c)
	w.sleep(w.hostOf(c))
}

// jumps are by how much the clock of a client is set.
var jumps = [...]clock.Time{10 * clock.Millisecond, clock.Second, 60 * clock.Second, -10 * clock.Millisecond, -clock.Second, -5 * clock.Second}

// jump sets the clock of a client.
func (w *World) jump() {
	c := w.choose(labelWhom, len(w.clients))
	by := jumps[w.choose(labelJump, len(jumps))]
	w.count(CountJumpAhead)
	if by < 0 {
		w.counts[CountJumpAhead]--
		w.count(CountJumpBack)
	}
	w.blow(BlowJump, c)
	w.clients[c].clock.Jump(w.q.Now(), by)
	w.emit(Fact{Kind: FactJump, Client: int16(c), Node: -1, N: int(by)})
	w.armClient(c)
}

// restart kills a client process and starts it anew. Its operations end with it; its connections do so with or without a
// word; its callers go on.
func (w *World) restart() {
	c := w.choose(labelWhom, len(w.clients))
	cl := &w.clients[c]
	if cl.shut || cl.life+1 >= MaxLives {
		return
	}
	if w.clientSleeps(c) {
		w.wake()
	}
	w.count(CountRestart)
	w.blow(BlowRestart, c)
	w.emit(Fact{Kind: FactRestart, Client: int16(c), Node: -1})
	w.net.Crash(&w.q, w.src, w.hostOf(c))
	for k := range cl.links {
		l := &cl.links[k]
		*l = link{frames: l.frames[:0], carry: l.carry[:0]}
	}
	w.q.Clear(w.slot.client + c)
	w.q.Clear(w.slot.refused + c)
	cl.refused, cl.seen = 0, 0
	cl.life++
	cl.core.Reset(w.coreOptions(c))
	for k := range w.p.Callers {
		if a := w.caller(c, k); a.open != 0 || a.state == holding {
			a.open, a.again = 0, false
			w.moved(c, k, phaseNone)
			w.rest(c, k, a)
		}
	}
}

var (
	labelNap      = choice.Label{Stream: choice.Clocks, Name: "process.nap"}
	labelPaused   = choice.Label{Stream: choice.Clocks, Name: "process.paused"}
	labelReplaced = choice.Label{Stream: choice.Clocks, Name: "process.replaced"}
	labelJump     = choice.Label{Stream: choice.Clocks, Name: "process.jump"}
)
