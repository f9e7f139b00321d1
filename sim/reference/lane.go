package reference

import (
	"strings"

	"ticketing/client/demux"
)

// orphan is a lane entry: a token that nobody will hold (rules orphan, lane).
type orphan struct {
	serial int
	key    string
	token  uint64
	until  demux.Time // after it, not sent again (rule lane-end)
	place  place
}

// grant is a token that a caller was told of and has not released.
type grant struct {
	key   string
	token uint64
	until demux.Time
}

// hold remembers a grant (rule held-grant). One that is held already is the same grant, said again.
func (c *Core) hold(r reply) {
	c.letGo(r.key, r.token)
	for len(c.held) > 0 && (c.held[0].until <= c.now || len(c.held) == c.o.MaxHeld) {
		c.mark = max(c.mark, c.held[0].token)
		c.held = c.held[1:]
	}
	c.held = append(c.held[:len(c.held):len(c.held)], grant{r.key, r.token, plus(c.now, millis(r.lease))})
}

// letGo forgets a grant that its caller gives back. It raises no mark: a Release was called.
func (c *Core) letGo(key string, token uint64) {
	var rest []grant
	for _, g := range c.held {
		if g.key != key || g.token != token {
			rest = append(rest, g)
		}
	}
	c.held = rest
}

// orphaned puts the token of an unmatched A on the lane, if releasing it cannot free a lock in use.
func (c *Core) orphaned(r reply) {
	if !strings.HasPrefix(r.owner, c.o.Prefix) || r.token <= c.mark {
		return
	}
	for _, g := range c.held {
		if g.key == r.key && g.token == r.token {
			return
		}
	}
	for _, s := range c.releases {
		if s.token == r.token {
			return // rule one-release
		}
	}
	for _, l := range c.lane {
		if l.token == r.token {
			return
		}
	}
	if len(c.lane) == c.o.MaxLane {
		return // a full lane drops the newest
	}
	c.serial++
	until := plus(plus(c.now, millis(r.lease)), demux.Time(c.o.LaneSlack))
	c.lane = append(c.lane, orphan{serial: c.serial, key: r.key, token: r.token, until: until})
}

// replyLane ends the lane entry that an R or N on gen answers, if there is one.
func (c *Core) replyLane(gen demux.Generation, r reply) bool {
	for i, l := range c.lane {
		if l.place.on(gen) && l.key == r.key && l.token == r.token {
			c.lane = append(c.lane[:i:i], c.lane[i+1:]...)
			return true
		}
	}
	return false
}

// endLane queues the entries of an ended connection again. It does not wait for InputWrote: R may be sent twice.
func (c *Core) endLane(gen demux.Generation) {
	for i, l := range c.lane {
		if l.place.on(gen) {
			c.lane[i].place = place{}
		}
	}
	c.expireLane()
}

// expireLane drops what is queued and too old to be worth sending.
func (c *Core) expireLane() {
	var rest []orphan
	for _, l := range c.lane {
		if l.place.phase != unsent || l.until > c.now {
			rest = append(rest, l)
		}
	}
	c.lane = rest
}

func (c *Core) laneQueued() bool {
	for _, l := range c.lane {
		if l.place.phase == unsent {
			return true
		}
	}
	return false
}
