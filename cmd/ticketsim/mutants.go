package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"ticketing/seeds/mutants"
)

// Bounds of a run of planted bugs.
const (
	rangeStride = 1 << 40 // from the start of a range to that of the next
	maxRanges   = 1001
)

// mutantsCmd plants bugs and says what notices them.
type mutantsCmd struct {
	Only     string        `placeholder:"GLOB" default:"*" help:"Those whose id matches (default: all)."`
	Budget   time.Duration `placeholder:"DURATION" default:"30s" help:"Processor time for one bug in one range of seeds (default ${default})."`
	Seeds    uint64        `placeholder:"N" default:"200000" help:"Seeds of each scenario in one range (default ${default})."`
	Ranges   int           `placeholder:"N" default:"3" help:"Disjoint ranges of seeds (default ${default}); the figures are the medians over them."`
	Jobs     int           `placeholder:"N" help:"Bugs at a time (default, and 0: one a core)."`
	JSON     bool          `name:"json" xor:"how" help:"Print one JSON object a bug."`
	Strategy strategy      `placeholder:"NAME" help:"That of the sweeps: random, pct or mix (default random)."`
	Shrink   bool          `xor:"how" help:"Say what the failure of each bug of kind sweep shrinks to; too long is as bad as survived."`
	Matrix   bool          `xor:"how" help:"Say which judges each bug of kind sweep needs: it survives without them."`
}

func (c *mutantsCmd) run(t *tool) (exit, error) {
	switch {
	case c.Budget <= 0:
		return exitUsage, fmt.Errorf("--budget: %v is not a time ahead", c.Budget)
	case c.Seeds < 1 || c.Seeds > rangeStride:
		return exitUsage, fmt.Errorf("--seeds: %d is not in 1..%d", c.Seeds, uint64(rangeStride))
	case c.Ranges < 1 || c.Ranges > maxRanges:
		return exitUsage, fmt.Errorf("--ranges: %d is not in 1..%d", c.Ranges, maxRanges)
	case c.Jobs < 0 || c.Jobs > maxJobs:
		return exitUsage, fmt.Errorf("--jobs: %d is not in 0..%d (0: one a core)", c.Jobs, maxJobs)
	}
	if c.Jobs == 0 {
		c.Jobs = runtime.GOMAXPROCS(0)
	}
	root, err := sourceRoot()
	if err != nil {
		return exitUsage, err
	}
	all, err := mutants.Load(os.DirFS(root), c.Only)
	if err != nil {
		return exitUsage, err
	}
	if c.Matrix || c.Shrink {
		all = slices.DeleteFunc(all, func(m *mutants.Mutant) bool { return m.Kind != mutants.Sweep })
	}
	if len(all) == 0 {
		return t.complain(exitNothing, fmt.Errorf("mutants: no planted bug has an id like %q", c.Only)), nil
	}
	return c.plant(t, root, all)
}

// plant tries the mutants and prints what became of each, in their order, as soon as it is known.
func (c *mutantsCmd) plant(t *tool, root string, all []*mutants.Mutant) (exit, error) {
	dir, err := os.MkdirTemp("", "ticketsim-mutants-")
	if err != nil {
		return t.complain(exitInternal, err), nil
	}
	defer os.RemoveAll(dir)
	// All must apply before the first is tried: a stale one should not show after an hour.
	files := make([][]mutants.Replacement, len(all))
	for i, m := range all {
		if files[i], err = m.Apply(os.DirFS(root)); err != nil {
			return exitUsage, err
		}
	}
	together, err := bundle(root, all)
	if err != nil {
		return exitUsage, err
	}
	i := listen()
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		<-i.done
		stop()
	}()
	s := &shop{ctx: ctx, root: root, dir: dir, together: together, scenarios: trusted(&t.engine),
		seeds: c.Seeds, ranges: c.Ranges, budget: c.Budget, matrix: c.Matrix, shrink: c.Shrink, strategy: c.Strategy}
	results := make([]chan trial, len(all))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(c.Jobs, len(all)) {
		workers.Go(func() {
			for k := range next {
				results[k] <- s.try(all[k], files[k])
			}
		})
	}
	for k := range results {
		results[k] = make(chan trial, 1)
	}
	go func() {
		for k := range all {
			next <- k
		}
		close(next)
	}()
	print := c.print
	switch {
	case c.Shrink:
		print = c.printShort
	case c.Matrix:
		print = func(w io.Writer, all []*mutants.Mutant, results []chan trial) (exit, error) {
			return c.printMatrix(w, t.engine.judges, all, results)
		}
	}
	code, err := print(t.stdout, all, results)
	if err != nil {
		code = t.complain(worst(code, exitInternal), fmt.Errorf("cannot write the results: %w", err))
		stop() // nobody would see what comes of the others
	}
	workers.Wait()
	i.stop()
	if i.exit() != exitOK {
		t.complain(i.exit(), errors.New("mutants: interrupted: not all planted bugs were tried"))
	}
	return worst(code, i.exit()), nil
}

// bundle puts the mutants that worlds notice together, as far as that goes.
func bundle(root string, all []*mutants.Mutant) (*mutants.Bundle, error) {
	sweeps := slices.DeleteFunc(slices.Clone(all), func(m *mutants.Mutant) bool { return m.Kind != mutants.Sweep })
	return mutants.NewBundle(os.DirFS(root), sweeps)
}

// trusted are the scenarios whose service keeps its word. Where it breaks an assumption on purpose, a client that did
// nothing wrong may still be part of what a judge complains about.
func trusted(e *engine) []string {
	var names []string
	for _, name := range e.scenarios {
		breaks := func(assumption string) bool { return e.declares(name, assumption) }
		if !slices.ContainsFunc([]string{"a-token", "a-lease", "a-final", "a-line", "a-owner", "a-auth"}, breaks) {
			names = append(names, name)
		}
	}
	return names
}

// sourceRoot is the root of this module's sources: the nearest directory above that has its go.mod.
func sourceRoot() (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", errors.New("mutants: there is no go command to build with")
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("mutants: %w", err)
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if first, _, _ := strings.Cut(string(text), "\n"); err == nil && strings.TrimSpace(first) == "module ticketing" {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("mutants: no sources: no go.mod of module ticketing in this directory or above it")
		}
		dir = up
	}
}
