package main

import (
	"fmt"
	"os/exec"
	"path"
	"runtime"
	"runtime/debug"
	"strings"

	"ticketing/cmd/ticketsim/pairs"
)

// benchCmd measures how fast this build is on this machine, beside what it is to be compared with.
type benchCmd struct {
	Only  string `placeholder:"GLOB" help:"Only the items whose names match; an unknown one lists them."`
	Pairs int    `placeholder:"N" default:"11" help:"Interleaved rounds of what is compared; figures are medians (default ${default})."`
	Seeds uint64 `placeholder:"N" default:"100000" help:"Worlds of the sweep whose memory is measured (default ${default})."`
	JSON  bool   `name:"json" help:"Print one JSON object a line, a figure each."`
}

// benchItem is something that can be measured alone.
type benchItem struct {
	name string
	doc  string
	run  func(b *bench) error
}

// benchItems are in the order in which they are measured.
var benchItems = []benchItem{
	{"sweep", "worlds of the default sweep on one core: with all judges, alone, and beside a bare event loop", (*bench).sweeps},
	{"allocs", "allocations for each event, once warm", (*bench).allocs},
	{"shares", "who takes the time of a sweep", (*bench).shares},
	{"cores", "two cores beside one", (*bench).cores},
	{"memory", "what a sweep keeps resident", (*bench).memory},
	{"judges", "the judges of a history beside Porcupine alone", (*bench).judges},
	{"check", "a history of a million operations", (*bench).check},
	{"growth", "histories of a thousand to a million operations", (*bench).growth},
	{"synctest", "the same worlds as goroutines, in bubbles of testing/synctest", (*bench).synctest},
	{"loopback", "the same worlds as goroutines, in real time over TCP", (*bench).loopback},
}

// bench is one run of the command.
type bench struct {
	engine *engine
	pairs  int
	seeds  uint64
	item   string
	out    figures
}

func (c *benchCmd) run(t *tool) (exit, error) {
	if c.Pairs < 1 || c.Pairs > pairs.Max {
		return exitUsage, fmt.Errorf("--pairs: %d is not in 1..%d", c.Pairs, pairs.Max)
	}
	if c.Seeds < minMemorySeeds || c.Seeds > maxMemorySeeds {
		return exitUsage, fmt.Errorf("--seeds: %d is not in %d..%d", c.Seeds, minMemorySeeds, uint64(maxMemorySeeds))
	}
	items, err := chosenItems(c.Only)
	if err != nil {
		return exitUsage, err
	}
	b := &bench{engine: &t.engine, pairs: c.Pairs, seeds: c.Seeds, out: newFigures(t.stdout, c.JSON)}
	b.out.head(benchedBuild(b.engine))
	i := listen()
	defer i.stop()
	code := exitOK
	for _, item := range items {
		b.item = item.name
		if err := item.run(b); err != nil { // the others can be measured all the same
			code = worst(code, t.complain(exitInternal, fmt.Errorf("bench: %s: %w", item.name, err)))
		}
		if b.out.err != nil {
			return t.complain(exitInternal, fmt.Errorf("cannot write the results: %w", b.out.err)), nil
		}
		if i.exit() != exitOK {
			break
		}
	}
	return worst(code, i.exit()), nil
}

// chosenItems are those that a pattern matches, all for an empty one.
func chosenItems(glob string) ([]benchItem, error) {
	if glob == "" {
		return benchItems, nil
	}
	var chosen []benchItem
	var names []string
	for _, i := range benchItems {
		ok, err := path.Match(glob, i.name)
		if err != nil {
			return nil, fmt.Errorf("--only: %q is no pattern", glob)
		}
		if ok {
			chosen = append(chosen, i)
		}
		names = append(names, i.name)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("--only: no item is called %q; there are %s", glob, strings.Join(names, ", "))
	}
	return chosen, nil
}

// benchedBuild says what was measured, and where.
func benchedBuild(e *engine) string {
	return fmt.Sprintf("%s, behaviour %s, %s %s/%s, %d cores", benchedCommit(), hex(e.build(e.scenarios[0])),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}

// benchedCommit is the commit that was built, or, where the build does not say it (go run), that of the directory.
func benchedCommit() string {
	var revision, modified string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = " and changes"
			}
		}
	}
	if revision != "" {
		return "commit " + revision + modified
	}
	out, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		return "commit unknown"
	}
	return "in a directory at commit " + strings.TrimSpace(string(out))
}
