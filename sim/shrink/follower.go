package shrink

import (
	"strings"

	"ticketing/sim/choice"
)

// ahead is how far a follower looks for the answer to a question: about the picks of a few events. Farther on, the same
// question is more likely to be that of another occasion.
const ahead = 24

// follower answers from picks that a change has put out of step with the questions. The scenario is answered by name. Any
// other question takes the next pick of its name, and so skips the picks of an event that no longer happens; without
// one near by it is new, and is answered 0. An answer out of range becomes the last one in range.
type follower struct {
	picks []choice.Pick
	head  int
	next  int
}

// reset begins at the first of picks, which it does not copy.
func (f *follower) reset(picks []choice.Pick) {
	f.picks, f.head = picks, 0
	for f.head < len(picks) && strings.HasPrefix(picks[f.head].Name, choice.ScenarioPrefix) {
		f.head++
	}
	f.next = f.head
}

// Choose implements choice.Source.
func (f *follower) Choose(label choice.Label, n int) int {
	if n <= 1 {
		if n < 1 {
			panic("shrink: a question without an answer")
		}
		return 0
	}
	if label.Stream == choice.Scenario {
		return find(f.picks[:f.head], label.Name, n, nil)
	}
	return find(f.picks[f.next:min(len(f.picks), f.next+ahead)], label.Name, n, &f.next)
}

// find answers from the first pick of that name, and adds to skip how many picks that spends.
func find(picks []choice.Pick, name string, n int, skip *int) int {
	for i := range picks {
		if picks[i].Name != name {
			continue
		}
		if skip != nil {
			*skip += i + 1
		}
		return min(picks[i].Answer, n-1)
	}
	return 0
}
