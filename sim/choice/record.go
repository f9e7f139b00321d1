package choice

import "fmt"

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

// Choose implements Source.
func (r *Recorder) Choose(label Label, n int) int {
	answer := r.Source.Choose(label, n)
	if n > 1 {
		r.Picks = append(r.Picks, Pick{label.Name, n, answer})
	}
	return answer
}

// Replay answers from recorded picks. At the first question that differs from the record it remembers a
// Divergence, and answers 0 from there on: what runs is then no longer what was recorded.
type Replay struct {
	// Loose makes the end of the picks no divergence: from there on all is calm. Shrinking cuts records short.
	Loose bool

	picks    []Pick
	next     int
	diverged *Divergence
}

// Reset begins a replay of picks, which it does not copy.
func (r *Replay) Reset(picks []Pick) { r.picks, r.next, r.diverged = picks, 0, nil }

// Choose implements Source.
func (r *Replay) Choose(label Label, n int) int {
	if n <= 1 {
		checkCount(n)
		return 0
	}
	if r.diverged != nil || r.Loose && r.next == len(r.picks) {
		return 0
	}
	if r.next == len(r.picks) {
		r.diverged = &Divergence{Index: r.next, Got: Pick{label.Name, n, 0}}
		return 0
	}
	want := r.picks[r.next]
	if want.Name != label.Name || want.N != n {
		r.diverged = &Divergence{Index: r.next, Want: want, Got: Pick{label.Name, n, 0}}
		return 0
	}
	r.next++
	return want.Answer
}

// Divergence is where the replay left the record, or nil.
func (r *Replay) Divergence() *Divergence { return r.diverged }

// Used is how many picks were answered.
func (r *Replay) Used() int { return r.next }

// Left is how many picks were never asked for. A run that ends with some left diverged too, without a question.
func (r *Replay) Left() int { return len(r.picks) - r.next }

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
