// Command score makes small changes to client/demux and client/wire, and counts how many of them a sweep alone notices:
//
//	go run ./.ci/score
//
// A change is an operator, a condition, a constant, a statement, a field or a result. All of them are in one build of
// ticketsim, made with an overlay, in which an environment variable says which of them is on: the tree is never touched.
// A mutant is noticed when a sweep finds a world that fails; that the tool crashes or hangs is told apart. The mutants that
// survive are held against seeds/mutants/score.txt, which says of each why. One that is not there fails the run, with
// status 1, and so does a score below 95 % of those that are not argued to be equivalent or dead; with -write the list is
// written anew, and keeps its reasons, and what it says of mutants that were not tried.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ticketing/checker"
)

const listPath = "seeds/mutants/score.txt"

// wanted is the least score, in per cent.
const wanted = 95

// Why a run fails that went well.
var (
	errUnargued = fmt.Errorf("mutants survive that %s does not argue", listPath)
	errLow      = fmt.Errorf("the score is below %d %%", wanted)
)

// options are the flags.
type options struct {
	budget time.Duration
	part   string
	only   string
	write  bool
	list   bool
	log    string
}

func main() {
	var o options
	flag.DurationVar(&o.budget, "budget", 6*time.Second, "processor time for one mutant")
	flag.StringVar(&o.part, "part", "0/1", "`K/N`: of every N mutants the one that leaves K")
	flag.StringVar(&o.only, "only", "", "mutants whose `text` as listed contains this")
	flag.BoolVar(&o.write, "write", false, "write "+listPath)
	flag.StringVar(&o.log, "log", "", "a `file` that keeps what became of each, and is asked first: a run that was broken off goes on")
	flag.BoolVar(&o.list, "list", false, "print the mutants, and run nothing")
	flag.Parse()
	switch err := o.run(); {
	case err == errUnargued, err == errLow:
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(70)
	}
}

func (o *options) run() error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	why, err := argued(filepath.Join(root, listPath))
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "score")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	tool, all, err := build(root, work)
	if err != nil {
		return err
	}
	every := all
	if all, err = o.chosen(slices.Clone(all)); err != nil {
		return err
	}
	if o.list {
		for _, m := range all {
			fmt.Println(placed(m))
		}
		return nil
	}
	r := &result{by: map[string]int{}}
	if err := r.open(o.log); err != nil {
		return err
	}
	defer r.log.Close()
	h := &hunter{tool: tool, scenarios: order(), budget: o.budget}
	if err := r.clean(h); err != nil {
		return err
	}
	if err := r.try(h, all); err != nil {
		return err
	}
	r.print(why)
	if o.write {
		head := fmt.Sprintf("Written by .ci/score -part %s -budget %v.\n%s", o.part, o.budget, r.head(why))
		return os.WriteFile(filepath.Join(root, listPath), render(head, r.merged(every, all, why), why), 0o644)
	}
	return r.verdict(why)
}

// chosen are the mutants of the part that was asked for.
func (o *options) chosen(all []*mutant) ([]*mutant, error) {
	var k, n int
	if _, err := fmt.Sscanf(o.part, "%d/%d", &k, &n); err != nil || n < 1 || k < 0 || k >= n {
		return nil, fmt.Errorf("-part: %q is not K/N", o.part)
	}
	return slices.DeleteFunc(all, func(m *mutant) bool {
		return m.id%n != k || !strings.Contains(placed(m), o.only)
	}), nil
}

// order is the scenarios, those that show most first. Where the service breaks an assumption little is seen of the client.
func order() []string {
	names := []string{"hostile-server", "swarm"}
	for _, name := range checker.Scenarios() {
		if !slices.Contains(names, name) && !strings.HasPrefix(name, "broken-") {
			names = append(names, name)
		}
	}
	return names
}
