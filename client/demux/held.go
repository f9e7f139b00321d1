package demux

import (
	"bytes"

	"ticketing/client/wire"
)

// held remembers the grants that callers have and did not release, so that a repeated A frees no lock in use
// (rule held-grant). It is bounded: what it forgot is covered by the mark.
type held struct {
	grants []grant // slot 0 is no slot
	free   int32   // head of the free slots, linked by grant.link
	order  chain   // by arrival, all on one side
	byID   index   // tokens, to slots
	mark   uint64  // highest token that was dropped without a release
}

type grant struct {
	key   string
	token uint64
	until Time // receipt + lease: over on the client's clock
	link  int32
}

const heldSide = acquires

func (h *held) len() int { return h.order.len(heldSide) }

func (h *held) find(key string, token uint64) int32 {
	for i := h.byID.first(token); i >= 0; i = h.byID.next(token, i) {
		if h.grants[h.byID.at(i)].key == key {
			return h.byID.at(i)
		}
	}
	return 0
}

// holds is find for a key as it stands in a frame.
func (h *held) holds(key []byte, token uint64) bool {
	for i := h.byID.first(token); i >= 0; i = h.byID.next(token, i) {
		if h.grants[h.byID.at(i)].key == string(key) {
			return true
		}
	}
	return false
}

func (h *held) remove(key string, token uint64) bool {
	slot := h.find(key, token)
	if slot != 0 {
		h.drop(slot)
	}
	return slot != 0
}

func (h *held) drop(slot int32) {
	h.order.remove(heldSide, slot)
	h.byID.remove(h.grants[slot].token, slot)
	h.grants[slot] = grant{link: h.free}
	h.free = slot
}

func (h *held) add(key string, token uint64, until Time) {
	slot := h.free
	if slot != 0 {
		h.free = h.grants[slot].link
	} else {
		if len(h.grants) == 0 {
			h.grants = append(h.grants, grant{})
		}
		slot = int32(len(h.grants))
		h.grants = append(h.grants, grant{})
	}
	h.grants[slot] = grant{key: key, token: token, until: until}
	h.order.push(heldSide, slot)
	h.byID.insert(token, slot)
}

// hold remembers a grant that a caller gets. It makes room from the oldest on.
func (m *Machine) hold(key string, token uint64, lease uint32) {
	h := &m.held
	// A peer that grants the same token twice must not fill the table with it.
	h.remove(key, token)
	for h.len() > 0 {
		oldest := h.order.head(heldSide)
		g := &h.grants[oldest]
		switch {
		case g.until <= m.now:
			m.count(CountHeldGrantLeaseOver)
		case h.len() >= m.o.MaxHeld:
			m.count(CountHeldGrantFull)
		default:
			oldest = 0
		}
		if oldest == 0 {
			break
		}
		h.mark = max(h.mark, g.token)
		h.drop(oldest)
	}
	h.add(key, token, after(m.now, Time(lease)*millisecond))
}

// mayRelease says whether the token of an unmatched A may be released: it was granted to this client, and
// nobody here uses it or may be using it.
func (m *Machine) mayRelease(reply *wire.Reply) bool {
	switch {
	case !bytes.HasPrefix(reply.Owner, m.prefix()):
		m.count(CountHeldGrantForeign)
	case reply.Token <= m.held.mark:
		m.count(CountHeldGrantBelowMark)
	case m.held.holds(reply.Key, reply.Token):
		m.count(CountHeldGrantHeld)
	case m.pending.releasing(reply.Token):
		m.count(CountHeldGrantReleasing)
	default:
		return true
	}
	return false
}

// prefix renders Options.Prefix as bytes, valid until the next call.
func (m *Machine) prefix() []byte {
	m.scratch = append(m.scratch[:0], m.o.Prefix...)
	return m.scratch
}

func (h *held) reset() {
	h.grants, h.free, h.mark = h.grants[:0], 0, 0
	h.order.reset()
	h.byID.reset()
}

func (h *held) copyFrom(src *held) {
	h.grants = append(h.grants[:0], src.grants...)
	h.free, h.mark = src.free, src.mark
	h.order.copyFrom(&src.order)
	h.byID.copyFrom(&src.byID)
}
