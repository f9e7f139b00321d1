package demux

import (
	"bytes"

	"ticketing/client/wire"
)

// lane holds the exact-token releases of orphans: grants that arrived for nobody (rules orphan, lane). Its
// capacity is its own, and it outlives the connection that produced the token.
type lane struct {
	entries []orphan // in order of arrival
	keys    []byte   // their keys, one after the other in the same order
	queued  int      // entries on no connection
	next    Time     // earliest end of a queued entry, or Never
}

type orphan struct {
	token uint64
	until Time       // no longer sent from here on (rule lane-end)
	gen   Generation // the connection that its R was handed to; zero: queued
	size  int32      // bytes of the key
}

// add queues the release of an unmatched grant. A full lane drops the newest.
func (l *lane) add(m *Machine, reply *wire.Reply) {
	for i := range l.entries {
		if l.entries[i].token == reply.Token {
			m.count(CountLaneTwice)
			return
		}
	}
	if len(l.entries) >= m.o.MaxLane {
		m.count(CountLaneFull)
		return
	}
	m.count(CountLaneQueued)
	span := Time(reply.Lease)*millisecond + Time(m.o.LaneSlack)
	l.entries = append(l.entries, orphan{token: reply.Token, until: after(m.now, span), size: int32(len(reply.Key))})
	l.keys = append(l.keys, reply.Key...)
	l.settleDue()
}

// settleDue brings queued and next up to date.
func (l *lane) settleDue() {
	l.queued, l.next = 0, Never
	for i := range l.entries {
		if l.entries[i].gen == 0 {
			l.queued++
			l.next = min(l.next, l.entries[i].until)
		}
	}
}

// retain keeps the entries for which keep says so, in order.
func (l *lane) retain(keep func(o *orphan) bool) {
	kept, from, to := 0, 0, 0
	for i := range l.entries {
		size := int(l.entries[i].size)
		if keep(&l.entries[i]) {
			l.entries[kept] = l.entries[i]
			copy(l.keys[to:], l.keys[from:from+size])
			kept++
			to += size
		}
		from += size
	}
	l.entries, l.keys = l.entries[:kept], l.keys[:to]
	l.settleDue()
}

// expire drops queued entries whose time is over.
func (l *lane) expire(m *Machine) {
	if l.next > m.now {
		return
	}
	l.retain(func(o *orphan) bool {
		if o.gen == 0 && o.until <= m.now {
			m.count(CountLaneEndQueued)
			return false
		}
		return true
	})
}

// endConnection queues again what the connection carried, unless its time is over.
func (l *lane) endConnection(m *Machine, gen Generation) {
	if len(l.entries) == 0 {
		return
	}
	l.retain(func(o *orphan) bool {
		switch {
		case m.shut:
			m.count(CountShutDownLaneDropped)
			return false
		case o.gen != gen:
			return true
		case o.until <= m.now:
			m.count(CountLaneEndCarried)
			return false
		}
		m.count(CountLaneSurvived)
		o.gen = 0
		return true
	})
}

// answer handles R or N for an entry on this connection. It says whether there was one.
func (l *lane) answer(m *Machine, gen Generation, reply *wire.Reply) bool {
	from := 0
	for i := range l.entries {
		o := &l.entries[i]
		key := l.keys[from : from+int(o.size)]
		from += int(o.size)
		if o.token != reply.Token {
			continue
		}
		if o.gen != gen {
			continue
		}
		if !bytes.Equal(key, reply.Key) {
			continue
		}
		if reply.Op == wire.OpReleased {
			m.count(CountLaneReleased)
		} else {
			m.count(CountLaneNotFound)
		}
		token := o.token
		l.retain(func(o *orphan) bool { return o.token != token })
		return true
	}
	return false
}

// flushLane writes the queued entries. It says whether all of them fitted.
func (m *Machine) flushLane(c *conn) bool {
	l := &m.lane
	if l.queued == 0 {
		return true
	}
	defer l.settleDue()
	from := 0
	for i := range l.entries {
		o, start := &l.entries[i], len(c.buf)
		key := l.keys[from : from+int(o.size)]
		from += int(o.size)
		if o.gen != 0 {
			continue
		}
		c.buf = wire.AppendRelease(c.buf, key, o.token)
		if !m.fits(c, start) {
			return false
		}
		m.count(CountLaneWritten)
		o.gen = c.gen
	}
	return true
}

func (l *lane) reset() { l.entries, l.keys, l.queued, l.next = l.entries[:0], l.keys[:0], 0, Never }

func (l *lane) copyFrom(src *lane) {
	l.entries = append(l.entries[:0], src.entries...)
	l.keys = append(l.keys[:0], src.keys...)
	l.queued, l.next = src.queued, src.next
}
