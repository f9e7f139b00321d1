package main

import (
	"errors"
	"fmt"
	"io"

	"ticketing/model"
	"ticketing/model/generate"
)

// generateCmd is what check --generate takes. Zero is the generator's default.
type generateCmd struct {
	Seed         uint64 `help:"Which of the histories with these options."`
	Keys         *int   `placeholder:"N" help:"Keys (default 1)."`
	Callers      *int   `placeholder:"N" help:"Callers that queue on each key (default 16)."`
	LostAcquires int    `placeholder:"PERCENT" help:"Acquires that end unknown."`
	LostReleases int    `placeholder:"PERCENT" help:"Releases that end unknown."`
	Illegal      string `placeholder:"PROPERTY" help:"Plant a violation of this property; an unknown name lists them."`
}

// run writes one history.
func (c *generateCmd) run(t *tool, ops int, files []string, asJSON bool) (exit, error) {
	if len(files) > 1 {
		return exitUsage, fmt.Errorf("check: --generate writes one file, not %d", len(files))
	}
	o, err := c.options(ops)
	if err != nil {
		return exitUsage, err
	}
	format := model.Text
	if asJSON {
		format = model.JSONL
	}
	name := "-"
	if len(files) == 1 {
		name = files[0]
	}
	return c.write(t, name, func(w io.Writer) error { return generate.Write(w, format, o) })
}

// options are those of the generator, or what is wrong with the flags.
func (c *generateCmd) options(ops int) (generate.Options, error) {
	o := generate.Options{Seed: c.Seed, Ops: ops, LostAcquires: c.LostAcquires, LostReleases: c.LostReleases, Illegal: c.Illegal}
	if ops < 1 {
		return o, fmt.Errorf("--generate: %d is not a number of operations", ops)
	}
	for _, f := range []struct {
		name string
		flag *int
		to   *int
	}{{"keys", c.Keys, &o.Keys}, {"callers", c.Callers, &o.Callers}} {
		if f.flag == nil {
			continue
		}
		if *f.flag < 1 {
			return o, fmt.Errorf("--%s: %d is not a number of %s", f.name, *f.flag, f.name)
		}
		*f.to = *f.flag
	}
	return o, o.Validate()
}

// write writes into a file, or to stdout. A file stays as it was unless there is a whole history to put in its place; what a
// signal cut off on stdout is there as far as it came.
func (c *generateCmd) write(t *tool, name string, history func(io.Writer) error) (exit, error) {
	signal := listen()
	defer signal.stop()
	if name == "-" {
		w := &cutWriter{to: t.stdout, signal: signal}
		err := history(w)
		switch {
		case errors.Is(err, errCut):
			return t.complain(signal.exit(), errors.New("interrupted: the history ends early")), nil
		case w.failed != nil:
			return t.complain(exitInternal, fmt.Errorf("cannot write the results: %w", err)), nil
		}
		return exitOK, err
	}
	p, err := openPlace(name)
	if err != nil {
		return exitUsage, err
	}
	if err = p.close(history(&cutWriter{to: p, signal: signal})); errors.Is(err, errCut) {
		return t.complain(signal.exit(), fmt.Errorf("interrupted: %s was not written", name)), nil
	}
	// A file that could not be written to its end was named in vain, like one that cannot be read.
	return exitOK, err
}

// errCut is what a cutWriter says after a signal.
var errCut = errors.New("interrupted")

// cutWriter is a writer that a signal cuts off.
type cutWriter struct {
	to     io.Writer
	signal *interrupt
	failed error // of the writer itself
}

func (w *cutWriter) Write(b []byte) (int, error) {
	if w.signal.exit() != exitOK {
		return 0, errCut
	}
	n, err := w.to.Write(b)
	w.failed = err
	return n, err
}
