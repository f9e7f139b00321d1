package audit

import (
	"fmt"

	"ticketing/sim"
)

// finding is the first contradiction that an audit found.
type finding struct {
	failure *sim.Failure
}

// Failure implements sim.Audit.
func (v *finding) Failure() *sim.Failure { return v.failure }

// fail keeps the first contradiction: the property, and the facts that do not go together.
func (v *finding) fail(f *sim.Fact, property string, facts ...string) {
	if v.failure == nil {
		v.failure = &sim.Failure{Property: property, At: f.At, Event: f.Event, Facts: facts}
	}
}

// spell says a span or an instant in milliseconds, to the microsecond.
func spell[T ~int64](t T) string {
	sign := ""
	if t < 0 {
		sign, t = "-", -t
	}
	return fmt.Sprintf("%s%d.%03dms", sign, t/1e6, t%1e6/1e3)
}
