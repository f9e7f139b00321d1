package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"ticketing/checker"
)

// printCounters writes how often each thing really happened. Rows of one prefix stand together, in the order of the
// first of them.
func printCounters(w io.Writer, rows []checker.Counter) {
	width := len("counter")
	var order []string
	for _, c := range rows {
		width = max(width, len(c.Name))
		if g := group(c.Name); !slices.Contains(order, g) {
			order = append(order, g)
		}
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b checker.Counter) int {
		return slices.Index(order, group(a.Name)) - slices.Index(order, group(b.Name))
	})
	fmt.Fprintf(w, "%-*s  %15s\n", width, "counter", "times")
	for _, c := range rows {
		fmt.Fprintf(w, "%-*s  %15s\n", width, c.Name, grouped(c.Count))
	}
}

// group is what a row's name begins with: the rule, or the part of the world.
func group(name string) string {
	if i := strings.IndexAny(name, "/."); i >= 0 {
		return name[:i]
	}
	return name
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
