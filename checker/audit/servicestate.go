package audit

import (
	"encoding/binary"

	"ticketing/sim"
	"ticketing/sim/clock"
)

// CopyFrom implements sim.Audit.
func (s *Service) CopyFrom(src sim.Audit) {
	from := src.(*Service)
	locks, fates, rumours := s.locks, s.fates, s.rumours
	*s = *from
	s.locks = append(locks[:0], from.locks...)
	s.fates = append(fates[:0], from.fates...)
	s.rumours = append(rumours[:0], from.rumours...)
}

// AppendState implements sim.Audit.
func (s *Service) AppendState(now clock.Time, dst []byte) []byte {
	if s.failure != nil {
		return append(dst, 1)
	}
	dst = append(dst, 0, byte(s.leader))
	for _, asleep := range s.asleep {
		dst = append(dst, flags(asleep))
	}
	dst = binary.AppendUvarint(dst, s.top)
	for i := range s.locks {
		l := &s.locks[i]
		dst = append(dst, flags(l.held, l.asked))
		if l.held {
			dst = binary.AppendUvarint(binary.AppendUvarint(dst, l.token), uint64(l.lease))
			dst = appendAhead(appendAhead(dst, l.opens, now), l.latest, now)
		}
	}
	dst = binary.AppendUvarint(dst, uint64(len(s.fates)))
	for i := range s.fates {
		o := &s.fates[i]
		dst = binary.AppendUvarint(append(dst, byte(o.owner.Client), o.lines, flags(o.denied, o.given)), o.owner.N)
	}
	dst = append(dst, byte(len(s.rumours)))
	for _, token := range s.rumours {
		dst = binary.AppendUvarint(dst, token)
	}
	return dst
}

// flags packs up to eight of them into a byte.
func flags(set ...bool) byte {
	b := byte(0)
	for i, on := range set {
		if on {
			b |= 1 << i
		}
	}
	return b
}

// appendAhead encodes an instant by how far ahead it lies; those that are past are alike.
func appendAhead(dst []byte, at, now clock.Time) []byte {
	return binary.AppendUvarint(dst, uint64(max(0, at-now)))
}
