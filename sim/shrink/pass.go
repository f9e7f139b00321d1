package shrink

import "ticketing/sim/choice"

// alternatives bounds the other answers tried for one pick.
const alternatives = 16

// round tries every change once, the ones that save most first, and where none helps some that are several at once.
func (s *shrinker) round() {
	before := s.best
	s.regrow(sown)
	s.cut()
	s.calmScenario()
	s.spans(remove)
	s.spans(calm)
	s.each(s.lower)
	s.each(s.swerve)
	if s.best == before {
		s.shake()
	}
	if s.best == before {
		s.regrow(regrows * min(s.best.events, regrowMax))
	}
}

// cut drops the end of the record: half of it, a quarter, and so on. What follows is calm.
func (s *shrinker) cut() {
	for size := len(s.picks) / 2; size > 0 && !s.spent; {
		if at := len(s.picks) - size; at < s.head() || !s.attempt(s.picks[:at]) {
			size /= 2
		}
		size = min(size, len(s.picks))
	}
}

// calmScenario makes the whole scenario calm, then each of its picks as calm as may be: fewer clients, keys and faults.
func (s *shrinker) calmScenario() {
	head := s.head()
	calm(s.edit(), 0, head)
	s.attempt(s.candidate)
	for i := 0; i < head && !s.spent; i++ {
		s.answer(i, 0, s.picks[i].Answer)
	}
}

// answer tries the answers from..to-1 for pick i until one is good.
func (s *shrinker) answer(i, from, to int) {
	for a := from; a < min(to, from+alternatives); a++ {
		s.edit()[i].Answer = a
		if s.attempt(s.candidate) {
			return
		}
	}
}

// edit copies the best record into the candidate, to be changed there.
func (s *shrinker) edit() []choice.Pick {
	s.candidate = append(s.candidate[:0], s.picks...)
	return s.candidate
}

// spans changes runs of picks of a length, each length half of the one before, down to single picks. It goes from the end
// to the beginning: what is late depends on what is early, so that late changes disturb less.
func (s *shrinker) spans(change func(picks []choice.Pick, from, to int) []choice.Pick) {
	for size := max(1, (len(s.picks)-s.head())/2); size > 0; size /= 2 {
		for to := len(s.picks); to > s.head() && !s.spent; to = min(to-size, len(s.picks)) {
			s.candidate = change(s.edit(), max(s.head(), to-size), to)
			s.attempt(s.candidate)
		}
	}
}

// remove deletes picks.
func remove(picks []choice.Pick, from, to int) []choice.Pick {
	return append(picks[:from], picks[to:]...)
}

// calm answers 0.
func calm(picks []choice.Pick, from, to int) []choice.Pick {
	for i := from; i < to; i++ {
		picks[i].Answer = 0
	}
	return picks
}

// each applies a change to every pick that is not the scenario's, from the end to the beginning.
func (s *shrinker) each(change func(i int)) {
	for i := len(s.picks) - 1; i >= s.head() && !s.spent; i = min(i, len(s.picks)) - 1 {
		change(i)
	}
}

// lower tries smaller answers for pick i: the calmest first, then halfway, then one less.
func (s *shrinker) lower(i int) {
	for a := s.picks[i].Answer; a > 0 && i < len(s.picks) && a == s.picks[i].Answer; {
		for _, smaller := range [...]int{0, a / 2, a - 1} {
			s.edit()[i].Answer = smaller
			if s.attempt(s.candidate) {
				break
			}
		}
		if i >= len(s.picks) || s.picks[i].Answer >= a {
			return
		}
		a = s.picks[i].Answer
	}
}

// swerve gives pick i every other answer, alone and with the picks after it gone: another turn here may be a shorter way.
// A turn is worth it only if events are saved, which the measure sees to.
func (s *shrinker) swerve(i int) {
	for a := 0; i < len(s.picks) && a < min(s.picks[i].N, alternatives); a++ {
		for gone := 0; gone <= 4 && i+1+gone <= len(s.picks) && !s.spent; gone++ {
			picks := s.edit()
			if picks[i].Answer == a && gone == 0 {
				continue
			}
			picks[i].Answer = a
			s.candidate = remove(picks, i+1, i+1+gone)
			if s.attempt(s.candidate) && i >= len(s.picks) {
				return
			}
		}
	}
}

// shakes is how many times a round shakes a record that nothing else reduces.
const shakes = 4000

// shake changes up to four picks anywhere at once, by answering them anew or deleting them: what is smallest for every
// single change is often not so for two. It is random from a fixed seed, so that the same record shrinks alike.
func (s *shrinker) shake() {
	var random choice.Seeded
	random.Reset(uint64(len(s.picks)))
	draw := func(n int) int { return random.Choose(labelShake, n) }
	for tries := 0; tries < shakes && !s.spent; tries++ {
		picks := s.edit()
		for range 1 + draw(4) {
			if len(picks) == 0 {
				break
			}
			i := draw(len(picks))
			if draw(2) == 0 {
				picks[i].Answer = draw(picks[i].N)
			} else {
				picks = remove(picks, i, i+1)
			}
		}
		if s.attempt(picks) {
			tries = -1 // from here everything may be smaller again
		}
	}
}

// How many times a record is grown anew: at the beginning of a round, so that less is left to change step by step; and where
// nothing else reduces it, so many times for each of its events, up to a bound, for what is long is worth the time.
const (
	sown      = 2000
	regrows   = 1000
	regrowMax = 64 // events
)

// regrow answers at random what it does not keep: the beginning of the record; or only what the world is made of, made
// calmer in places; or nothing, which is another world. A run that went another way may show the same sooner, and no few
// changes lead from the one to the other, least of all where a client less would do. It is random from a fixed seed, like
// shake.
func (s *shrinker) regrow(times int64) {
	var random choice.Seeded
	random.Reset(s.grown)
	draw := func(n int) int { return random.Choose(labelShake, n) }
	for ; times > 0 && !s.spent; times-- {
		s.grown++ // no seed twice
		head := s.edit()[:s.head()]
		known := head
		switch draw(4) {
		case 0:
			s.fresh.Reset(s.grown)
			s.run(&s.fresh)
			continue
		case 1:
			known = s.candidate[:len(head)+draw(len(s.picks)-len(head)+1)]
		default:
			for range 1 + draw(3) {
				if len(head) > 0 {
					p := &head[draw(len(head))]
					p.Answer = draw(p.Answer + 1)
				}
			}
		}
		s.branch.Reset(known, s.grown)
		s.run(&s.branch)
	}
}

var labelShake = choice.Label{Stream: choice.Schedule, Name: "shrink.shake"}
