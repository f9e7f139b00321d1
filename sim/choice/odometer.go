package choice

import "fmt"

// MaxDepth bounds the questions of one run under an Odometer. A run that asks more could never be visited
// completely; more likely it does not end.
const MaxDepth = 1 << 16

// Odometer visits every sequence of answers by running the same code again and again:
//
//	var o Odometer
//	for o.Next() {
//		run(&o)
//	}
//
// It begins with all answers 0 and counts up the last question first. The code may ask anything, as long as
// the same answers lead to the same next question. Odds are ignored.
type Odometer struct {
	picks   []Pick
	next    int
	started bool
}

// Next begins the next run, and reports false when all were visited.
func (o *Odometer) Next() bool {
	if !o.started {
		o.started = true
		return true
	}
	o.picks = o.picks[:o.next]
	o.next = 0
	for i := len(o.picks) - 1; i >= 0; i-- {
		if o.picks[i].Answer+1 < o.picks[i].N {
			o.picks[i].Answer++
			o.picks = o.picks[:i+1]
			return true
		}
	}
	o.picks, o.started = o.picks[:0], false
	return false
}

// Picks are the answers of this run so far. They are valid until Next.
func (o *Odometer) Picks() []Pick { return o.picks[:o.next] }

// Choose implements Source. It panics if the code asks something else than it did after the same answers.
func (o *Odometer) Choose(label Label, n int) int {
	if n <= 1 {
		checkCount(n)
		return 0
	}
	if o.next == len(o.picks) {
		if o.next == MaxDepth {
			panic("choice: a run asks more than MaxDepth questions")
		}
		o.picks = append(o.picks, Pick{label.Name, n, 0})
	}
	p := o.picks[o.next]
	if p.Name != label.Name || p.N != n {
		panic(fmt.Sprintf("choice: question %d was %s of %d, and is %s of %d after the same answers",
			o.next, p.Name, p.N, label.Name, n))
	}
	o.next++
	return p.Answer
}
