package demux

// acquire takes in a caller's request for a lock, or turns it away at once (rule own-capacity).
func (m *Machine) acquire(in *Input) {
	mustBe(CheckAcquire(in.Key, in.Wait, in.Lease))
	m.mustBeNew(in.Op)
	switch {
	case m.shut:
		m.count(CountShutDownLateRequest)
		m.refuse(in.Op, CauseClosed)
		return
	case m.pending.all.len(acquires) >= m.o.MaxAcquires:
		m.count(CountOwnCapacityAcquires)
		m.refuse(in.Op, CauseFull)
		return
	}
	m.counter++
	m.count(CountOwnersMade)
	slot := m.pending.add(acquires, in.Key, m.counter)
	m.pending.bindAcquire(slot, in.Op)
	wait := Time(in.Wait) * millisecond
	grace := Time(m.o.Grace) + wait/1000
	if in.Deadline != 0 {
		wait = m.capWait(wait, grace, in.Deadline)
	}
	r := &m.pending.reqs[slot]
	r.lease, r.grace, r.waitEnd = in.Lease, grace, after(m.now, wait)
	m.pending.arm(slot, after(r.waitEnd, grace))
}

// capWait shortens a wait so that the service's T comes before the caller's own deadline (rule deadline).
func (m *Machine) capWait(wait, grace, deadline Time) Time {
	left := max(deadline, m.now) - m.now // one that is long past must not wrap around
	if limit := max(0, left-grace); limit < wait {
		m.count(CountDeadlineCapped)
		return limit
	}
	return wait
}
