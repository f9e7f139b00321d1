package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"ticketing/seeds/mutants"
)

// What a failure has to shrink to, so that a person reads it, and how long that may take.
const (
	shortMedian = 20 // events, over all planted bugs
	shortMost   = 60 // of any
	shortCPU    = 30 * time.Second
	shortWait   = 4 * shortCPU // on a machine that has other work
)

// shortened is what the failure of one mutant shrinks to.
type shortened struct {
	events   int64
	property string
	seed     uint64
	scenario string
	cpu      time.Duration
}

// shorten finds a world that shows a mutant, and has the mutated tool shrink it.
func (s *shop) shorten(m *mutants.Mutant, overlay string) (r shortened, found bool, err error) {
	order, err := s.order(m)
	if err != nil {
		return r, false, err
	}
	built, err := s.plant(m, overlay)
	if err != nil {
		return r, false, err
	}
	h := &hunt{shop: s, tool: built, from: 1, done: map[string]uint64{}, alone: true}
	if found, err = h.run(m, order); err != nil || !found {
		return r, false, err
	}
	ctx, cancel := context.WithTimeout(s.ctx, shortWait)
	defer cancel()
	p := s.command(ctx, built.path, "run", strconv.FormatUint(h.sum.seed, 10), "--scenario", h.sum.scenario,
		"--strategy", s.strategy.String(), "--shrink", "--json")
	p.Env = built.env
	text, err := p.Output()
	var failed *exec.ExitError
	switch {
	case s.ctx.Err() != nil:
		return r, false, s.ctx.Err()
	case ctx.Err() != nil:
		return r, false, unshrunk(m, fmt.Sprintf("not shrunk within %v", shortWait))
	case err != nil && !errors.As(err, &failed):
		return r, false, err
	}
	end, err := lastRun(text)
	if err != nil {
		return r, false, err
	}
	if end.Property == "" {
		return r, false, unshrunk(m, "the seed that failed passes alone")
	}
	r = shortened{events: end.Events, property: end.Property, seed: end.Seed, scenario: end.Scenario,
		cpu: p.ProcessState.UserTime() + p.ProcessState.SystemTime()}
	return r, true, nil
}

// unshrunk is why there is nothing to tell of a mutant, which is well where that is known.
func unshrunk(m *mutants.Mutant, why string) error {
	if known := stayLong[m.ID]; known != "" {
		return &unfitError{exitOK, "mutants: " + known}
	}
	return &unfitError{exitViolation, "mutants: " + why}
}

// lastRun is the result in what a run printed.
func lastRun(text []byte) (world, error) {
	var w world
	d := json.NewDecoder(bytes.NewReader(text))
	for d.More() {
		w = world{}
		if err := d.Decode(&w); err != nil {
			return w, fmt.Errorf("mutants: a mutated run ended in other words: %w", err)
		}
	}
	if w.Type != "run" {
		return w, errors.New("mutants: a mutated run printed no result")
	}
	return w, nil
}

// stayLong are the mutants whose failures are longer than that, and why.
var stayLong = map[string]string{
	"full-write-put-off": "only frames of just the right lengths fill a write to the byte",
	"last-to-join-hangs": "some of the shorter runs never come back from the client",

	"lane-answered-before-it-was-sent": "one world in a thousand shows it: too few to find a shorter one among them",
	"network-survives-its-reset":       "what one world leaves to the next is no story of one world",
}

// long says whether a failure is longer than a person reads, or took longer than a person waits.
func (r *shortened) long() bool { return r.events > shortMost || r.cpu > shortCPU }

// printShort writes a row a mutant, as soon as it is known, and then what half of them come to.
func (c *mutantsCmd) printShort(w io.Writer, all []*mutants.Mutant, results []chan trial) (code exit, err error) {
	width := 0
	for _, m := range all {
		width = max(width, len(m.ID))
	}
	_, err = fmt.Fprintf(w, "%-*s  %6s  %5s  %s\n", width, "mutant", "events", "cpu s", "told as")
	var events []int64
	var slowest time.Duration
	for k := 0; k < len(all) && err == nil; k++ {
		r := <-results[k]
		if errors.Is(r.err, errInterrupted) {
			return code, nil
		}
		code = worst(code, r.code)
		if r.err != nil {
			_, err = fmt.Fprintf(w, "%-*s  NO RESULT: %v\n", width, all[k].ID, r.err)
			continue
		}
		if r.short.property == "" {
			_, err = fmt.Fprintf(w, "%-*s  SURVIVED\n", width, all[k].ID)
			continue
		}
		events, slowest = append(events, r.short.events), max(slowest, r.short.cpu)
		mark := ""
		if r.short.long() {
			mark = ", " + cmp.Or(stayLong[all[k].ID], "TOO LONG")
		}
		_, err = fmt.Fprintf(w, "%-*s  %6d  %5.1f  %s, %s seed %d%s\n", width, all[k].ID, r.short.events, r.short.cpu.Seconds(),
			r.short.property, r.short.scenario, r.short.seed, mark)
	}
	if len(events) == 0 || err != nil {
		return code, err
	}
	slices.Sort(events)
	median := events[len(events)/2]
	if median > shortMedian && c.Only == "*" {
		code = worst(code, exitViolation)
	}
	_, err = fmt.Fprintf(w, "%d failures shrink to %d events in half of the cases (%d may be), %d at most (%d may be), in %.1f s of a processor at most\n",
		len(events), median, shortMedian, events[len(events)-1], shortMost, slowest.Seconds())
	return code, err
}
