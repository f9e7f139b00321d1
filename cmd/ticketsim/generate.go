package main

import (
	"errors"
	"fmt"
	"os"

	"ticketing/model"
	"ticketing/model/generate"
)

// generateCmd is what check --generate takes. Zero is the generator's default.
type generateCmd struct {
	Seed         uint64 `help:"Which of the histories with these options."`
	Keys         int    `placeholder:"N" help:"Keys (default 1)."`
	Callers      int    `placeholder:"N" help:"Callers that queue on each key (default 16)."`
	LostAcquires int    `placeholder:"PERCENT" help:"Acquires that end unknown."`
	LostReleases int    `placeholder:"PERCENT" help:"Releases that end unknown."`
	Illegal      string `placeholder:"PROPERTY" help:"Plant a violation of this property; an unknown name lists them."`
}

// run writes one history.
func (c *generateCmd) run(t *tool, ops int, files []string, asJSON bool) (exit, error) {
	if len(files) > 1 {
		return exitUsage, fmt.Errorf("check: --generate writes one file, not %d", len(files))
	}
	if ops < 0 {
		return exitUsage, fmt.Errorf("--generate: %d is not a number of operations", ops)
	}
	o := generate.Options{
		Seed: c.Seed, Ops: ops, Keys: c.Keys, Callers: c.Callers,
		LostAcquires: c.LostAcquires, LostReleases: c.LostReleases, Illegal: c.Illegal,
	}
	if err := o.Validate(); err != nil {
		return exitUsage, err // before a file of that name is written over
	}
	format := model.Text
	if asJSON {
		format = model.JSONL
	}
	if len(files) == 1 && files[0] != "-" {
		f, err := os.Create(files[0])
		if err != nil {
			return exitUsage, err
		}
		// A file that could not be written to its end was named in vain, like one that cannot be read.
		return exitOK, errors.Join(generate.Write(f, format, o), f.Close())
	}
	if err := generate.Write(t.stdout, format, o); err != nil {
		return t.complain(exitInternal, fmt.Errorf("cannot write the results: %w", err)), nil
	}
	return exitOK, nil
}
