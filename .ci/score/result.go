package main

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"ticketing/checker"
)

// result is what became of the mutants.
type result struct {
	all       int
	by        map[string]int // what noticed how many
	survivors []*mutant

	known map[string]string // what noticed a mutant in an earlier run
	log   *os.File          // nil: none
}

// open reads the log of an earlier run, and goes on with it.
func (r *result) open(path string) error {
	if path == "" {
		return nil
	}
	var err error
	if r.log, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return err
	}
	r.known = map[string]string{}
	in := bufio.NewScanner(r.log)
	for in.Scan() {
		if name, by, ok := strings.Cut(in.Text(), "\t"); ok {
			r.known[name] = by
		}
	}
	return in.Err()
}

// keep takes down what became of a mutant.
func (r *result) keep(m *mutant, by string) error {
	if r.log == nil {
		return nil
	}
	_, err := fmt.Fprintf(r.log, "%s\t%s\n", m.name(), by)
	return err
}

// clean demands that the build with every mutant off passes.
func (r *result) clean(h *hunter) error {
	off := *h
	off.budget = min(h.budget, 2e9)
	by, scenario, err := off.find(0)
	if err == nil && by != survived {
		err = fmt.Errorf("without a mutant %s fails: %s", scenario, by)
	}
	return err
}

// try looks for every mutant.
func (r *result) try(h *hunter, all []*mutant) error {
	for i, m := range all {
		by, known := r.known[m.name()]
		if !known {
			var scenario string
			var err error
			if by, scenario, err = r.find(h, m); err != nil {
				return err
			}
			fmt.Printf("%d/%d %s: %s %s\n", i+1, len(all), placed(m), by, scenario)
			if err := r.keep(m, by); err != nil {
				return err
			}
		}
		r.all++
		if by == survived {
			r.survivors = append(r.survivors, m)
		} else {
			r.by[by]++
		}
	}
	return nil
}

// firstShare is the part of the budget that is spent on sweeps without --shadow: most mutants are noticed in it.
const firstShare = 8

// find returns what noticed a mutant, or survived. An ordinary sweep runs one seed in 64 beside the reference core: here all of
// them do once the first have shown nothing, for they take twice as long each, and not 64 times.
func (r *result) find(h *hunter, m *mutant) (by, scenario string, err error) {
	brief := *h
	brief.budget /= firstShare
	if by, scenario, err = brief.find(m.id); err != nil || by != survived {
		return by, scenario, err
	}
	return h.find(m.id, "--shadow")
}

// merged are the survivors, and those of the list that were not tried, in the order of the sources.
func (r *result) merged(every, tried []*mutant, why map[string]string) []*mutant {
	return slices.DeleteFunc(slices.Clone(every), func(m *mutant) bool {
		if slices.Contains(tried, m) {
			return !slices.Contains(r.survivors, m)
		}
		return why[m.name()] == ""
	})
}

// share is a share in per cent, with one digit.
func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d.%d %%", n*100/of, n*1000/of%10)
}

// classes counts the survivors by how they are argued.
func (r *result) classes(why map[string]string) map[string]int {
	n := map[string]int{}
	for _, m := range r.survivors {
		n[class(why[m.name()])]++
	}
	return n
}

// verdict is nil if every survivor is argued, and the score is what is wanted.
func (r *result) verdict(why map[string]string) error {
	n := r.classes(why)
	switch killed, counted := r.all-len(r.survivors), r.all-n[equivalent]-n[dead]; {
	case n[unargued] > 0:
		return errUnargued
	case killed*100 < wanted*counted:
		return errLow
	}
	return nil
}

// head is the score in a few lines.
func (r *result) head(why map[string]string) string {
	n := r.classes(why)
	killed, counted := r.all-len(r.survivors), r.all-n[equivalent]-n[dead]
	var b strings.Builder
	fmt.Fprintf(&b, "%d mutants, %d noticed by a sweep (%d of them by a crash, %d because it hangs, %d by the reference core): %s\n",
		r.all, killed, r.by[crashed], r.by[hung], r.by[checker.Reference], share(killed, r.all))
	fmt.Fprintf(&b, "%d survive: %d equivalent, %d dead code, %d holes, %d not argued; without the equivalent and the dead: %s\n",
		len(r.survivors), n[equivalent], n[dead], n[hole], n[unargued], share(killed, counted))
	return b.String()
}

// print says what noticed how many, what survives and why, and the score.
func (r *result) print(why map[string]string) {
	names := slices.SortedFunc(maps.Keys(r.by), func(a, b string) int {
		return cmp.Or(r.by[b]-r.by[a], strings.Compare(a, b))
	})
	for _, name := range names {
		fmt.Printf("%6d %s\n", r.by[name], name)
	}
	os.Stdout.Write(render("", r.survivors, why))
	fmt.Print("\n" + r.head(why))
}
