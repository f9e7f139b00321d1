package blackbox

import (
	"fmt"
	"strconv"
)

// Result is what a judge says of a history.
type Result uint8

// The results.
const (
	Legal        Result = iota + 1
	Illegal             // a property is violated
	Inconclusive        // Porcupine's step budget was spent, and the greedy judge found nothing
	Disagree            // one judge says Legal, the other Illegal: the checker is wrong
	Invalid             // not a history (model.History.Validate); nothing was judged
)

var resultNames = [...]string{
	Legal: "legal", Illegal: "illegal", Inconclusive: "inconclusive", Disagree: "disagree", Invalid: "invalid",
}

// String returns the name of r, or its number where it has none.
func (r Result) String() string {
	if r >= Legal && int(r) < len(resultNames) {
		return resultNames[r]
	}
	return "result(" + strconv.Itoa(int(r)) + ")"
}

// The properties (package doc).
const (
	TokenUnique          = "token-unique"
	TokenOrder           = "token-order"
	Overlap              = "overlap"
	DoubleRelease        = "double-release"
	StaleRelease         = "stale-release"
	NotFoundWhileHeld    = "not-found-while-held"
	NotFoundThenReleased = "not-found-then-released"
	Linearizable         = "linearizable"
)

// Properties lists every property in the order of the package doc.
func Properties() []string {
	return []string{TokenUnique, TokenOrder, Overlap, DoubleRelease, StaleRelease,
		NotFoundWhileHeld, NotFoundThenReleased, Linearizable}
}

// Verdict is a result with its grounds.
type Verdict struct {
	Result   Result
	Property string   // violated, of an Illegal; empty otherwise
	Key      string   // where, of an Illegal or a Disagree
	At       int64    // when the contradicting operation returned, nanoseconds of the recorder's clock
	Facts    []string // the operations that contradict each other, or why there is no verdict; a line each

	Greedy    Result // of the judge alone; zero if it did not run
	Porcupine Result // of the judge alone; zero if it did not run

	Ops         int   // operations in the history
	Judged      int   // operations left once those that say nothing were taken out
	Grants      int   // of them
	ShortGrants int   // grants whose window from call to return is shorter than their lease
	Segments    int   // pieces that Porcupine judged
	Steps       int64 // of Porcupine's search
}

// String is one line: the result and, where there is one, the property, its key and its instant.
func (v *Verdict) String() string {
	switch v.Result {
	case Illegal:
		return fmt.Sprintf("illegal: %s on key %q at %d ns", v.Property, v.Key, v.At)
	case Disagree:
		return fmt.Sprintf("disagree on key %q: greedy says %v, porcupine says %v", v.Key, v.Greedy, v.Porcupine)
	}
	return v.Result.String()
}
