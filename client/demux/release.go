package demux

// maxTries bounds the connections on which a release is sent (rule release-again).
const maxTries = 3

// release takes in a caller's release. From here on the token is no longer in use (rule one-release).
func (m *Machine) release(in *Input) {
	mustBe(CheckRelease(in.Key, in.Token))
	m.mustBeNew(in.Op)
	if m.held.remove(in.Key, in.Token) {
		m.count(CountOneReleaseUnheld)
	}
	switch {
	case m.shut:
		m.count(CountShutDownLateRequest)
		m.refuse(in.Op, CauseClosed)
		return
	case m.pending.numCalls >= m.o.MaxReleases:
		m.count(CountOwnCapacityReleases)
		m.refuse(in.Op, CauseFull)
		return
	}
	slot := m.pending.release(in.Key, in.Token)
	if slot == 0 {
		slot = m.pending.add(releases, in.Key, in.Token)
		m.pending.arm(slot, after(m.now, Time(m.o.Grace)))
	} else {
		m.count(CountOneReleaseJoined)
	}
	m.pending.bindCall(slot, in.Op)
}

// again queues a release whose connection ended, unless its tries are spent. It says whether it did.
func (m *Machine) again(slot int32) bool {
	if m.pending.reqs[slot].tries >= maxTries {
		m.count(CountReleaseAgainSpent)
		m.settle(slot, ending{outcome: Indeterminate})
		return false
	}
	m.count(CountReleaseAgainQueued)
	m.pending.putBack(slot)
	return true
}

// cancelJoined handles the cancel of one caller where that is not yet a cancel of the release. It says whether
// it was.
func (m *Machine) cancelJoined(at, slot int32) bool {
	r := &m.pending.reqs[slot]
	if r.stage == writing {
		// Whoever is left when the write is answered decides about the release.
		m.count(CountCancelWriting)
		// What is remembered first stands.
		if r.giveUp == CauseNone {
			m.pending.calls[at].cancelled = true
		}
		return true
	}
	if r.firstCall == r.lastCall {
		if r.stage == queued && r.tries > 0 {
			m.count(CountCancelBetweenTries)
		}
		return false
	}
	m.count(CountOneReleaseCancelAlone)
	m.settleCall(at, m.byBytes(slot, CauseCancelled))
	return true
}
