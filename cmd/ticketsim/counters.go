package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"ticketing/checker"
	"ticketing/sim/choice"
)

// printCounters writes how often each thing really happened. Rows of one prefix stand together, in the order of the
// first of them. Pairs of faults are too many to read: printRare tells of those.
func printCounters(w io.Writer, rows []checker.Counter) {
	width := len("counter")
	var order []string
	for _, c := range rows {
		if paired(c) {
			continue
		}
		width = max(width, len(c.Name))
		if g := group(c.Name); !slices.Contains(order, g) {
			order = append(order, g)
		}
	}
	rows = slices.DeleteFunc(slices.Clone(rows), paired)
	slices.SortStableFunc(rows, func(a, b checker.Counter) int {
		return slices.Index(order, group(a.Name)) - slices.Index(order, group(b.Name))
	})
	fmt.Fprintf(w, "%-*s  %15s\n", width, "counter", "times")
	for _, c := range rows {
		fmt.Fprintf(w, "%-*s  %15s\n", width, c.Name, grouped(c.Count))
	}
}

// paired says whether a row counts the worlds in which two kinds of faults met.
func paired(c checker.Counter) bool { return group(c.Name) == "pair" }

// rareRows bounds how many rare rows are named.
const rareRows = 12

// printRare names what a sweep showed in less than one world in a thousand, the rarest first, and the scenario that is known
// to show it with the fewest seeds.
func printRare(w io.Writer, rows []checker.Counter, seeds uint64) {
	pairs, met := 0, 0
	var rare []checker.Counter
	for _, c := range rows {
		if paired(c) {
			pairs++
			if c.Count > 0 {
				met++
			}
		}
		if c.Count*1000 < seeds {
			rare = append(rare, c)
		}
	}
	if pairs > 0 {
		fmt.Fprintf(w, "pairs of faults in one world: %d of %d kinds met\n", met, pairs)
	}
	slices.SortStableFunc(rare, func(a, b checker.Counter) int { return cmp.Compare(a.Count, b.Count) })
	for _, c := range rare[:min(len(rare), rareRows)] {
		fmt.Fprintf(w, "rare: %s, %s times%s\n", c.Name, grouped(c.Count), whereShown(c.Name))
	}
	if more := len(rare) - rareRows; more > 0 {
		fmt.Fprintf(w, "rare: %d more; --json has all counters\n", more)
	}
}

// whereShown is the scenario that shows a row with the fewest seeds, as advice; empty where none is known to.
func whereShown(row string) string {
	best, name := uint64(0), ""
	for _, s := range checker.Scenarios() {
		if n := checker.Needs(s, row); n != 0 && (best == 0 || n < best) {
			best, name = n, s
		}
	}
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; --scenario %s shows it in %s seeds", name, grouped(best))
}

// group is what a row's name begins with: the rule, or the part of the world.
func group(name string) string {
	if i := strings.IndexAny(name, "/."); i >= 0 {
		return name[:i]
	}
	return name
}

// missing are the rows at zero that should not be. How many seeds a row needs was measured with the strategy random.
func (s *sweep) missing() []checker.Counter {
	if s.strategy.String() != choice.Random {
		return nil
	}
	return missing(s.tally.counters, s.tally.seeds)
}

// missing are the rows at zero that should not be after so many seeds.
func missing(rows []checker.Counter, seeds uint64) []checker.Counter {
	var all []checker.Counter
	for _, c := range rows {
		if c.Count == 0 && c.Needs != 0 && seeds >= c.Needs {
			all = append(all, c)
		}
	}
	return all
}
