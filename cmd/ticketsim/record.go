package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ticketing/checker"
	"ticketing/seeds"
)

// recording is a case that is to be written.
type recording struct {
	file  string
	prose string      // "" : none yet
	from  *seeds.Case // that is recorded anew, or nil
}

// newRecording prepares the record of a subject: that of a case becomes its seed, unless it is to be shrunk. The prose is
// that of the case, or of the file that is written over, which must be of the same world for it to stay true.
func newRecording(s *subject, file string, shrink bool) (*recording, error) {
	r := &recording{file: file}
	if s.kept != nil && !shrink {
		if s.kept.Shrunk {
			return nil, fmt.Errorf("--record: %s was shrunk: its seed is another world", s.file)
		}
		r.from, r.prose = s.kept, s.kept.Prose
		s.kept, s.file = nil, ""
	}
	old, err := replaced(file)
	if err != nil {
		return nil, err
	}
	if old != nil && (old.Seed != s.seed || old.Scenario != s.scenario || strategy(old.Strategy).String() != s.strategy.String()) {
		return nil, fmt.Errorf("--record: %s is there and is the case of another world: seed %d, scenario %s%s",
			file, old.Seed, old.Scenario, strategy(old.Strategy).aside())
	}
	if old != nil && old.Shrunk && !shrink {
		return nil, fmt.Errorf("--record: %s is there and was shrunk: its seed is another world", file)
	}
	if r.from == nil && old != nil {
		r.prose = old.Prose
	}
	return r, nil
}

// replaced is the case that a record into a file writes over; nil: there is no file yet. What is no case is not written over.
// That the file can be written is tried before there is anything to write.
func replaced(file string) (*seeds.Case, error) {
	if err := writable(file); err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	old, err := seeds.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return nil, fmt.Errorf("--record: %s is there and is no case: %w", file, err)
	}
	return old, nil
}

// record runs the seed, which has just run with outcome o, once more, and writes its choices.
func (r *recording) record(t *tool, p *printer, o *outcome) error {
	if err := recordable(o); err != nil {
		return err
	}
	prose := r.prose
	if prose == "" {
		prose = proseOf(o)
	}
	e := &t.engine
	var kept *seeds.Case
	again := e.guard(o.Seed, o.Scenario, func() (res checker.Result, err error) {
		kept, res, err = e.record(e.newRunner(), o.Seed, o.Scenario, o.strategy, prose)
		return res, err
	})
	switch {
	case again.code == exitInternal:
		return errors.New("--record: " + strings.Join(again.Facts, ": "))
	case again.Hash != o.Hash:
		return errors.New("--record: the second run is another one")
	}
	if r.from != nil && !r.from.Met(o.Result) {
		fmt.Fprintf(t.stderr, "ticketsim: --record: what was kept as %s is %s now\n",
			strings.TrimSpace(r.from.Verdict+" "+r.from.Property), strings.TrimSpace(o.verdict+" "+o.Property))
	}
	return r.write(p, kept, o)
}

// recordable says why a run cannot be a case.
func recordable(o *outcome) error {
	switch o.verdict {
	case checker.Pass.String(), checker.Violation.String(), checker.Assumption.String(), checker.Inconclusive.String():
		return nil
	}
	return errors.New("--record: a run that ends with " + o.verdict + " makes no case")
}

// write writes the case, and makes the outcome one of it.
func (r *recording) write(p *printer, c *seeds.Case, o *outcome) error {
	if err := recordable(o); err != nil {
		return err
	}
	if err := writeFile(r.file, c.Text()); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	o.file, o.shrunk = r.file, false // the file runs just this
	p.aside(fmt.Sprintf("recorded %s: %d picks", r.file, len(c.Picks)))
	return nil
}

// proseOf is what there is to say about a case that nobody has described yet.
func proseOf(o *outcome) string {
	lines := []string{fmt.Sprintf("Seed %d of scenario %s, as it was run.", o.Seed, o.Scenario)}
	return strings.Join(append(lines, o.Facts...), "\n")
}
