package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"ticketing/checker"
	"ticketing/seeds"
	"ticketing/sim/shrink"
)

// archive is a directory that keeps what a sweep found: a list of the findings, and a case of each that can be one, shrunk.
type archive struct {
	dir   string
	early *os.File // the list while the sweep goes on
}

// Bounds of an archive.
const (
	archiveList    = "findings.jsonl"
	archiveShrinks = 32      // findings that are shrunk, the gravest and of those the shortest; the others are kept as they ran
	archiveMax     = 1 << 30 // bytes of a list that is read
)

// kept is a line of the list.
type kept struct {
	world
	Strategy strategy `json:"strategy"`
	Shadow   bool     `json:"shadow,omitempty"`
	Shrunk   int64    `json:"shrunk,omitempty"` // events of the case, if it was shrunk
	Worlds   string   `json:"world"`            // fingerprint of the worlds alone
}

// newArchive makes the directory. What a sweep found before is not written over; one that found nothing left nothing to keep.
func newArchive(dir string) (*archive, error) {
	a := &archive{dir: dir}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	if was, err := os.Stat(a.list()); err == nil && was.Size() > 0 {
		return nil, fmt.Errorf("--out: %s is there: another sweep wrote it", a.list())
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--out: %w", err)
	}
	// A night's work must not end with a directory that cannot be written to.
	err := writeFile(a.list(), nil)
	if err == nil {
		a.early, err = os.OpenFile(a.list(), os.O_WRONLY|os.O_APPEND, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	return a, nil
}

// note adds the first of a kind of failure to the list: a sweep that dies must not take it along. keep writes the list anew,
// and tells what is wrong with the file.
func (a *archive) note(e *engine, o outcome) {
	o.build = e.build(o.Scenario)
	_ = newEncoder(a.early).Encode(a.line(e, &finding{outcome: o, count: 1}))
}

func (a *archive) list() string { return filepath.Join(a.dir, archiveList) }

// keep shrinks the findings of a sweep, so many at a time, and writes them down. A signal ends the shrinking, and nothing
// is left out: returned is the status that it asks for.
func (a *archive) keep(s *sweep, jobs int) (exit, error) {
	a.early.Close() // nothing more is noted, and the list is written anew
	all := s.tally.findings.sorted()
	signal := &interrupt{}
	if s.signal == exitOK { // the next one after a signal ends it all
		signal = listen()
		defer signal.stop()
	}
	errs := make([]error, len(all))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(jobs, len(all)) {
		workers.Go(func() {
			for i := range next {
				shorten := s.signal == exitOK && signal.exit() == exitOK && i >= len(all)-archiveShrinks
				errs[i] = a.keepOne(s.engine, all[i], signal, shorten)
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	workers.Wait()
	return signal.exit(), errors.Join(append(errs, a.write(s.engine, all))...)
}

// keepOne makes a case of a finding, if it can be one: a case runs the client alone.
func (a *archive) keepOne(e *engine, f *finding, signal *interrupt, shorten bool) error {
	if f.shadow || recordable(&f.outcome) != nil {
		return nil
	}
	k := &keeper{e: e, s: &subject{seed: f.Seed, scenario: f.Scenario, strategy: f.strategy}, r: e.newRunner(), signal: signal}
	o := k.record(nil)
	if o.verdict != f.verdict || o.Hash != f.Hash {
		return nil // a world that does not repeat itself is a seed, and no more
	}
	if shorten && shrinkable(&o) {
		short, how, err := k.reduce(o, shrink.Options{Events: shrinkEvents})
		if err != nil {
			return err
		}
		o, f.how, f.short = short, how, short.Events
	}
	c := k.kept(&o)
	c.Prose = fmt.Sprintf("One of %s seeds that failed alike.\n", grouped(f.count)) + c.Prose
	name := filepath.Join(a.dir, a.name(f))
	if err := writeFile(name, c.Text()); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	f.kept = name
	return nil
}

// name is that of a finding's case: the same for the same kind of failure, in every sweep.
func (a *archive) name(f *finding) string {
	h := fnv.New64a()
	io.WriteString(h, fingerprint(&f.outcome))
	return fmt.Sprintf("%s-%016x.case", f.Property, h.Sum64())
}

// write writes the list.
func (a *archive) write(e *engine, all []*finding) error {
	var b bytes.Buffer
	enc := newEncoder(&b)
	for _, f := range all {
		if err := enc.Encode(a.line(e, f)); err != nil {
			return err
		}
	}
	if err := writeFile(a.list(), b.Bytes()); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// line is that of a finding.
func (a *archive) line(e *engine, f *finding) kept {
	line := kept{world: newWorld("finding", &f.outcome, f.count), Strategy: strategy(f.strategy.String()), Shadow: f.shadow,
		Shrunk: f.short, Worlds: hex(e.worldBuild(f.Scenario))}
	if f.kept != "" {
		line.Case = filepath.Base(f.kept) // the directory may move
	}
	return line
}

// read reads the list. Errors name its line.
func (a *archive) read() ([]kept, error) {
	f, err := os.Open(a.list())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []kept
	lines := bufio.NewScanner(io.LimitReader(f, archiveMax))
	lines.Buffer(nil, seeds.MaxCase)
	for number := 1; lines.Scan(); number++ {
		var k kept
		if err := json.Unmarshal(lines.Bytes(), &k); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", a.list(), number, err)
		}
		if k.Type != "finding" || len(all) == 2*maxFindings {
			return nil, fmt.Errorf("%s: line %d: not a finding, or one too many", a.list(), number)
		}
		all = append(all, k)
	}
	return all, lines.Err()
}

// subject is what runs a finding again.
func (a *archive) subject(e *engine, k *kept) (*subject, error) {
	if k.Case != "" {
		return newCaseSubject(filepath.Join(a.dir, filepath.Base(k.Case)), "")
	}
	name, err := e.scenario(k.Scenario)
	if err != nil {
		return nil, err
	}
	return &subject{seed: k.Seed, scenario: name, strategy: k.Strategy, shadow: k.Shadow}, nil
}

// alike says whether an outcome is the failure that was kept.
func (k *kept) alike(o *outcome) bool {
	return o.verdict == k.Verdict && o.Property == k.Property && o.verdict != checker.Pass.String()
}
