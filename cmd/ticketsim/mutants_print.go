package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"ticketing/seeds/mutants"
)

// planted is one mutant as JSON. The figures are medians over the ranges of seeds.
type planted struct {
	Mutant   string  `json:"mutant"`
	Kind     string  `json:"kind"`
	Rule     string  `json:"rule"`
	Caught   bool    `json:"caught"`
	Property string  `json:"property"` // or the test that failed
	Scenario string  `json:"scenario"`
	Seed     uint64  `json:"seed"` // shows it, in the scenario
	Seeds    uint64  `json:"seeds"`
	CPU      float64 `json:"cpu_s"`
	CPUMost  float64 `json:"cpu_s_most"`
	Error    string  `json:"error,omitempty"`
}

func newPlanted(m *mutants.Mutant, r *trial) planted {
	p := planted{Mutant: m.ID, Kind: string(m.Kind), Rule: m.Rule(), Caught: r.code == exitOK}
	if r.err != nil {
		p.Error = r.err.Error()
	}
	all := r.caught
	if m.Kind == mutants.Test {
		all = []catch{r.found}
	}
	if !p.Caught || len(all) == 0 {
		return p
	}
	slices.SortFunc(all, func(a, b catch) int { return cmp.Compare(a.cpu, b.cpu) })
	mid := all[len(all)/2]
	p.Property, p.Scenario, p.Seed, p.Seeds, p.CPU = mid.property, mid.scenario, mid.seed, mid.seeds, mid.cpu.Seconds()
	p.CPUMost = all[len(all)-1].cpu.Seconds()
	return p
}

// print tells of each mutant once its trial is over, and then of all. It ends with the first error of w.
func (c *mutantsCmd) print(w io.Writer, all []*mutants.Mutant, results []chan trial) (code exit, err error) {
	width := [2]int{len("mutant"), len("breaks")}
	for _, m := range all {
		width[0], width[1] = max(width[0], len(m.ID)), max(width[1], len(m.Rule()))
	}
	row := func(cells ...any) {
		_, err = fmt.Fprintf(w, "%-*s  %-*s  %9s  %8s  %s\n", append([]any{width[0], cells[0], width[1]}, cells[1:]...)...)
	}
	if !c.JSON {
		row("mutant", "breaks", "seeds", "cpu s", "noticed by")
	}
	var times []time.Duration
	survived := 0
	for k, m := range all {
		if err != nil {
			return code, err
		}
		r := <-results[k]
		if errors.Is(r.err, errInterrupted) {
			return code, nil
		}
		code = worst(code, r.code)
		p := newPlanted(m, &r)
		switch {
		case p.Caught && m.Kind == mutants.Sweep:
			times = append(times, time.Duration(p.CPU*float64(time.Second)))
		case r.code == exitViolation:
			survived++
		}
		if c.JSON {
			err = newEncoder(w).Encode(p)
			continue
		}
		row(p.Mutant, p.Rule, grouped(p.Seeds), fmt.Sprintf("%.2f", p.CPU), noticed(&p, r.code))
	}
	if c.JSON || err != nil {
		return code, err
	}
	last := fmt.Sprintf("%d planted bugs, %d survived", len(all), survived)
	if len(times) > 0 {
		slices.Sort(times)
		last += fmt.Sprintf("; a sweep notices after %.2f s of a processor in half of the cases, %.2f s at most",
			times[len(times)/2].Seconds(), times[len(times)-1].Seconds())
	}
	_, err = fmt.Fprintln(w, last)
	return code, err
}

// noticed is the last column: who noticed, or why nobody did.
func noticed(p *planted, code exit) string {
	switch {
	case p.Error != "":
		return "NO RESULT: " + p.Error
	case code == exitViolation:
		return "SURVIVED"
	case p.Kind == string(mutants.Test):
		return p.Property
	}
	return fmt.Sprintf("%s, %s seed %d", p.Property, p.Scenario, p.Seed)
}
