package checker

import (
	_ "embed" // for needs.txt
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Needs is the number of seeds of a scenario after which a zero in that row of the table of counters says that the world no
// longer tries what it is there to try; 0: a zero never does.
func Needs(scenario, row string) uint64 { return needs()[need{scenario, row}] }

type need struct{ scenario, row string }

// needsText is what .ci/needs measured. A line is a scenario's name alone, or a number of seeds and the rows of that
// scenario that need so many.
//
//go:embed needs.txt
var needsText string

var needs = sync.OnceValue(func() map[need]uint64 { return parseNeeds(needsText) })

// parseNeeds panics on text that is not as it should be.
func parseNeeds(text string) map[need]uint64 {
	all := map[need]uint64{}
	scenario := ""
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0] == "#":
			continue
		case len(fields) == 1:
			scenario = fields[0]
			continue
		}
		seeds, err := strconv.ParseUint(fields[0], 10, 64)
		if err != nil || scenario == "" {
			panic(fmt.Sprintf("checker: needs.txt: %q", line))
		}
		for _, row := range fields[1:] {
			all[need{scenario, row}] = seeds
		}
	}
	return all
}
