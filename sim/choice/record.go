package choice

import (
	"fmt"
	"strings"
)

// Pick is one question and its answer.
type Pick struct {
	Name   string // of the label
	N      int    // how many answers there were, 2 or more
	Answer int    // 0..N-1
}

func (p Pick) String() string { return fmt.Sprintf("%s %d/%d", p.Name, p.Answer, p.N) }

// Recorder asks another source and keeps the picks.
type Recorder struct {
	Source Source
	Picks  []Pick
}

// Reset begins a record of the answers of source, reusing the memory of the last.
func (r *Recorder) Reset(source Source) { r.Source, r.Picks = source, r.Picks[:0] }

// Rank implements Ranker, whether or not the source does.
func (r *Recorder) Rank(label Label, things []int) int {
	ranker, ok := r.Source.(Ranker)
	if !ok {
		return r.Choose(label, len(things))
	}
	answer := ranker.Rank(label, things)
	r.Picks = append(r.Picks, Pick{label.Name, len(things), answer})
	return answer
}

// Choose implements Source.
func (r *Recorder) Choose(label Label, n int) int {
	answer := r.Source.Choose(label, n)
	if n > 1 {
		r.Picks = append(r.Picks, Pick{label.Name, n, answer})
	}
	return answer
}

// Replay answers from recorded picks. At the first question that differs from the record it remembers a
// Divergence: what runs is then no longer what was recorded. From there on it follows the record as far as that still
// means something: a question takes the next pick of its name, and so skips the picks of an event that no longer
// happens; without one near by it is new, and is answered 0. An answer out of range becomes the last one in range.
//
// The questions of the stream Scenario come first, each at most once, and are answered by name: one that the record
// does not know is answered 0, the calmest. So a record outlives scenarios that learn to ask more.
type Replay struct {
	picks    []Pick
	head     int // the picks of the scenario come first
	asked    int // how many of those that are not 0 were asked for
	next     int
	diverged *Divergence
	first    Divergence // where diverged points to
}

// ScenarioPrefix opens the name of every label of the stream Scenario, and of no other.
const ScenarioPrefix = "scenario."

// near is how far a Replay that has diverged looks for the answer to a question: about the picks of a few events. Farther
// on, the same question is more likely to be that of another occasion.
const near = 24

// Reset begins a replay of picks, which it does not copy.
func (r *Replay) Reset(picks []Pick) {
	r.picks, r.head, r.asked, r.diverged = picks, 0, 0, nil
	for r.head < len(picks) && strings.HasPrefix(picks[r.head].Name, ScenarioPrefix) {
		r.head++
	}
	r.next = r.head
}

// Choose implements Source.
func (r *Replay) Choose(label Label, n int) int {
	if n <= 1 {
		checkCount(n)
		return 0
	}
	if label.Stream == Scenario {
		return r.scenario(label, n)
	}
	if r.next == len(r.picks) {
		r.diverge(r.next, Pick{}, label, n)
		return 0
	}
	p := r.picks[r.next]
	if p.N == n && p.Name == label.Name {
		r.next++
		return p.Answer
	}
	r.diverge(r.next, p, label, n)
	return r.follow(label.Name, n)
}

// scenario answers by name.
func (r *Replay) scenario(label Label, n int) int {
	for i, p := range r.picks[:r.head] {
		if p.Name != label.Name {
			continue
		}
		if p.N != n {
			r.diverge(i, p, label, n)
		}
		if p.Answer != 0 {
			r.asked++
		}
		return min(p.Answer, n-1)
	}
	return 0
}

// follow answers by the next pick of that name.
func (r *Replay) follow(name string, n int) int {
	for i, p := range r.picks[r.next:min(len(r.picks), r.next+near)] {
		if p.Name == name {
			r.next += i + 1
			return min(p.Answer, n-1)
		}
	}
	return 0
}

func (r *Replay) diverge(index int, want Pick, label Label, n int) {
	if r.diverged == nil {
		r.first = Divergence{Index: index, Want: want, Got: Pick{label.Name, n, 0}}
		r.diverged = &r.first
	}
}

// Divergence is where the replay left the record, or nil. It is valid until Reset.
func (r *Replay) Divergence() *Divergence { return r.diverged }

// Left is how many picks were never asked for; of the scenario's, those that are not 0 count. A run that ends with some
// left diverged too, without a question.
func (r *Replay) Left() int {
	left := len(r.picks) - r.next - r.asked
	for _, p := range r.picks[:r.head] {
		if p.Answer != 0 {
			left++
		}
	}
	return left
}

// Divergence says where a run stopped asking what was recorded. It is an error.
type Divergence struct {
	Index int  // of the pick, from 0
	Want  Pick // what was recorded; N is 0 if the record had ended
	Got   Pick // what was asked; Answer means nothing
}

func (d *Divergence) Error() string {
	if d.Want.N == 0 {
		return fmt.Sprintf("choice: pick %d: the run asks %s of %d, and the record ends", d.Index, d.Got.Name, d.Got.N)
	}
	return fmt.Sprintf("choice: pick %d: the run asks %s of %d, and the record has %s of %d",
		d.Index, d.Got.Name, d.Got.N, d.Want.Name, d.Want.N)
}
