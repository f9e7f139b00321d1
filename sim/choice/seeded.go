package choice

import "math/bits"

// Seeded answers at random. It is a plain value: a copy goes on alike. Its zero value always answers 0; seed it
// by Reset.
//
// Each stream has a generator of its own, so that what one is told depends on the seed and on its own questions
// alone. A stream added later leaves the others as they were.
type Seeded struct{ streams [NumStreams]Generator }

// Reset begins the answers of a seed.
func (s *Seeded) Reset(seed uint64) {
	keys := splitMix(seed)
	for i := range s.streams {
		s.streams[i].Reset(keys.next())
	}
}

// Choose implements Source. It honours the label's odds; answers of equal odds are alike to within n parts
// in 2^49.
func (s *Seeded) Choose(label Label, n int) int {
	if n <= 1 {
		checkCount(n)
		return 0
	}
	r := s.streams[label.Stream].Uint64()
	if label.Odds == 0 {
		hi, _ := bits.Mul64(r, uint64(n))
		return int(hi)
	}
	if r&(OddsOne-1) >= uint64(label.Odds) {
		return 0
	}
	// The low bits were spent on the odds; the high ones are independent of them.
	hi, _ := bits.Mul64(r&^(OddsOne-1), uint64(n-1))
	return 1 + int(hi)
}

func checkCount(n int) {
	if n < 1 {
		panic("choice: a question without an answer")
	}
}
