package explore

// shortenSteps bounds one search for a shorter path, in events: half a minute.
const shortenSteps = 20_000_000

// shorten looks for the shortest path to a violation, given one: it searches all paths of one event, of two, and so on. A
// search of a bounded depth meets far fewer states than one without, so that all of them together cost little more
// than the last.
func (s *Search) shorten() {
	s.stepsMax = shortenSteps
	best := s.report.Violation
	known := s.report
	for s.bound = 0; s.bound < best.Events; s.bound++ {
		s.reset()
		s.run()
		if v := s.report.Violation; v != nil {
			best = v
			break
		}
		if l := s.report.Limit; l == LimitStates || l == LimitStop {
			known.Violation = best
			s.report = known
			return
		}
	}
	best.Shortest = true
	known.Violation = best
	s.report = known
}
