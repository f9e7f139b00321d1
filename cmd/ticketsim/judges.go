package main

import (
	"fmt"
	"slices"

	"ticketing/checker"
	"ticketing/sim/choice"
)

// judgesCmd says which judges the findings of a sweep need: what do the others notice without this one?
type judgesCmd struct {
	Seeds    seedRange `arg:"" placeholder:"A..B" help:"The seeds A to B-1."`
	Scenario string    `placeholder:"NAME" help:"The scenario (default: the first of those that an unknown name lists)."`
}

// verdicts is what the judges make of some seeds, as JSON.
type verdicts struct {
	Type     string   `json:"type"`
	Scenario string   `json:"scenario"`
	Seeds    uint64   `json:"seeds"` // until nobody is needed any more
	Failing  uint64   `json:"failing"`
	Needed   []string `json:"needed"` // each: without it, the failing seeds pass; empty if none fails
}

func (c *judgesCmd) run(t *tool) (exit, error) {
	scenario, err := t.engine.scenario(c.Scenario)
	if err != nil {
		return exitUsage, err
	}
	v := t.engine.judge(scenario, c.Seeds)
	if err := newEncoder(t.stdout).Encode(v); err != nil {
		return t.complain(exitInternal, fmt.Errorf("cannot write the results: %w", err)), nil
	}
	if v.Seeds == 0 {
		return exitNothing, nil
	}
	return exitOK, nil
}

// judge runs seeds with all judges, and those that fail again without each.
func (e *engine) judge(scenario string, seeds seedRange) verdicts {
	v := verdicts{Type: "judges", Scenario: scenario, Needed: slices.Clone(e.judges)}
	source := &choice.Seeded{} // one of our own: nobody reads the last events of a world that failed
	config := checker.Config{Scenario: scenario, Source: source}
	r := e.newRunner()
	less := map[string]runner{}
	for ; v.Seeds < seeds.size() && (v.Failing == 0 || len(v.Needed) > 0); v.Seeds++ {
		seed := seeds.from + v.Seeds
		source.Reset(seed)
		o := e.try(r, seed, config)
		if o.broken() {
			r = e.newRunner()
		}
		if !speaks(&o) {
			continue
		}
		v.Failing++
		v.Needed = slices.DeleteFunc(v.Needed, func(judge string) bool {
			if less[judge] == nil {
				less[judge] = e.newRunnerLess(judge)
			}
			source.Reset(seed)
			o := e.try(less[judge], seed, config)
			if o.broken() {
				less[judge] = nil
			}
			return speaks(&o)
		})
	}
	if v.Failing == 0 {
		v.Needed = []string{} // nobody spoke: nothing shows what anybody is for
	}
	return v
}

// speaks says whether somebody noticed something. A crash of the tool is nobody's notice.
func speaks(o *outcome) bool {
	return o.verdict != "internal" && (o.Verdict == checker.Violation || o.Verdict == checker.Assumption || o.Verdict == checker.Disagreement)
}
