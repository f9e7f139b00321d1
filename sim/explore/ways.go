package explore

import (
	"fmt"

	"ticketing/sim"
	"ticketing/sim/choice"
)

// questionsMax bounds the questions of one event.
const questionsMax = 1 << 12

// ways takes every sequence of answers to the questions of one event in turn, the last question's first. It is a
// choice.Odometer that can leave out the rest of what begins with one answer, and can be saved half-way.
type ways struct {
	picks []choice.Pick // those up to asked are of this run
	asked int
	begun bool
	parts sim.Parts // that the questions of this run concern
}

// next begins the next run, and reports false when all were taken.
func (y *ways) next() bool {
	y.parts = 0
	if !y.begun {
		y.begun = true
		return true
	}
	y.picks, y.asked = y.picks[:y.asked], 0
	for i := len(y.picks) - 1; i >= 0; i-- {
		if y.picks[i].Answer+1 < y.picks[i].N {
			y.picks[i].Answer++
			y.picks = y.picks[:i+1]
			return true
		}
	}
	*y = ways{picks: y.picks[:0]}
	return false
}

// reset makes y one of which nothing was taken.
func (y *ways) reset() { *y = ways{picks: y.picks[:0]} }

// first is what the run that begins answers to its first question.
func (y *ways) first() int {
	if len(y.picks) == 0 {
		return 0
	}
	return y.picks[0].Answer
}

// skip leaves out the run that begins and all others with its first answer. n is how many answers that question has, and
// name is its name; with one alone it is not asked.
func (y *ways) skip(name string, n int) {
	y.asked = min(1, n-1)
	if len(y.picks) < y.asked {
		y.picks = append(y.picks, choice.Pick{Name: name, N: n})
	}
}

// taken are the answers of this run so far, valid until next.
func (y *ways) taken() []choice.Pick { return y.picks[:y.asked] }

// Choose implements choice.Source. It panics if the world asks something else than it did after the same answers.
func (y *ways) Choose(label choice.Label, n int) int {
	if n < 1 {
		panic("explore: a question without an answer: " + label.Name)
	}
	if n == 1 {
		return 0
	}
	y.parts |= sim.Asks(label.Stream)
	if y.asked == len(y.picks) {
		if y.asked == questionsMax {
			panic("explore: an event asks more than questionsMax questions")
		}
		y.picks = append(y.picks, choice.Pick{Name: label.Name, N: n})
	}
	p := &y.picks[y.asked]
	if p.Name != label.Name || p.N != n {
		panic(fmt.Sprintf("explore: question %d was %s of %d, and is %s of %d after the same answers", y.asked, p.Name, p.N, label.Name, n))
	}
	y.asked++
	return p.Answer
}

// root answers the questions that a world asks while it is reset. Clocks are left alone: without drift, and no scope has
// any, a world is the same whatever its clients' clocks show.
type root struct {
	ways   ways
	record choice.Recorder
}

func (r *root) begin() { r.record.Reset(rootAnswers{&r.ways}) }

// Choose implements choice.Source.
func (r *root) Choose(label choice.Label, n int) int { return r.record.Choose(label, n) }

type rootAnswers struct{ ways *ways }

func (a rootAnswers) Choose(label choice.Label, n int) int {
	if label.Stream == choice.Clocks {
		return 0
	}
	return a.ways.Choose(label, n)
}
