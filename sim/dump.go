package sim

import (
	"fmt"
	"io"

	"ticketing/sim/clock"
)

// dumper is what a core or an audit may be besides: it writes its state for a person.
type dumper interface{ Dump(w io.Writer) }

// Dump writes the state of every part for a person: the world, the service, the nodes, the network, each client with its
// core and callers, and the audits. Instants are relative to now. It shows no byte that anybody sent, and so no
// credential. It changes nothing. An error of out is not reported.
func (w *World) Dump(out io.Writer) {
	fmt.Fprintf(out, "world after event %d at %s: scenario %s, healed=%v, hash %016x\n", w.log.events, stampText(w.q.Now()),
		w.p.Scenario, w.healed, w.log.hash)
	c := &w.chaos
	fmt.Fprintf(out, "  chaos left=%d down=%d", c.left, c.down)
	if c.blocked {
		fmt.Fprintf(out, " blocked=%d->%d", c.from, c.to)
	}
	fmt.Fprintln(out)
	w.dumpQueue(out)
	w.dumpService(out)
	fmt.Fprintln(out, "network")
	w.net.Dump(out, w.q.Now())
	for i := range w.clients {
		w.dumpClient(out, i)
	}
	fmt.Fprintln(out, "audits")
	for _, a := range w.audits {
		if d, ok := a.(dumper); ok {
			d.Dump(out)
		}
	}
}

// dumpQueue writes what can happen next.
func (w *World) dumpQueue(out io.Writer) {
	for id := range w.q.Len() {
		if w.q.Armed(id) {
			earliest, latest := w.q.Window(id)
			fmt.Fprintf(out, "  due: %s within %s..%s\n", w.slotText(id), w.ahead(earliest), w.ahead(latest))
		}
	}
}

func (w *World) slotText(id int) string {
	s := &w.slot
	switch {
	case id >= s.net:
		return fmt.Sprintf("network slot %d", id-s.net)
	case id < s.refused:
		return fmt.Sprintf("client %d timer", id-s.client)
	case id < s.caller:
		return fmt.Sprintf("client %d refused dial", id-s.refused)
	case id < s.node:
		return fmt.Sprintf("client %d caller %d", (id-s.caller)/w.p.Callers, (id-s.caller)%w.p.Callers)
	case id < s.service:
		return fmt.Sprintf("node %d work", id-s.node)
	}
	return [...]string{"service", "election", "chaos", "restart", "waking", "healing"}[id-s.service]
}

func (w *World) dumpService(out io.Writer) {
	s := &w.service
	fmt.Fprintf(out, "service leader=%d changes=%d last token=%d\n", s.Leader, s.Changes, s.Token)
	for i := range int32(s.Locks()) {
		if l := s.Lock(i); l.Held {
			fmt.Fprintf(out, "  lock %s held by %s token=%d lease=%dms ends=%s\n", w.keyText(int16(i)), w.ownerText(l.Owner), l.Token, l.Lease, w.leaderAhead(s.Ends(i)))
		}
	}
	for v := range s.Waiters() {
		fmt.Fprintf(out, "  waiter %s for %s lease=%dms link=%d until=%s\n", w.ownerText(v.Owner), w.keyText(int16(v.Key)), v.Lease, v.Reply.Conn, w.leaderAhead(s.Until(v)))
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		fmt.Fprintf(out, "node %d up=%v leads=%v takes %d for the leader, clock=%s\n", i, n.Up, n.Leads, n.Knows, stampText(n.Clock.Local(w.q.Now())))
		for k := range n.Proposals {
			p := &n.Proposals[k]
			fmt.Fprintf(out, "  proposal %v %s owner=%s token=%d wait=%dms lease=%dms link=%d refuse=%v\n", p.Verb, w.keyText(int16(p.Key)),
				w.ownerText(p.Owner), p.Token, p.Wait, p.Lease, p.Reply.Conn, p.Refuse)
		}
	}
	for i := range s.Sessions {
		if v := &s.Sessions[i]; v.Open {
			fmt.Fprintf(out, "session link %d on node %d hello=%v carry=%d bytes\n", i, v.Node, v.Hello, len(v.Carry))
		}
	}
}

func (w *World) dumpClient(out io.Writer, i int) {
	cl := &w.clients[i]
	fmt.Fprintf(out, "client %d clock=%s shut=%v over=%v, %d callers done\n", i, stampText(cl.clock.Local(w.q.Now())), cl.shut, cl.over, cl.calm)
	if d, ok := cl.core.(dumper); ok {
		d.Dump(out)
	} else {
		fmt.Fprintf(out, "  core %T\n", cl.core)
	}
	for k := range cl.links {
		if l := &cl.links[k]; l.gen != 0 {
			fmt.Fprintf(out, "  driver conn %d on link %d closed=%v deaf=%v writing=%v (%d frames) carry=%d bytes\n", l.gen, l.conn, l.closed,
				l.deaf, l.writing, len(l.frames), len(l.carry))
		}
	}
	for k := range w.p.Callers {
		a := w.caller(i, k)
		fmt.Fprintf(out, "  caller %d %s, %d acquires left, key=%s token=%d open=%03b\n", k, callerStates[a.state], a.left, w.keyText(a.key), a.token, a.open)
	}
}

var callerStates = [...]string{"thinking", "acquiring", "holding", "releasing", "leaving", "insisting", "done"}

// ahead is an instant of the world relative to now.
func (w *World) ahead(t clock.Time) string {
	if t == clock.Never {
		return "never"
	}
	return fmt.Sprintf("%+dus", (t-w.q.Now())/clock.Microsecond)
}

// leaderAhead is an instant on the leader's clock relative to what that shows now. Without a leader nobody looks at it.
func (w *World) leaderAhead(t clock.Time) string {
	if w.service.Leader < 0 {
		return "unknown"
	}
	return fmt.Sprintf("%+dus", (t-w.service.Nodes[w.service.Leader].Clock.Local(w.q.Now()))/clock.Microsecond)
}
