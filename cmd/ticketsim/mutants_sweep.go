package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"ticketing/checker"
	"ticketing/seeds/mutants"
)

// A range is searched in rounds over all scenarios, each round longer than the one before: a bug that one scenario
// shows at once must not wait until the others have had all their seeds.
const (
	firstRound  = 128
	roundGrowth = 4
	ownFactor   = 16 // as much longer is the mutant's own scenario looked at
	maxCrashes  = 8  // of the mutated tool, in one range: no crash counts, and no more are stepped over
)

// hunt is the search of one range of seeds for a world that shows a mutant.
type hunt struct {
	shop    *shop
	tool    sick
	from    uint64
	done    map[string]uint64 // seeds of each scenario
	crashes int
	alone   bool  // what shows beside the reference core alone does not count
	sum     catch // seeds and time so far
}

// sweepRanges looks for a mutant in every range. It stops at the first in which nothing notices.
func (s *shop) sweepRanges(m *mutants.Mutant, overlay string) ([]catch, error) {
	order, err := s.order(m)
	if err != nil {
		return nil, err
	}
	built, err := s.plant(m, overlay)
	if err != nil {
		return nil, err
	}
	var all []catch
	for r := range s.ranges {
		// The first seed is not one that runs twice: a judge should have the first word.
		h := &hunt{shop: s, tool: built, from: uint64(r)*rangeStride + 1, done: map[string]uint64{}}
		ok, err := h.run(m, order)
		if err != nil || !ok {
			return all, err
		}
		all = append(all, h.sum)
	}
	return all, nil
}

// run searches until something notices, or seeds or time are spent.
func (h *hunt) run(m *mutants.Mutant, order []string) (bool, error) {
	for round := uint64(firstRound); ; round *= roundGrowth {
		left := false
		for _, scenario := range order {
			size := round
			if scenario == m.Scenario {
				size *= ownFactor
			}
			to := min(h.shop.seeds, size)
			for h.done[scenario] < to {
				if h.sum.cpu >= h.shop.budget || h.crashes >= maxCrashes {
					return false, nil
				}
				if ok, err := h.sweep(scenario, to); ok || err != nil {
					return ok, err
				}
			}
			left = left || to < h.shop.seeds
		}
		if !left {
			return false, nil
		}
	}
}

// sweep runs the seeds of a scenario up to a number of them, or until something shows.
func (h *hunt) sweep(scenario string, to uint64) (bool, error) {
	ctx, cancel := context.WithTimeout(h.shop.ctx, 4*(h.shop.budget-h.sum.cpu))
	defer cancel()
	at := h.from + h.done[scenario]
	p := h.shop.command(ctx, h.tool.path, "sweep", "--scenario", scenario, "--jobs", "1", "--json", "--max-findings", "1",
		"--strategy", h.shop.strategy.String(),
		"--seeds", fmt.Sprintf("%d..%d", at, h.from+to))
	p.Env = h.tool.env
	text, err := p.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return false, err
	}
	h.sum.cpu += p.ProcessState.UserTime() + p.ProcessState.SystemTime()
	if ctx.Err() != nil {
		h.sum.cpu = max(h.sum.cpu, h.shop.budget) // a client that never comes back is not noticed by a sweep
		return false, h.shop.ctx.Err()
	}
	found, sum, err := readSweep(text)
	if err != nil {
		return false, err
	}
	h.sum.seeds += sum.Seeds
	h.done[scenario] += max(1, sum.Seeds)
	if sum.Internal > 0 {
		h.crashes++
	}
	if found == nil || h.alone && strings.Contains(found.Replay, " --shadow") {
		return false, nil
	}
	h.sum.property, h.sum.scenario, h.sum.seed = found.Property, scenario, found.Seed
	return true, h.passes(found)
}

// readSweep reads what a sweep printed, and returns its gravest finding that counts: the tool's own crash does not.
func readSweep(text []byte) (found *world, sum summary, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	for d.More() {
		var line json.RawMessage
		var w world
		if err := d.Decode(&line); err != nil {
			return nil, sum, err
		}
		if err := json.Unmarshal(line, &w); err != nil {
			return nil, sum, err
		}
		switch {
		case w.Type == "summary":
			err = json.Unmarshal(line, &sum)
		case w.Verdict == checker.Violation.String(), w.Verdict == checker.Assumption.String(), w.Verdict == checker.Disagreement.String():
			found = &w
		}
		if err != nil {
			return nil, sum, err
		}
	}
	if sum.Type == "" {
		return nil, sum, errors.New("mutants: a mutated sweep printed no summary")
	}
	return found, sum, nil
}

// passes demands that the tool as it is passes the world that shows the mutant.
func (h *hunt) passes(found *world) error {
	clean, err := h.shop.unchanged()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(h.shop.ctx, 4*h.shop.budget+time.Second)
	defer cancel()
	args := []string{"run", strconv.FormatUint(found.Seed, 10), "--scenario", found.Scenario, "--strategy", h.shop.strategy.String()}
	if found.Property == checker.Reference {
		args = append(args, "--shadow")
	}
	p := h.shop.command(ctx, clean, args...)
	if text, err := p.CombinedOutput(); err != nil {
		return &unfitError{exitSelf, fmt.Sprintf("mutants: seed %d of scenario %s fails without a planted bug: %s",
			found.Seed, found.Scenario, firstLines(text, 3))}
	}
	return nil
}
