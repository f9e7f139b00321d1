package cluster

import (
	"slices"
	"time"

	"ticketing/client/wire"
)

// lock is the lock of one key while it is held. Its fields are guarded by the Cluster's mutex.
type lock struct {
	key   string
	token uint64
	lease uint32 // milliseconds
	ends  time.Time
	queue []waiter // in order of arrival; those of ended connections are passed over
	timer *time.Timer
}

type waiter struct {
	conn  *conn
	owner string
	lease uint32
	until time.Time
}

// lockOf is the lock of key as it is now, or nil if nobody holds it.
func (c *Cluster) lockOf(key []byte) *lock {
	if l := c.locks[string(key)]; l != nil {
		c.expire(l, time.Now())
	}
	return c.locks[string(key)] // it may be gone by now
}

// acquire executes an A.
func (c *Cluster) acquire(k *conn, r *wire.Request) {
	l := c.lockOf(r.Key)
	if l == nil && len(c.locks) >= c.o.LocksMax {
		c.sweep()
		if len(c.locks) >= c.o.LocksMax {
			c.deny(k, wire.OpBusy, string(r.Key), string(r.Owner))
			return
		}
	}
	switch {
	case l == nil:
		c.grant(c.newLock(string(r.Key)), k, r.Owner, r.Lease)
	case c.doubles():
		c.grant(l, k, r.Owner, r.Lease)
	case r.Wait == 0:
		c.deny(k, wire.OpTimedOut, l.key, string(r.Owner))
	case c.full(l):
		c.deny(k, wire.OpBusy, l.key, string(r.Owner))
	default:
		until := time.Now().Add(time.Duration(r.Wait) * time.Millisecond)
		l.queue = append(l.queue, waiter{conn: k, owner: string(r.Owner), lease: r.Lease, until: until})
		c.arm(l)
	}
}

// doubles says whether the fault strikes that grants a key twice.
func (c *Cluster) doubles() bool {
	if c.o.Fault != FaultDoubleGrant || (c.token+1)%c.o.FaultEvery != 0 {
		return false
	}
	c.counts.Faults++
	return true
}

// full says whether the queue of l is, those of ended connections left out.
func (c *Cluster) full(l *lock) bool {
	if len(l.queue) >= c.o.QueueMax {
		l.queue = slices.DeleteFunc(l.queue, func(w waiter) bool { return w.conn.over })
	}
	return len(l.queue) >= c.o.QueueMax
}

// release executes an R.
func (c *Cluster) release(k *conn, r *wire.Request) {
	l := c.lockOf(r.Key)
	if l == nil || l.token != r.Token {
		c.counts.NotFound++
		c.reply(k, wire.AppendNotFound(k.out, r.Key, r.Token))
		return
	}
	c.counts.Released++
	c.reply(k, wire.AppendReleased(k.out, r.Key, r.Token))
	c.free(l)
}

func grantedBytes[O wire.Bytes](k *conn, l *lock, owner O) []byte {
	return wire.AppendGranted(k.out, l.key, owner, l.token, l.lease)
}

// grant gives l to an owner.
func (c *Cluster) grant(l *lock, k *conn, owner []byte, lease uint32) {
	c.take(l, lease)
	c.reply(k, grantedBytes(k, l, owner))
}

func (c *Cluster) take(l *lock, lease uint32) {
	c.token++
	c.counts.Granted++
	l.token = c.token
	l.lease = min(lease, uint32(c.o.LeaseMax/time.Millisecond))
	l.ends = time.Now().Add(c.term(l))
	c.arm(l)
}

// term is how long the lease of l lasts.
func (c *Cluster) term(l *lock) time.Duration {
	d := time.Duration(l.lease) * time.Millisecond
	if c.o.Fault == FaultEarlyExpiry && l.token%c.o.FaultEvery == 0 {
		c.counts.Faults++
		return d / 10
	}
	return d
}

// free ends the hold on l and gives it to the first who waits.
func (c *Cluster) free(l *lock) {
	l.token = 0
	for len(l.queue) > 0 {
		w := l.queue[0]
		l.queue = slices.Delete(l.queue, 0, 1)
		if w.conn.over {
			continue
		}
		c.take(l, w.lease)
		c.reply(w.conn, grantedBytes(w.conn, l, w.owner))
		return
	}
	c.drop(l)
}

// expire ends the hold on l if its lease is over, and the waits that are.
func (c *Cluster) expire(l *lock, now time.Time) {
	if c.leader < 0 {
		return
	}
	l.queue = slices.DeleteFunc(l.queue, func(w waiter) bool {
		if w.conn.over {
			return true
		}
		if w.until.After(now) {
			return false
		}
		c.deny(w.conn, wire.OpTimedOut, l.key, w.owner)
		return true
	})
	if l.token != 0 && !l.ends.After(now) {
		c.free(l)
	}
}

// arm sets the timer of l, if anybody waits for it: nobody notices the end of a lease otherwise.
func (c *Cluster) arm(l *lock) {
	if len(l.queue) == 0 || c.closed {
		l.stop()
		return
	}
	at := l.ends
	for _, w := range l.queue {
		if w.until.Before(at) {
			at = w.until
		}
	}
	d := max(0, time.Until(at))
	if l.timer == nil {
		l.timer = time.AfterFunc(d, func() { c.due(l) })
		return
	}
	l.timer.Reset(d)
}

func (l *lock) stop() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

func (c *Cluster) due(l *lock) {
	c.mu.Lock()
	defer c.flush()
	// The timer may be late: the lock may be another's by now, or nobody's.
	if c.closed || c.locks[l.key] != l {
		return
	}
	c.expire(l, time.Now())
	if c.locks[l.key] == l {
		c.arm(l)
	}
}

// deny ends an acquire that is never granted, with T or B.
func (c *Cluster) deny(k *conn, op wire.Op, key, owner string) {
	if op == wire.OpBusy {
		c.counts.Busy++
		c.reply(k, wire.AppendBusy(k.out, key, owner))
		return
	}
	c.counts.TimedOut++
	c.reply(k, wire.AppendTimedOut(k.out, key, owner))
}

// spareMax bounds the locks that are kept to be used again.
const spareMax = 1024

func (c *Cluster) newLock(key string) *lock {
	var l *lock
	if n := len(c.spare); n > 0 {
		l, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		l = new(lock)
	}
	l.key = key
	c.locks[key] = l
	return l
}

func (c *Cluster) drop(l *lock) {
	l.stop()
	delete(c.locks, l.key)
	l.token, l.queue = 0, l.queue[:0]
	if len(c.spare) < spareMax {
		c.spare = append(c.spare, l)
	}
}

// sweep drops the locks whose lease is over.
func (c *Cluster) sweep() {
	now := time.Now()
	for _, l := range c.locks {
		c.expire(l, now)
	}
}
