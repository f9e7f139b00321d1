package audit

import (
	"fmt"
	"slices"

	"ticketing/client/wire"
	"ticketing/sim"
	"ticketing/sim/clock"
)

// Service holds the service to what the protocol assumes of it (its §1). It looks at no client: what it finds is a broken
// assumption, and nothing that follows from that is to be blamed on one.
//
// A lease is judged on world time. It ends no earlier than its length on the fastest clock within the drift bound; and no
// later than its length, begun anew under each leader, on the slowest one, plus what the timers of all that can be due at
// one instant may lag. It need not end while nobody leads, or while the leader sleeps.
type Service struct {
	finding
	driftPPM clock.Time
	slack    clock.Time
	leader   int16 // -1: nobody
	asleep   [sim.MaxNodes]bool
	due      clock.Time // the earliest instant at which a lease must have ended
	top      uint64     // the greatest token committed
	locks    []tenure
	fates    []fate
	rumours  []uint64 // tokens of which an R was read before they were committed
}

// tenure is a committed lease of a key.
type tenure struct {
	held   bool
	asked  bool // an R for its token was read
	token  uint64
	lease  uint32     // milliseconds
	opens  clock.Time // the lease may end from here on
	latest clock.Time // and must have ended by then
}

// fate is what became of an acquire, by its owner.
type fate struct {
	owner  sim.Owner
	lines  uint8 // A frames of it that a node read
	denied bool  // T or B, for good
	given  bool  // granted
}

// rumoursMax bounds the rumours, which only lies start; the oldest are forgotten first.
const rumoursMax = 32

const (
	millisecond = clock.Millisecond
	million     = 1_000_000
)

// Reset implements sim.Audit.
func (s *Service) Reset(p *sim.Params) {
	s.failure, s.driftPPM, s.leader, s.due, s.top = nil, clock.Time(p.DriftPPM), -1, clock.Never, p.Service.FirstToken
	s.asleep = [sim.MaxNodes]bool{}
	// All that can be due at one instant: a lease and a full queue for each key, each taken up by a timer of its own.
	s.slack = clock.Time(len(p.Keys)*(1+p.Service.QueueMax))*p.Service.TimerLag + clock.Microsecond
	s.locks, s.fates, s.rumours = s.locks[:0], s.fates[:0], s.rumours[:0]
	for range p.Keys {
		s.locks = append(s.locks, tenure{})
	}
}

// Observe implements sim.Audit.
func (s *Service) Observe(f *sim.Fact) {
	if s.failure != nil {
		return
	}
	if f.At > s.due {
		s.overdue(f)
	}
	switch f.Kind {
	case sim.FactFrame:
		s.frame(f)
	case sim.FactGrant:
		s.granted(f)
	case sim.FactFree:
		s.freed(f)
	case sim.FactDeny:
		s.denied(f)
	case sim.FactMissing:
		s.missing(f)
	case sim.FactLeader:
		s.leader = f.Node
		s.led(f.At)
	case sim.FactSleep, sim.FactWake:
		if f.Client == sim.NoClient {
			s.asleep[f.Node] = f.Kind == sim.FactSleep
			s.led(f.At)
		}
	case sim.FactEnded:
		s.ended(f)
	}
}

// frame notes what a node was asked.
func (s *Service) frame(f *sim.Fact) {
	switch {
	case f.Flag:
		s.fail(f, LineWhole, fmt.Sprintf("node %d takes %v for key %d", f.Node, f.Verb, f.Key), "its line was never ended")
	case f.Verb == wire.OpAcquire && f.Owner.Client != sim.NoClient:
		s.fate(f.Owner).lines++
	case f.Verb == wire.OpRelease && f.Key >= 0:
		if l := &s.locks[f.Key]; l.held && l.token == f.Token {
			l.asked = true
			return
		}
		if f.Token > s.top {
			s.rumour(f.Token)
		}
	}
}

// granted takes a commit of a grant.
func (s *Service) granted(f *sim.Fact) {
	l := &s.locks[f.Key]
	switch {
	case f.Node != s.leader:
		s.fail(f, LeaseHolds, grantText(f), fmt.Sprintf("node %d leads", s.leader))
	case f.Token <= s.top:
		s.fail(f, TokenGrows, grantText(f), fmt.Sprintf("token %d was committed before", s.top))
	case l.held:
		s.fail(f, LeaseHolds, grantText(f), fmt.Sprintf("the lease of token %d goes on", l.token))
	}
	if f.Owner.Client != sim.NoClient {
		s.executed(f, s.fate(f.Owner))
	}
	*l = tenure{held: true, token: f.Token, lease: f.Lease, opens: f.At + s.shortest(f.Lease), latest: f.At + s.longest(f.Lease)}
	s.top = max(s.top, f.Token)
	kept := s.rumours[:0]
	for _, token := range s.rumours {
		l.asked = l.asked || token == f.Token
		if token > f.Token {
			kept = append(kept, token)
		}
	}
	s.rumours = kept
	s.arm()
}

// executed takes the grant that answers an acquire for good.
func (s *Service) executed(f *sim.Fact, of *fate) {
	switch {
	case of.denied:
		s.fail(f, Final, grantText(f), "T or B was the answer to its owner for good")
	case of.lines == 0:
		s.fail(f, LineWhole, grantText(f), "no node read an acquire of its owner, or it was executed before")
	default:
		of.lines--
		of.given = true
	}
}

func grantText(f *sim.Fact) string {
	return fmt.Sprintf("node %d grants key %d to owner %d of client %d, token %d", f.Node, f.Key, f.Owner.N, f.Owner.Client, f.Token)
}

// denied takes T or B.
func (s *Service) denied(f *sim.Fact) {
	if f.Node != s.leader {
		s.fail(f, Final, denyText(f), fmt.Sprintf("node %d leads", s.leader))
		return
	}
	if f.Owner.Client == sim.NoClient {
		return
	}
	switch of := s.fate(f.Owner); {
	case of.given && of.lines == 0:
		s.fail(f, Final, denyText(f), "it was granted")
	case of.denied && of.lines == 0: // once more, and as final
	case of.lines == 0:
		s.fail(f, LineWhole, denyText(f), "no node read an acquire of it")
	default:
		of.lines--
		of.denied = true
	}
}

func denyText(f *sim.Fact) string {
	return fmt.Sprintf("node %d answers %v to owner %d of client %d", f.Node, f.Verb, f.Owner.N, f.Owner.Client)
}

// freed takes the end of a lease.
func (s *Service) freed(f *sim.Fact) {
	l := &s.locks[f.Key]
	switch {
	case !l.held || l.token != f.Token:
		s.fail(f, LeaseHolds, freeText(f), fmt.Sprintf("held: %v, token %d", l.held, l.token))
	case f.Flag && !l.asked:
		s.fail(f, LeaseHolds, freeText(f)+" by a release", "no node read an R for it")
	case !f.Flag && f.At < l.opens:
		s.fail(f, LeaseHolds, freeText(f)+": its lease is over", fmt.Sprintf("that is %s too early for a lease of %dms", spell(l.opens-f.At), l.lease))
	}
	*l = tenure{}
	s.arm()
}

func freeText(f *sim.Fact) string {
	return fmt.Sprintf("the lock of key %d, token %d is freed", f.Key, f.Token)
}

// missing takes N.
func (s *Service) missing(f *sim.Fact) {
	l := &s.locks[f.Key]
	switch {
	case f.Node != s.leader:
		s.fail(f, Final, missingText(f), fmt.Sprintf("node %d leads", s.leader))
	case l.held && l.token == f.Token:
		s.fail(f, Final, missingText(f), "that grant is held")
	}
}

func missingText(f *sim.Fact) string {
	return fmt.Sprintf("node %d answers N for key %d, token %d", f.Node, f.Key, f.Token)
}

// led begins a leader's time, or the time without one: it may restart every lease in full.
func (s *Service) led(now clock.Time) {
	for i := range s.locks {
		if l := &s.locks[i]; l.held {
			l.latest = max(l.latest, now+s.longest(l.lease))
		}
	}
	s.arm()
}

// arm finds the lease that must end first.
func (s *Service) arm() {
	s.due = clock.Never
	if s.leader < 0 || s.asleep[s.leader] {
		return
	}
	for i := range s.locks {
		if s.locks[i].held {
			s.due = min(s.due, s.locks[i].latest)
		}
	}
}

func (s *Service) overdue(f *sim.Fact) {
	for i := range s.locks {
		if l := &s.locks[i]; l.held && l.latest < f.At {
			s.fail(f, LeaseHolds, fmt.Sprintf("the lease of key %d, token %d goes on", i, l.token),
				fmt.Sprintf("it is of %dms, and was to end %s ago at the latest", l.lease, spell(f.At-l.latest)))
			return
		}
	}
}

func (s *Service) ended(f *sim.Fact) {
	for i := range s.locks {
		if l := &s.locks[i]; l.held {
			s.fail(f, LeaseHolds, fmt.Sprintf("the lease of key %d, token %d goes on", i, l.token), "nothing can happen any more")
			return
		}
	}
}

// shortest is how long a lease takes at least, on the fastest clock.
func (s *Service) shortest(lease uint32) clock.Time {
	return clock.Time(lease) * (million * million / (million + s.driftPPM))
}

// longest is how long a lease takes at most from the moment at which a leader starts to count it. A leader that restarts it
// on a slow clock, and allows for a fast one before it, is twice the drift late, and as much by its own clock.
func (s *Service) longest(lease uint32) clock.Time {
	slow := million * million / (million - s.driftPPM)
	return clock.Time(lease)*((slow+1)*(million+2*s.driftPPM)/million+1) + s.slack
}

func (s *Service) fate(owner sim.Owner) *fate {
	for i := len(s.fates) - 1; i >= 0; i-- {
		if s.fates[i].owner == owner {
			return &s.fates[i]
		}
	}
	s.fates = append(s.fates, fate{owner: owner})
	return &s.fates[len(s.fates)-1]
}

// rumour notes a token that was not committed yet.
func (s *Service) rumour(token uint64) {
	if slices.Contains(s.rumours, token) {
		return
	}
	if len(s.rumours) == rumoursMax {
		s.rumours = append(s.rumours[:0], s.rumours[1:]...)
	}
	s.rumours = append(s.rumours, token)
}
