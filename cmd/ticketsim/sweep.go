package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"ticketing/checker"
)

// Bounds and defaults of a sweep.
const (
	defaultSeeds = 10_000  // well under a minute on two cores
	maxJobs      = 1024    // more workers than any machine has cores
	maxFindings  = 100_000 // each is a few hundred bytes
)

// sweepCmd runs many seeds.
type sweepCmd struct {
	Seeds       *seedRange     `placeholder:"A..B" help:"The seeds A to B-1 (default 0..10000, or with --for as many as there are)."`
	For         *time.Duration `placeholder:"DURATION" help:"Until so much time is over, for example 10m, or all the seeds have run."`
	Scenario    string         `placeholder:"NAME" help:"The scenario (default: the first of those that an unknown name lists)."`
	Strategy    strategy       `placeholder:"NAME" help:"How what happens next is chosen: random; pct, by priorities that change a few times; or mix, one half of the seeds each (default random)."`
	Jobs        int            `placeholder:"N" help:"Worlds at a time (default, and 0: one a core)."`
	MaxFindings int            `placeholder:"N" default:"10" help:"Stop at so many different findings (default ${default})."`
	Out         string         `placeholder:"DIR" help:"Keep what was found: a list, and of each finding a case, shrunk. See recheck."`
	Shadow      bool           `help:"Run the reference core beside the client's own; a difference is a violation of reference."`
	JSON        bool           `name:"json" help:"Print one JSON object a line: findings, then a summary."`
}

func (c *sweepCmd) run(t *tool) (exit, error) {
	scenario, err := t.engine.scenario(c.Scenario)
	switch {
	case err != nil:
		return exitUsage, err
	case c.For != nil && *c.For <= 0:
		return exitUsage, fmt.Errorf("--for: %v is not a time ahead", *c.For)
	case c.Jobs < 0 || c.Jobs > maxJobs:
		return exitUsage, fmt.Errorf("--jobs: %d is not in 0..%d (0: one a core)", c.Jobs, maxJobs)
	case c.MaxFindings < 1 || c.MaxFindings > maxFindings:
		return exitUsage, fmt.Errorf("--max-findings: %d is not in 1..%d", c.MaxFindings, maxFindings)
	}
	if c.Jobs == 0 {
		c.Jobs = runtime.GOMAXPROCS(0)
	}
	s := &sweep{
		engine: &t.engine, scenario: scenario, strategy: c.Strategy, shadow: c.Shadow,
		seeds: seedRange{0, defaultSeeds}, start: time.Now(),
		tally: tally{findings: newFindings(c.MaxFindings)},
	}
	if c.For != nil {
		s.limit, s.seeds = *c.For, seedRange{0, math.MaxUint64}
	}
	if c.Seeds != nil {
		s.seeds = *c.Seeds
	}
	if c.Out != "" {
		if s.kept, err = newArchive(c.Out); err != nil {
			return exitUsage, err
		}
	}
	s.run(t, c.Jobs)
	if s.kept != nil {
		signal, err := s.kept.keep(s, c.Jobs)
		s.signal = worst(s.signal, signal)
		if err != nil {
			code, _ := c.report(t, s)
			return worst(code, exitInternal), err
		}
	}
	return c.report(t, s)
}

// report prints what a sweep found and returns its status.
func (c *sweepCmd) report(t *tool, s *sweep) (exit, error) {
	sum := s.summary()
	write := printSweep
	if c.JSON {
		write = encodeSweep
	}
	if err := write(t.stdout, s, &sum); err != nil {
		return t.complain(worst(s.exit(), exitInternal), fmt.Errorf("cannot write the results: %w", err)), nil
	}
	if sum.Seeds == 0 {
		t.complain(exitNothing, errors.New("sweep: nothing ran"))
	}
	return s.exit(), nil
}

// sweep runs the seeds of a range over several runners.
type sweep struct {
	engine   *engine
	scenario string
	strategy strategy
	shadow   bool // clients run the reference core as well
	seeds    seedRange
	limit    time.Duration // zero: none
	start    time.Time
	took     time.Duration // once it is over
	kept     *archive      // of what it finds; nil: none

	mu      sync.Mutex
	handed  uint64 // seeds given to workers
	stopped bool   // no more are
	signal  exit   // of the signal that stopped it, or exitOK
	tally   tally
}

// tally is what a sweep adds up. Every sum is free of the order in which worlds ended.
type tally struct {
	seeds, passed, violations, assumptions, inconclusive, disagreements, internals uint64

	events, ops int64
	hash        uint64
	sample      sample
	counters    []checker.Counter
	findings    *findings
	chorus      chorus
	code        exit
}

// run works through the seeds with so many workers and returns once all of them are done.
func (s *sweep) run(t *tool, jobs int) *sweep {
	defer relaxCollector()()
	i := listen()
	p := startProgress(t, s)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(s.work)
	}
	ended := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		select {
		case <-i.done:
			s.stop(i.exit())
		case <-ended:
		}
	})
	workers.Wait()
	close(ended)
	watcher.Wait()
	i.stop()
	s.took = time.Since(s.start)
	p.stop()
	for _, f := range s.tally.findings.kinds {
		f.build = s.engine.build(s.scenario)
	}
	return s
}

func (s *sweep) stop(code exit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped, s.signal = true, code
}

// next hands out a seed, in order.
func (s *sweep) next() (seed uint64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limit > 0 && time.Since(s.start) >= s.limit {
		s.stopped = true
	}
	if s.stopped || s.handed >= s.seeds.size() || s.tally.findings.enough() {
		return 0, false
	}
	seed = s.seeds.from + s.handed
	s.handed++
	return seed, true
}

// work runs seeds until there are none.
func (s *sweep) work() {
	w := newWorker(s.engine, s.scenario, s.shadow)
	w.config.Strategy = s.strategy.source()
	birds := s.engine.canaries()
	for {
		seed, ok := s.next()
		if !ok {
			break
		}
		s.canary(birds, seed)
		o := w.try(seed)
		o.strategy = s.strategy
		s.add(o)
	}
	s.addCounters(w.runner.Counters())
	s.addCounters(w.pair.Counters())
}

func (s *sweep) add(o outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &s.tally
	t.seeds++
	t.events += o.Events
	t.ops += o.Ops
	t.hash += mix(o.Seed, o.Hash)
	t.sample.add(o.Seed-s.seeds.from, o.Events)
	t.code = worst(t.code, o.code)
	switch {
	case o.code == exitOK:
		t.passed++
	case o.code == exitViolation:
		t.violations++
	case o.code == exitSelf:
		t.disagreements++
	case o.code == exitInternal:
		t.internals++
	case o.Verdict == checker.Assumption:
		t.assumptions++
	default:
		t.inconclusive++
	}
	if o.code != exitOK && t.findings.add(o) && s.kept != nil {
		s.kept.note(s.engine, o)
	}
}

// addCounters adds one runner's table, which has the same rows in the same order as every other's.
func (s *sweep) addCounters(rows []checker.Counter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tally.counters == nil {
		s.tally.counters = append(s.tally.counters, rows...)
		return
	}
	if len(rows) != len(s.tally.counters) {
		panic(errors.New("ticketsim: runners with different tables of counters"))
	}
	for i, c := range rows {
		s.tally.counters[i].Count += c.Count
	}
}

// exit is the status of a sweep that is over.
func (s *sweep) exit() exit {
	code := worst(s.tally.code, s.signal)
	if s.tally.seeds == 0 {
		code = worst(code, exitNothing)
	}
	if len(s.missing()) > 0 || len(s.tally.chorus.missed) > 0 {
		code = worst(code, exitSelf)
	}
	return code
}

// mix makes one number of a seed and the hash of its log, spread so that sums of them differ when any of them
// does (the finalizer of SplitMix64, twice).
func mix(seed, hash uint64) uint64 {
	return finalize(finalize(seed+0x9e3779b97f4a7c15) ^ hash)
}

func finalize(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
