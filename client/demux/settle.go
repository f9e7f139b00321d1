package demux

// ending is how a request ends, for all who wait for it.
type ending struct {
	outcome Outcome
	cause   Cause
	token   uint64
	lease   uint32
}

func (m *Machine) emit(kind EffectKind) *Effect {
	m.effects = append(m.effects, Effect{Kind: kind})
	return &m.effects[len(m.effects)-1]
}

// refuse settles an operation that never entered the table.
func (m *Machine) refuse(op OpID, cause Cause) {
	e := m.emit(EffectComplete)
	e.Op, e.Outcome, e.Cause = op, NotSent, cause
}

// settle completes a request for all its callers and frees it.
func (m *Machine) settle(slot int32, how ending) {
	r := &m.pending.reqs[slot]
	if r.side == releases {
		for r.firstCall != 0 {
			m.settleCall(r.firstCall, how)
		}
		m.pending.drop(slot)
		return
	}
	if how.outcome == Indeterminate {
		m.count(CountOrphanTokenUnknown)
	}
	e := m.emit(EffectComplete)
	e.Op, e.Outcome, e.Cause, e.Token, e.Lease = r.op, how.outcome, how.cause, how.token, how.lease
	m.pending.byOp.remove(uint64(r.op), 2*slot)
	m.pending.drop(slot)
}

// settleCall completes one caller of a release and takes it off.
func (m *Machine) settleCall(at int32, how ending) {
	c := &m.pending.calls[at]
	tries := m.pending.reqs[c.req].tries
	e := m.emit(EffectComplete)
	e.Op, e.Outcome, e.Cause, e.Tries = c.op, how.outcome, how.cause, tries
	e.Resent = how.outcome == NotFound && tries > 1
	m.pending.unbindCall(at)
}

// byBytes is the ending of a request without a reply: NotSent if no byte of it was ever accepted, else
// Indeterminate (rules not-sent, no-resend).
func (m *Machine) byBytes(slot int32, cause Cause) ending {
	if m.pending.reqs[slot].tries > 0 {
		return ending{outcome: Indeterminate}
	}
	m.count(CountNotSentWithdrawn)
	return ending{outcome: NotSent, cause: cause}
}

func (m *Machine) settleByBytes(slot int32, cause Cause) {
	m.settle(slot, m.byBytes(slot, cause))
}

// settleCancelled settles the callers of a release that gave up while it was writing. It says whether
// nobody is left: then the release is gone too (rule one-release).
func (m *Machine) settleCancelled(slot int32) bool {
	r := &m.pending.reqs[slot]
	if r.side != releases {
		return false
	}
	for at := r.firstCall; at != 0; {
		next := m.pending.calls[at].next
		if m.pending.calls[at].cancelled {
			m.settleCall(at, m.byBytes(slot, CauseCancelled))
		}
		at = next
	}
	if r.firstCall != 0 {
		return false
	}
	m.pending.drop(slot)
	return true
}

// abandon ends a request for a reason of ours (rules cancel, deadline): by its bytes while it is queued; once
// its write is answered while it is writing; at once, with its connection, when it was sent.
func (m *Machine) abandon(slot int32, cause Cause) {
	r := &m.pending.reqs[slot]
	switch r.stage {
	case queued:
		m.settleByBytes(slot, cause)
	case writing:
		if r.giveUp == CauseNone {
			r.giveUp = cause
		}
		m.pending.disarm(slot)
	case sent:
		m.settle(slot, ending{outcome: Indeterminate})
		m.closeCurrent(reasonOf(cause))
	}
}

// reasonOf is why a connection closes when a sent request is abandoned. Close abandons none.
func reasonOf(cause Cause) Reason {
	if cause == CauseDeadline {
		return ReasonDeadline
	}
	return ReasonCancel
}

// overdue handles the deadline of a request (rule deadline).
func (m *Machine) overdue(slot int32) {
	r := &m.pending.reqs[slot]
	m.count(overdueCounts[r.side][r.stage])
	m.abandon(slot, CauseDeadline)
}

var overdueCounts = [numSides][3]Count{
	releases: {CountDeadlineReleaseUnsent, CountDeadlineReleaseWriting, CountDeadlineReleaseSent},
	acquires: {CountDeadlineUnsent, CountDeadlineWriting, CountDeadlineSent},
}

func (m *Machine) cancel(op OpID) {
	i := m.pending.byOp.first(uint64(op))
	if i < 0 {
		m.count(CountGrantWinsLateCancel)
		return
	}
	at := m.pending.byOp.at(i)
	slot := at / 2
	if at%2 == 1 {
		slot = m.pending.calls[at/2].req
		if m.cancelJoined(at/2, slot) {
			return
		}
	}
	m.count(cancelCounts[m.pending.reqs[slot].stage])
	m.abandon(slot, CauseCancelled)
}

var cancelCounts = [3]Count{CountCancelQueued, CountCancelWriting, CountCancelSent}
