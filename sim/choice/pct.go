package choice

import "math/bits"

// Ranker is a Source that, of a question whose answers are things, wants to know which things.
type Ranker interface {
	Source
	// Rank answers like Choose(label, len(things)): things[i] is what answer i stands for, the same number for the same
	// thing whenever it is asked about. things is only valid during the call, and has two or more.
	Rank(label Label, things []int) int
}

// Bounds of a PCT.
const (
	pctChanges = 3   // at most, in one run
	pctSteps   = 512 // change points lie within so many questions at most; most worlds ask fewer
)

// PCT answers questions about things by priority, as the scheduler of Burckhardt et al. does (A Randomized Scheduler with
// Probabilistic Guarantees of Finding Bugs, 2010): each thing has a random priority, the highest goes, and at a few random
// moments whoever would go falls behind all others. So one is starved for as long as may be, another always goes first; with
// d-1 such changes every order of d events has a fair chance. All other questions are answered as Seeded does.
//
// It is a plain value: a copy goes on alike. Its zero value knows no priorities; begin by Reset.
type PCT struct {
	rest    Seeded
	key     uint64 // of the priorities
	steps   int    // questions about things so far
	changes [pctChanges]int
	fallen  [pctChanges]int // things, in the order in which they fell, the last the lowest
	falls   int
}

// Reset begins the answers of a seed. How many changes there are, and when, is part of it.
func (p *PCT) Reset(seed uint64) {
	mix := splitMix(^seed)
	*p = PCT{key: mix.next()}
	p.rest.Reset(seed)
	r := mix.next()
	within := uint64(pctSteps) >> (2 * (r & 3)) // early ones too: many a run is short
	count := int(r >> 2 % (pctChanges + 1))
	for i := range count {
		hi, _ := bits.Mul64(mix.next(), within)
		p.changes[i] = 1 + int(hi)
	}
}

// Choose implements Source.
func (p *PCT) Choose(label Label, n int) int { return p.rest.Choose(label, n) }

// Rank implements Ranker.
func (p *PCT) Rank(_ Label, things []int) int {
	p.steps++
	best := p.highest(things)
	for _, at := range p.changes {
		if at == p.steps {
			p.fallen[p.falls] = things[best]
			p.falls++
			best = p.highest(things)
		}
	}
	return best
}

// highest is the index of the thing of the highest priority.
func (p *PCT) highest(things []int) int {
	best, highest := 0, uint64(0)
	for i, thing := range things {
		if v := p.priority(thing); v > highest {
			best, highest = i, v
		}
	}
	return best
}

// priority is above pctChanges for a thing that has not fallen. Two are alike once in 2^64.
func (p *PCT) priority(thing int) uint64 {
	for i := p.falls - 1; i >= 0; i-- {
		if p.fallen[i] == thing {
			return uint64(pctChanges - i)
		}
	}
	mix := splitMix(p.key + uint64(thing))
	return mix.next() | 1<<63
}
