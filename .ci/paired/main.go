// Command paired compares the speed of two builds of ticketsim: runs of both in turn, processor time, and the median of the
// ratios with an interval of confidence. Nothing absolute counts, so that it says the same on any machine.
//
//	paired -a TOOL -b TOOL [-rounds N] [-limit RATIO]
//
// The status is 1 if b is slower than a beyond the limit, as surely as the interval is; 2 if they cannot be compared.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"ticketing/cmd/ticketsim/pairs"
)

// The statuses.
const (
	exitSame   = 0
	exitSlower = 1
	exitUsage  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options are the arguments.
type options struct {
	a, b   string
	rounds int
	limit  float64
	seeds  uint64
	ops    int
}

func run(args []string, stdout, stderr io.Writer) int {
	var o options
	f := flag.NewFlagSet("paired", flag.ContinueOnError)
	f.SetOutput(io.Discard) // an error is one line
	f.StringVar(&o.a, "a", "", "the `tool` that is compared with")
	f.StringVar(&o.b, "b", "", "the `tool` that is compared")
	f.IntVar(&o.rounds, "rounds", 15, "interleaved rounds")
	f.Float64Var(&o.limit, "limit", 1.05, "how many times as long b may take for the same work")
	f.Uint64Var(&o.seeds, "seeds", 4_000, "worlds of a sweep")
	f.IntVar(&o.ops, "ops", 200_000, "operations of a history")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		f.SetOutput(stdout)
		f.Usage()
		return exitSame
	case err != nil:
		fmt.Fprintf(stderr, "paired: %v\n", err)
		return exitUsage
	case f.NArg() > 0:
		fmt.Fprintf(stderr, "paired: unexpected argument %s\n", f.Arg(0))
		return exitUsage
	}
	status, err := compare(&o, stdout)
	if err != nil {
		fmt.Fprintf(stderr, "paired: %v\n", err)
		return exitUsage
	}
	return status
}

func (o *options) check() error {
	switch {
	case o.a == "" || o.b == "":
		return errors.New("-a and -b name the tools to compare")
	case o.rounds < 1 || o.rounds > pairs.Max:
		return fmt.Errorf("-rounds: %d is not in 1..%d", o.rounds, pairs.Max)
	case !(o.limit >= 1): // nor is NaN
		return fmt.Errorf("-limit: %g is not at least 1", o.limit)
	case o.seeds < 1 || o.ops < 1:
		return errors.New("-seeds and -ops are at least 1")
	}
	return nil
}

// compare measures each workload and returns the gravest status.
func compare(o *options, w io.Writer) (status int, err error) {
	if err := o.check(); err != nil {
		return exitUsage, err
	}
	dir, err := os.MkdirTemp("", "paired-")
	if err != nil {
		return exitUsage, err
	}
	defer os.RemoveAll(dir)
	loads, err := workloads(o, dir)
	if err != nil {
		return exitUsage, err
	}
	fmt.Fprintf(w, "%-8s %14s %14s %-9s %8s  %-16s %s\n", "work", "a", "b", "", "b takes", "95% sure", "")
	for _, l := range loads {
		r, err := l.measure(o)
		if err != nil {
			return exitUsage, fmt.Errorf("%s: %w", l.name, err)
		}
		fmt.Fprintln(w, r.line(&l, o.limit))
		if r.slower(o.limit) {
			status = exitSlower
		}
	}
	return status, nil
}
