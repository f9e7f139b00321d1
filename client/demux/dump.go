package demux

import (
	"fmt"
	"io"
)

// Dump writes the state for a person, a line an entry of a table, each indented by two spaces. It shows no byte of a
// frame, so that no credential shows (rule redact). An error of w is not reported.
func (m *Machine) Dump(w io.Writer) {
	fmt.Fprintf(w, "  now=%d dials=%d owners=%d hint=%d cursor=%d gate=%s losses=%v shut=%v close-op=%d deadline=%s\n",
		m.now, m.gen, m.counter, m.hint-1, m.cursor, m.ahead(m.gate), m.losses, m.shut, m.closeOp, m.ahead(m.Deadline()))
	for i := range m.conns {
		m.dumpConn(w, &m.conns[i])
	}
	for s := range numSides {
		for slot := m.pending.all.head(s); slot != 0; slot = m.pending.all.next(slot) {
			m.dumpRequest(w, slot)
		}
	}
	from := 0
	for i := range m.lane.entries {
		o := &m.lane.entries[i]
		fmt.Fprintf(w, "  lane %s token=%d conn=%d until=%s\n", m.lane.keys[from:from+int(o.size)], o.token, o.gen, m.ahead(o.until))
		from += int(o.size)
	}
	for slot := m.held.order.head(heldSide); slot != 0; slot = m.held.order.next(slot) {
		g := &m.held.grants[slot]
		fmt.Fprintf(w, "  held %s token=%d until=%s\n", g.key, g.token, m.ahead(g.until))
	}
}

func (m *Machine) dumpConn(w io.Writer, c *conn) {
	if c.state == vacant {
		return
	}
	fmt.Fprintf(w, "  conn %d %s addr=%d hinted=%v proven=%v greeted=%v carry=%d bytes", c.gen, connStates[c.state], c.addr,
		c.hinted, c.proven, c.greeted, len(c.carry))
	if c.state == dialing || c.writing {
		fmt.Fprintf(w, " until=%s", m.ahead(c.until))
	}
	if c.writing {
		fmt.Fprintf(w, " writing=%d bytes, %d requests, lane releases=%v", c.length, len(c.frames), c.farewell)
	}
	if c.probe != 0 {
		fmt.Fprintf(w, " probe=%s", m.ahead(c.probe))
	}
	fmt.Fprintln(w)
}

func (m *Machine) dumpRequest(w io.Writer, slot int32) {
	p := &m.pending
	r := &p.reqs[slot]
	if r.side == acquires {
		fmt.Fprintf(w, "  acquire op=%d %s owner=%d wait-end=%s lease=%dms", r.op, r.key, r.id, m.ahead(r.waitEnd), r.lease)
	} else {
		fmt.Fprintf(w, "  release %s token=%d tries=%d", r.key, r.id, r.tries)
		for at := r.firstCall; at != 0; at = p.calls[at].next {
			fmt.Fprintf(w, " op=%d", p.calls[at].op)
		}
	}
	fmt.Fprintf(w, " %s", stages[r.stage])
	if r.stage != queued {
		fmt.Fprintf(w, " conn=%d", r.gen)
	}
	if r.giveUp != CauseNone {
		fmt.Fprintf(w, " given up: %v", r.giveUp)
	}
	if r.timer != 0 {
		fmt.Fprintf(w, " timer=%s", m.ahead(p.due[r.timer-1].at))
	}
	fmt.Fprintln(w)
}

// ahead is an instant relative to now.
func (m *Machine) ahead(t Time) string {
	if t == Never {
		return "never"
	}
	return fmt.Sprintf("%+dus", (t-m.now)/(millisecond/1000))
}

var (
	connStates = [...]string{"vacant", "dialing", "open", "closing"}
	stages     = [...]string{"queued", "writing", "sent"}
)
