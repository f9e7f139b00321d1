package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ticketing/seeds/mutants"
)

// testTime is how long the tests of a judge may take on a machine that has other work: a judge that hangs is noticed.
const testTime = 10 * time.Minute

// shop builds mutated tools, and tries them. It is safe for concurrent use.
type shop struct {
	ctx       context.Context
	root      string // of the sources
	dir       string // where it builds
	scenarios []string
	seeds     uint64
	ranges    int
	budget    time.Duration
	matrix    bool // only which judges are needed
	shrink    bool // only what a failure shrinks to
	strategy  strategy

	together    *mutants.Bundle
	bundled     sync.Once // builds the tool that has all of those
	bundledErr  error
	bundledTool string

	clean     sync.Once // builds the tool as it is
	cleanErr  error
	cleanTool string
	tested    sync.Map // packages whose tests pass as they are: func() error, once
}

// trial is what became of one mutant.
type trial struct {
	caught []catch   // one a range; fewer if it survived one
	found  catch     // of kind test
	need   need      // for the matrix
	short  shortened // what it shrinks to
	code   exit      // exitOK: caught; exitViolation: survived; anything else: see err
	err    error
}

// catch is how a mutant was noticed in one range of seeds.
type catch struct {
	property string
	scenario string
	seed     uint64
	seeds    uint64 // tried until then, over all scenarios
	cpu      time.Duration
}

// try builds one mutant and looks for who notices.
func (s *shop) try(m *mutants.Mutant, files []mutants.Replacement) (r trial) {
	overlay, err := s.overlay(m.ID, files)
	switch {
	case err != nil:
	case s.matrix:
		r.need, err = s.needs(m, overlay)
	case s.shrink:
		var found bool
		if r.short, found, err = s.shorten(m, overlay); !found || r.short.long() && stayLong[m.ID] == "" {
			r.code = exitViolation
		}
	case m.Kind == mutants.Test:
		r.found, err = s.test(m, overlay)
	default:
		r.caught, err = s.sweepRanges(m, overlay)
	}
	var unfit *unfitError
	switch {
	case s.ctx.Err() != nil:
		return trial{err: errInterrupted}
	case errors.As(err, &unfit):
		return trial{code: unfit.code, err: err}
	case err != nil:
		return trial{code: exitInternal, err: err}
	case s.matrix, s.shrink:
	case m.Kind == mutants.Sweep && len(r.caught) < s.ranges, m.Kind == mutants.Test && r.found.property == "":
		r.code = exitViolation
	}
	return r
}

// errInterrupted is why a trial has no result once a signal came.
var errInterrupted = errors.New("mutants: interrupted")

// unfitError is why a trial says nothing.
type unfitError struct {
	code exit
	what string
}

func (e *unfitError) Error() string { return e.what }

// overlay writes the mutated files and the go command's list of them.
func (s *shop) overlay(name string, files []mutants.Replacement) (string, error) {
	dir := filepath.Join(s.dir, name)
	list := struct{ Replace map[string]string }{map[string]string{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for i, f := range files {
		name := filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(name, f.Text, 0o600); err != nil {
			return "", err
		}
		list.Replace[filepath.Join(s.root, filepath.FromSlash(f.Path))] = name
	}
	text, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}

// sick is a tool that has a bug.
type sick struct {
	path string
	env  []string // nil: the tool's own
}

// plant makes a tool with a bug. Most bugs are built into one tool, which is told which of them it has; where that one does not
// build, each shows by itself what is wrong.
func (s *shop) plant(m *mutants.Mutant, overlay string) (sick, error) {
	if n := s.together.Number(m); n > 0 {
		s.bundled.Do(s.buildBundle)
		if s.bundledErr == nil {
			return sick{s.bundledTool, append(os.Environ(), fmt.Sprintf("%s=%d", mutants.Variable, n))}, nil
		}
	}
	path, err := s.build(m.ID, overlay)
	return sick{path: path}, err
}

func (s *shop) buildBundle() {
	var overlay string
	if overlay, s.bundledErr = s.overlay("together", s.together.Files); s.bundledErr == nil {
		s.bundledTool, s.bundledErr = s.build("together", overlay)
	}
}

// build makes a tool. overlay may be empty.
func (s *shop) build(name, overlay string) (string, error) {
	out := filepath.Join(s.dir, name+".tool")
	args := []string{"build", "-buildvcs=false", "-o", out}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	p := s.command(s.ctx, "go", append(args, "./cmd/ticketsim")...)
	if text, err := p.CombinedOutput(); err != nil {
		return "", &unfitError{exitUsage, fmt.Sprintf("mutants: %s does not build: %s", name, firstLines(text, 4))}
	}
	return out, nil
}

// unchanged is the tool without a bug.
func (s *shop) unchanged() (string, error) {
	s.clean.Do(func() { s.cleanTool, s.cleanErr = s.build("unchanged", "") })
	return s.cleanTool, s.cleanErr
}

func (s *shop) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	p := exec.CommandContext(ctx, name, args...)
	p.Dir = s.root
	p.WaitDelay = time.Second
	return p
}

// test runs the tests of a mutant's packages, which must fail, and pass without it.
func (s *shop) test(m *mutants.Mutant, overlay string) (catch, error) {
	key := strings.Join(m.Packages, " ")
	pass, _ := s.tested.LoadOrStore(key, sync.OnceValue(func() error {
		if _, failed, err := s.goTest(m.Packages, ""); err != nil || failed != "" {
			return &unfitError{exitSelf, fmt.Sprintf("mutants: the tests of %s fail without a planted bug: %s %v", key, failed, err)}
		}
		return nil
	}))
	if err := pass.(func() error)(); err != nil {
		return catch{}, err
	}
	cpu, failed, err := s.goTest(m.Packages, overlay)
	return catch{property: failed, cpu: cpu}, err
}

// goTest runs tests and returns the first that failed.
func (s *shop) goTest(packages []string, overlay string) (cpu time.Duration, failed string, err error) {
	args := []string{"test", "-vet=off", "-timeout", testTime.String()}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	p := s.command(s.ctx, "go", append(args, packages...)...)
	text, err := p.CombinedOutput()
	if p.ProcessState != nil {
		cpu = p.ProcessState.UserTime() + p.ProcessState.SystemTime()
	}
	if err == nil {
		return cpu, "", nil
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "--- FAIL: "); ok {
			return cpu, strings.Fields(name)[0], nil
		}
		if strings.HasPrefix(line, "panic: ") {
			return cpu, "panic", nil
		}
	}
	return cpu, "", &unfitError{exitUsage, fmt.Sprintf("mutants: go test %s: %s", strings.Join(packages, " "), firstLines(text, 4))}
}

func firstLines(text []byte, n int) string {
	lines := bytes.SplitN(bytes.TrimSpace(text), []byte("\n"), n+1)
	return string(bytes.Join(lines[:min(n, len(lines))], []byte("; ")))
}

// order is the scenarios, the mutant's own first.
func (s *shop) order(m *mutants.Mutant) ([]string, error) {
	if m.Scenario == "" {
		return s.scenarios, nil
	}
	if !slices.Contains(s.scenarios, m.Scenario) {
		return nil, &unfitError{exitUsage, fmt.Sprintf("mutants: %s: there is no scenario %q", m.File, m.Scenario)}
	}
	all := []string{m.Scenario}
	for _, name := range s.scenarios {
		if name != m.Scenario {
			all = append(all, name)
		}
	}
	return all, nil
}
