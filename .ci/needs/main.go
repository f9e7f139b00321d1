// Command needs measures which rows of the table of counters the worlds of each scenario can be relied on to show, and
// writes what it found to checker/needs.txt:
//
//	go run ./.ci/needs
//
// A row needs ten times as many seeds as the shortest ranges of which ten in a row, none overlapping, all show it.
package main

import (
	"bytes"
	"fmt"
	"os"

	"ticketing/checker"
)

const (
	ranges = 10
	table  = "checker/needs.txt"
)

// sizes are those of the ranges that are tried, in seeds, the shortest first. All but the default scenario leave out the
// last: it takes as long as the others together.
var sizes = []uint64{100, 1000, 10_000}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "needs:", err)
		os.Exit(1)
	}
}

func run() error {
	var b bytes.Buffer
	b.WriteString("# Written by .ci/needs, as measured: none of these rows was at zero in any of ten disjoint ranges of a tenth of its seeds.\n")
	for i, scenario := range checker.Scenarios() {
		tried := sizes
		if i > 0 {
			tried = sizes[:len(sizes)-1]
		}
		declared := map[string]bool{}
		fmt.Fprintf(&b, "\n%s\n", scenario)
		for _, size := range tried {
			rows, err := shown(scenario, size)
			if err != nil {
				return err
			}
			write(&b, ranges*size, rows, declared)
		}
		fmt.Fprintf(os.Stderr, "%s: %d rows\n", scenario, len(declared))
	}
	return os.WriteFile(table, b.Bytes(), 0o644)
}

// shown are the rows that every range of that size shows, in the order of the table.
func shown(scenario string, size uint64) ([]string, error) {
	var rows []string
	missed := map[string]bool{}
	for k := range uint64(ranges) {
		r := checker.NewRunner()
		for seed := k * size; seed < (k+1)*size; seed++ {
			if _, err := r.Run(seed, checker.Config{Scenario: scenario}); err != nil {
				return nil, err
			}
		}
		rows = rows[:0]
		for _, c := range r.Counters() {
			missed[c.Name] = missed[c.Name] || c.Count == 0
			if !missed[c.Name] {
				rows = append(rows, c.Name)
			}
		}
	}
	return rows, nil
}

// lineMax is how long a line of names gets.
const lineMax = 110

// write writes the rows that are not declared yet.
func write(b *bytes.Buffer, seeds uint64, rows []string, declared map[string]bool) {
	line := ""
	flush := func() {
		if line != "" {
			fmt.Fprintf(b, "%d%s\n", seeds, line)
		}
		line = ""
	}
	for _, name := range rows {
		if declared[name] {
			continue
		}
		declared[name] = true
		if len(line)+len(name) >= lineMax {
			flush()
		}
		line += " " + name
	}
	flush()
}
