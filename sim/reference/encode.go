package reference

import (
	"fmt"

	"ticketing/client/demux"
)

// AppendState appends everything that can still matter, as text.
func (c *Core) AppendState(now demux.Time, dst []byte) []byte {
	now = max(now, c.now)
	ahead := func(t demux.Time) demux.Time {
		if t == demux.Never {
			return t
		}
		return max(0, minus(t, now))
	}
	s := fmt.Appendf(dst, "owners %d mark %d dialled %d gate %d hint %d cursor %d shut %v %d %d\n", c.owners, c.mark, c.dialled,
		ahead(c.gate()), c.leader.hint, c.leader.cursor, c.shut, c.shutOp, ahead(c.shutLimit))
	for k, n := range c.leader.counts {
		s = fmt.Appendf(s, "count %d %d\n", k, min(n, 64)) // 1ns doubled 63 times is past every Cap
	}
	for _, a := range c.acquires {
		s = fmt.Appendf(s, "acquire %d %s %s %d wait %d limit %d grace %d %v %v\n", a.op, a.key, a.owner, a.lease,
			ahead(a.waitEnd), ahead(a.limit), a.grace, a.place, a.doomed)
	}
	for _, r := range c.releases {
		s = fmt.Appendf(s, "release %s %d %v limit %d %v tries %d %v\n", r.key, r.token, r.callers, ahead(r.limit), r.place, r.tries, r.doomed)
	}
	for _, l := range c.lane {
		s = fmt.Appendf(s, "orphan %s %d until %d %v\n", l.key, l.token, ahead(l.until), l.place)
	}
	for _, g := range c.held {
		s = fmt.Appendf(s, "held %s %d until %d\n", g.key, g.token, ahead(g.until))
	}
	for i := range c.conns {
		s = c.appendConn(s, &c.conns[i], ahead)
	}
	return s
}

func (c *Core) appendConn(s []byte, n *conn, ahead func(demux.Time) demux.Time) []byte {
	s = fmt.Appendf(s, "conn %d addr %d %v state %d proven %v probed %v %v read %q greeted %v", n.gen, n.addr, n.byHint,
		n.state, n.proven, n.probed, n.probed && ahead(n.probe) > 0, n.read, n.greeted)
	s = fmt.Appendf(s, " dial %d probe %d\n", ahead(plus(n.since, demux.Time(c.o.DialTimeout))), ahead(n.probe))
	if !n.writing {
		return s
	}
	s = fmt.Appendf(s, "stall %d bytes %d\n", ahead(plus(n.handed, demux.Time(c.o.WriteStall))), len(n.written))
	for _, f := range n.write {
		s = fmt.Appendf(s, "frame %d %s\n", f.start, c.ref(f))
	}
	return s
}

// ref names what a frame belongs to by its place in the tables, which alone decides what happens to it.
func (c *Core) ref(f frame) string {
	for i, a := range c.acquires {
		if a.owner == f.owner {
			return fmt.Sprintf("acquire %d", i)
		}
	}
	for i, r := range c.releases {
		if r.serial == f.release {
			return fmt.Sprintf("release %d", i)
		}
	}
	for i, l := range c.lane {
		if l.serial == f.orphan {
			return fmt.Sprintf("orphan %d", i)
		}
	}
	return "none"
}
