// Package clock is the virtual time of a simulated world: instants, the queue of what can happen next, and
// the clocks of single processes, which drift and jump.
package clock

// Time is an instant of world time, in nanoseconds since the world began.
type Time int64

// Never is later than every instant at which anything happens.
const Never Time = 1<<63 - 1

// Duration units.
const (
	Microsecond Time = 1000
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)
