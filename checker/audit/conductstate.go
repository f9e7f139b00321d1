package audit

import (
	"encoding/binary"

	"ticketing/sim"
	"ticketing/sim/clock"
)

// CopyFrom implements sim.Audit.
func (c *Conduct) CopyFrom(src sim.Audit) {
	from := src.(*Conduct)
	clients := desks(c.clients, len(from.clients))
	*c = *from
	c.clients = clients
	for i := range c.clients {
		d, o := &c.clients[i], &from.clients[i]
		errands, strays, holds, carried := d.errands, d.strays, d.holds, d.link.carried
		*d = *o
		d.errands = append(errands[:0], o.errands...)
		d.strays = append(strays[:0], o.strays...)
		d.holds = append(holds[:0], o.holds...)
		d.link.carried = append(carried[:0], o.link.carried...)
	}
}

// AppendState implements sim.Audit. Between facts a client's clock is not seen; its reading now is what it would show at
// the world's rate. Where it may run at another, the span since the last fact is state too.
func (c *Conduct) AppendState(now clock.Time, dst []byte) []byte {
	if c.failure != nil {
		return append(dst, 1)
	}
	dst = append(dst, 0, flags(c.healed))
	for i := range c.clients {
		d := &c.clients[i]
		local := d.now + d.ahead
		if c.drifts {
			dst = appendAhead(dst, now, d.world)
		} else {
			local += now - d.world
		}
		dst = d.appendState(local, dst)
	}
	return dst
}

func (d *desk) appendState(now clock.Time, dst []byte) []byte {
	dst = append(dst, flags(d.shut, d.excused, d.blurred, d.asleep, d.muddled, d.over), d.closing, d.vain)
	if d.shut {
		dst = appendAhead(dst, now, d.shutAt)
	}
	dst = binary.AppendUvarint(dst, d.mark)
	dst = binary.AppendUvarint(dst, uint64(len(d.errands)))
	for i := range d.errands {
		e := &d.errands[i]
		dst = append(dst, byte(e.kind)|byte(e.stage)<<2, byte(e.key), e.tries, flags(e.touched, e.cancelled, e.overdue, e.full))
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(e.op)), e.id)
		last := e.last
		if e.stage == unsent {
			last = 0 // it tells steps apart, and this one is over
		}
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(last)), uint64(e.grace))
		dst = appendAhead(appendAhead(dst, e.due, now), e.unsent, now)
	}
	dst = binary.AppendUvarint(dst, uint64(len(d.strays)))
	for i := range d.strays {
		s := &d.strays[i]
		dst = binary.AppendUvarint(append(dst, byte(s.key), flags(s.sure, s.sent, s.hazy)), s.token)
		dst = appendAhead(binary.AppendUvarint(dst, uint64(s.gen)), s.until, now)
	}
	dst = binary.AppendUvarint(dst, uint64(len(d.holds)))
	for _, h := range d.holds {
		dst = appendAhead(binary.AppendUvarint(append(dst, byte(h.key)), h.token), h.until, now)
	}
	return d.pace.appendState(now, d.link.appendState(now, dst))
}

func (l *link) appendState(now clock.Time, dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(l.gen))
	if l.gen == 0 {
		return dst
	}
	dst = append(dst, flags(l.open, l.hinted, l.proven, l.dead, l.probed, l.writing, l.farewell, l.calm), byte(l.addr))
	if l.writing || !l.open {
		dst = appendAhead(dst, now, l.since)
		dst = binary.AppendUvarint(dst, uint64(l.length))
	}
	dst = appendAhead(dst, l.probe, now)
	dst = binary.AppendUvarint(dst, uint64(len(l.carried)))
	for _, f := range l.carried {
		dst = binary.AppendUvarint(append(dst, byte(f.verb), byte(f.key)), f.id)
	}
	return dst
}

func (p *pace) appendState(now clock.Time, dst []byte) []byte {
	dst = append(dst, byte(p.hint), byte(p.turn))
	dst = append(dst, p.losses[:]...)
	return appendAhead(appendAhead(dst, p.soonest, now), p.latest, now)
}
