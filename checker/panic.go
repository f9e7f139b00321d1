package checker

import (
	"fmt"
	"strings"

	"ticketing/sim"
)

// PanicOf is what a panic of a step of a world violates: a client that panics, or that breaks a duty without which the
// world cannot go on. It returns nil for a panic of anything else, which is nobody's verdict. It is called while
// the panic is being recovered.
func PanicOf(what any) *sim.Failure {
	if m, ok := what.(sim.Misuse); ok {
		return &sim.Failure{Property: Duty, Facts: []string{string(m)}}
	}
	place := panicPlace()
	if !strings.Contains(place, "ticketing/client/") {
		return nil
	}
	return &sim.Failure{Property: Panic, Facts: []string{fmt.Sprint(what), "at " + place}}
}
