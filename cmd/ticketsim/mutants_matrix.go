package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"ticketing/seeds/mutants"
)

// The seeds of a row of the matrix. A bug that shows in none of them without a judge survives without it.
const (
	matrixOwn   = 512 // of the mutant's own scenario
	matrixOther = 64  // of every other; of all, twice as many, for a mutant without one
)

// need is a row of the matrix.
type need struct {
	shown  bool     // somebody noticed the mutant
	judges []string // each: without it, nobody notices
}

// needs says which judges a mutant needs.
func (s *shop) needs(m *mutants.Mutant, overlay string) (n need, err error) {
	order, err := s.order(m)
	if err != nil {
		return n, err
	}
	built, err := s.plant(m, overlay)
	if err != nil {
		return n, err
	}
	for _, scenario := range order {
		size := matrixOther
		switch m.Scenario {
		case scenario:
			size = matrixOwn
		case "":
			size *= 2
		}
		v, err := s.judge(built, scenario, size)
		if err != nil {
			return n, err
		}
		switch {
		case v.Failing == 0:
			continue
		case n.shown:
			n.judges = slices.DeleteFunc(n.judges, func(j string) bool { return !slices.Contains(v.Needed, j) })
		default:
			n.shown, n.judges = true, v.Needed
		}
		if len(n.judges) == 0 {
			break
		}
	}
	return n, nil
}

// judge has a mutated tool run some seeds. In one that crashes nobody noticed anything.
func (s *shop) judge(tool sick, scenario string, size int) (v verdicts, err error) {
	ctx, cancel := context.WithTimeout(s.ctx, 4*s.budget)
	defer cancel()
	p := s.command(ctx, tool.path, "judges", "--scenario", scenario, fmt.Sprintf("0..%d", size))
	p.Env = tool.env
	text, err := p.Output()
	var failed *exec.ExitError
	switch {
	case s.ctx.Err() != nil:
		return v, s.ctx.Err()
	case ctx.Err() != nil:
		return v, &unfitError{exitInconclusive, fmt.Sprintf("mutants: %d seeds of %s take longer than %v", size, scenario, 4*s.budget)}
	case errors.As(err, &failed):
		return v, nil
	case err != nil:
		return v, err
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return v, fmt.Errorf("mutants: a mutated tool said what its judges need in other words: %w", err)
	}
	return v, nil
}

// printMatrix writes a row a mutant, as soon as it is known, and what comes of all. Where no bug needs a judge, nothing
// shows what it is for.
func (c *mutantsCmd) printMatrix(w io.Writer, judges []string, all []*mutants.Mutant, results []chan trial) (code exit, err error) {
	width := 0
	for _, m := range all {
		width = max(width, len(m.ID))
	}
	_, err = fmt.Fprintf(w, "# Which judges each planted bug needs, by: go run ./cmd/ticketsim mutants --matrix\n"+
		"# X: without this judge, with all others, nothing shows in %d seeds of its scenario and %d of each other.\n%-*s  %s\n",
		matrixOwn, matrixOther, width, "", strings.Join(judges, "  "))
	count := map[string]int{}
	for k := 0; k < len(all) && err == nil; k++ {
		r := <-results[k]
		if errors.Is(r.err, errInterrupted) {
			return code, nil
		}
		code = worst(code, r.code)
		for _, j := range r.need.judges {
			count[j]++
		}
		_, err = fmt.Fprintf(w, "%-*s  %s\n", width, all[k].ID, needText(judges, &r))
	}
	for i := 0; i < len(judges) && err == nil; i++ {
		n := count[judges[i]]
		_, err = fmt.Fprintf(w, "without %s %d planted bugs survive\n", judges[i], n)
		if n == 0 && c.Only == "*" {
			code = worst(code, exitViolation)
		}
	}
	return code, err
}

// needText is a row: a column a judge, or why there is none.
func needText(judges []string, r *trial) string {
	switch {
	case r.err != nil:
		return "NO RESULT: " + r.err.Error()
	case !r.need.shown:
		return "no judge speaks in these seeds"
	}
	line := ""
	for _, j := range judges {
		mark := "."
		if slices.Contains(r.need.judges, j) {
			mark = "X"
		}
		line += fmt.Sprintf("%-*s  ", len(j), mark)
	}
	return strings.TrimRight(line, " ")
}
