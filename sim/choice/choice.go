// Package choice is the one source of every decision that a simulated world leaves open.
//
// A world asks Choose and obeys. What answers decides what the run is: a seeded generator makes it a
// random test, a recorded list makes it a replay, a list that shrinks makes it a shorter story, and a
// counter over all answers makes it a proof.
package choice

// Stream separates the subsystems that choose, so that one which asks more often does not shift what
// another is told under the same seed.
type Stream uint8

// The streams.
const (
	Scenario Stream = iota // what the world is made of, drawn once before it starts
	Schedule               // which enabled event is taken next, and when
	Network                // delays, splits, short writes, resets
	Service                // leader changes, commits, crashes
	Callers                // what callers ask, how long they hold, when they cancel
	Clocks                 // rate and jumps of each process's clock
	NumStreams
)

// Label names a question. Labels are package variables; a question asked with other odds is the same label
// with another Odds.
type Label struct {
	Stream Stream
	Name   string // "net.split": subsystem, dot, what is asked; unique in the program
	// Odds is how often a random source answers other than 0, out of OddsOne; the rest of the answers share
	// them evenly. Zero: all answers alike. Sources that visit every answer ignore it.
	Odds uint16
}

// OddsOne is the Odds that stand for certainty.
const OddsOne = 1 << 15

// WithOdds returns the label with other odds.
func (l Label) WithOdds(odds uint16) Label {
	l.Odds = odds
	return l
}

// Source answers questions.
//
// Choose returns a number in 0..n-1. 0 is the calmest answer: the fault that does not happen, the shortest
// delay, the event that was due first. n of 1 is no choice: it is answered 0, recorded nowhere and consumes
// nothing. n below 1 panics.
type Source interface {
	Choose(label Label, n int) int
}
