package demux

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// visible are changes to a state that the encoding must show, for what comes next depends on them. Each returns false where
// the state has nothing of the kind.
var visible = map[string]func(m *Machine) bool{
	"counter": func(m *Machine) bool { m.counter++; return !m.shut },
	"hint":    func(m *Machine) bool { m.hint = (m.hint + 1) % 3; return !m.shut },
	"cursor":  func(m *Machine) bool { m.cursor = (m.cursor + 1) % 3; return !m.shut },
	"losses":  func(m *Machine) bool { m.losses[classMoved]++; return !m.shut },
	"gate":    func(m *Machine) bool { return !m.shut && later(m, &m.gate) },
	"mark":    func(m *Machine) bool { m.held.mark++; return !m.shut },
	"held": func(m *Machine) bool {
		return m.held.len() > 0 && later(m, &m.held.grants[m.held.order.head(heldSide)].until)
	},
	"close":    func(m *Machine) bool { m.closeOp++; return m.shut },
	"close at": func(m *Machine) bool { return m.shut && m.cur != 0 && later(m, &m.closeAt) },
	"lane": func(m *Machine) bool {
		return len(m.lane.entries) > 0 && later(m, &m.lane.entries[0].until)
	},
	"lane carried": func(m *Machine) bool {
		if len(m.lane.entries) == 0 || m.lane.entries[0].gen == 0 {
			return false
		}
		m.lane.entries[0].gen = 0
		return true
	},
	"hinted":   onOpen(func(c *conn) bool { c.hinted = !c.hinted; return true }),
	"proven":   onOpen(func(c *conn) bool { c.proven = !c.proven; return true }),
	"farewell": onOpen(func(c *conn) bool { c.farewell = !c.farewell; return c.writing }),
	"length":   onOpen(func(c *conn) bool { c.length++; return c.writing }),
	"carry": onOpen(func(c *conn) bool {
		if len(c.carry) == 0 {
			return false
		}
		c.carry[0] ^= 1
		return true
	}),
	"until": func(m *Machine) bool {
		c := m.current()
		return c != nil && (c.state == dialing || c.writing) && later(m, &c.until)
	},
	"probe": func(m *Machine) bool {
		c := m.current()
		return c != nil && c.state == open && !c.proven && later(m, &c.probe)
	},
	"timer":    func(m *Machine) bool { return len(m.pending.due) > 0 && later(m, &m.pending.due[0].at) },
	"start":    onRequest(acquires, func(r *request) bool { r.start++; return r.stage == writing }),
	"give up":  onRequest(acquires, func(r *request) bool { r.giveUp++; return r.stage == writing }),
	"wait end": onRequest(acquires, func(r *request) bool { r.waitEnd += 1 << 40; return unsent(r) }),
	"grace":    onRequest(acquires, func(r *request) bool { r.grace++; return unsent(r) }),
	"lease":    onRequest(acquires, func(r *request) bool { r.lease++; return unsent(r) }),
	"tries":    onRequest(releases, func(r *request) bool { r.tries++; return r.tries <= maxTries }),
	"caller": func(m *Machine) bool {
		slot := m.pending.all.head(releases)
		if slot == 0 || m.pending.reqs[slot].stage != writing {
			return false
		}
		c := &m.pending.calls[m.pending.reqs[slot].firstCall]
		c.cancelled = !c.cancelled
		return true
	},
}

func later(m *Machine, t *Time) bool { *t++; return *t > m.now+1 }

func unsent(r *request) bool { return r.stage != sent && r.giveUp == CauseNone }

func onOpen(change func(c *conn) bool) func(m *Machine) bool {
	return func(m *Machine) bool {
		c := m.current()
		return c != nil && c.state == open && change(c)
	}
}

func onRequest(s side, change func(r *request) bool) func(m *Machine) bool {
	return func(m *Machine) bool {
		slot := m.pending.all.head(s)
		return slot != 0 && change(&m.pending.reqs[slot])
	}
}

// Two states that differ in one thing that matters have different encodings.
func TestEncodingShowsAll(t *testing.T) {
	seen := map[string]int{}
	clone := new(Machine)
	for seed := range uint64(60) {
		d := newDriver(t, oddOptions(seed), splitmix(seed))
		for i := 0; i < 200 && !d.ended; i++ {
			d.step()
			state := d.m.AppendState(d.m.now, nil)
			for name, change := range visible {
				clone.CopyFrom(d.m)
				require.Equal(t, state, clone.AppendState(d.m.now, nil))
				if change(clone) {
					seen[name]++
					require.NotEqual(t, state, clone.AppendState(d.m.now, nil), "%s, seed %d, step %d", name, seed, i)
				}
			}
		}
	}
	for name := range visible {
		require.NotZero(t, seen[name], name)
	}
}
