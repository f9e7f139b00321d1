package checker

import "strings"

// need declares rows of the table of counters that are not zero once a scenario ran so many seeds: a zero says that the
// world no longer tries what it is there to try.
type need struct {
	scenario string
	seeds    uint64
	rows     string // their names, separated by space
}

// Needs is the number of seeds of a scenario after which a zero in that row is a defect; 0: it never is.
func Needs(scenario, row string) uint64 {
	for i := range needs {
		n := &needs[i]
		if n.scenario != scenario {
			continue
		}
		for name := range strings.FieldsSeq(n.rows) {
			if name == row {
				return n.seeds
			}
		}
	}
	return 0
}
