package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"ticketing/checker"
	"ticketing/sim/clock"
)

// replay is the line to paste that runs a world again.
func replay(o *outcome) string {
	if o.file != "" {
		return fmt.Sprintf("go run ./cmd/ticketsim run %s --trace", quoted(o.file))
	}
	return fmt.Sprintf("go run ./cmd/ticketsim run %d --scenario %s --trace", o.Seed, o.Scenario)
}

// printFailure tells one failure: the property, the instant, the facts that contradict, and last how to see it
// again.
func printFailure(w io.Writer, o *outcome) {
	fmt.Fprintf(w, "%s of %s at %s, event %d of seed %d\n", o.verdict, o.Property, instant(o.At), o.Event, o.Seed)
	for _, f := range o.Facts {
		fmt.Fprintf(w, "    %s\n", f)
	}
	fmt.Fprintln(w, replay(o))
}

// instant writes world time in seconds, to the nanosecond.
func instant(t clock.Time) string { return time.Duration(t).String() }

// summary is the last line of a sweep. Two sweeps of the same seeds have equal hashes exactly if every world
// went alike, whatever the order in which they ran.
type summary struct {
	Type          string            `json:"type"`
	Scenario      string            `json:"scenario"`
	Seeds         uint64            `json:"seeds"`
	Passed        uint64            `json:"passed"`
	Violations    uint64            `json:"violations"`
	Assumptions   uint64            `json:"assumptions"`
	Inconclusive  uint64            `json:"inconclusive"`
	Disagreements uint64            `json:"disagreements"`
	Internal      uint64            `json:"internal"`
	Findings      int               `json:"findings"`
	Unlisted      uint64            `json:"unlisted"`
	Complete      bool              `json:"complete"`
	Events        int64             `json:"events"`
	Ops           int64             `json:"ops"`
	Seconds       float64           `json:"seconds"`
	Hash          string            `json:"hash"`
	PerWorld      quantiles         `json:"events_per_world"`
	Counters      map[string]uint64 `json:"counters"`
}

// summary adds up a sweep that is over.
func (s *sweep) summary() summary {
	t := &s.tally
	sum := summary{
		Type: "summary", Scenario: s.scenario, Seeds: t.seeds, Passed: t.passed, Violations: t.violations,
		Assumptions: t.assumptions, Inconclusive: t.inconclusive, Disagreements: t.disagreements, Internal: t.internals,
		Findings: len(t.findings.kinds), Unlisted: t.findings.dropped,
		Complete: s.signal == exitOK && !t.findings.enough(),
		Events:   t.events, Ops: t.ops, Seconds: s.took.Seconds(), Hash: hex(t.hash),
		PerWorld: t.sample.quantiles(), Counters: map[string]uint64{},
	}
	for _, c := range t.counters {
		sum.Counters[c.Name] += c.Count
	}
	return sum
}

// world is one run or finding as JSON.
type world struct {
	Type     string   `json:"type"`
	Seed     uint64   `json:"seed"`
	Scenario string   `json:"scenario"`
	Verdict  string   `json:"verdict"`
	Property string   `json:"property"`
	At       int64    `json:"at"` // nanoseconds of world time
	Event    int64    `json:"event"`
	Facts    []string `json:"facts"`
	Hash     string   `json:"hash"`
	Events   int64    `json:"events"`
	Ops      int64    `json:"ops"`
	Case     string   `json:"case,omitempty"`  // file of the case
	Count    uint64   `json:"count,omitempty"` // of a finding: seeds that failed this way
	Replay   string   `json:"replay"`
}

func newWorld(kind string, o *outcome, count uint64) world {
	return world{
		Type: kind, Seed: o.Seed, Scenario: o.Scenario, Verdict: o.verdict, Property: o.Property, At: int64(o.At),
		Event: o.Event, Facts: append([]string{}, o.Facts...), Hash: hex(o.Hash), Events: o.Events, Ops: o.Ops,
		Case: o.file, Count: count, Replay: replay(o),
	}
}

// encodeSweep writes a line a finding and then the summary.
func encodeSweep(w io.Writer, s *sweep, sum *summary) error {
	b := bufio.NewWriter(w)
	enc := newEncoder(b)
	for _, f := range s.tally.findings.sorted() {
		if err := enc.Encode(newWorld("finding", &f.outcome, f.count)); err != nil {
			return err
		}
	}
	if err := enc.Encode(sum); err != nil {
		return err
	}
	return b.Flush()
}

func newEncoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// printSweep writes the table of counters, the totals, and then the findings, so that what to do next stands
// last.
func printSweep(w io.Writer, s *sweep, sum *summary) error {
	b := bufio.NewWriter(w)
	printCounters(b, s.tally.counters)
	fmt.Fprintf(b, "scenario %s: %s seeds, %s passed, %s violations, %s broken assumptions, %s inconclusive, %s disagreements, %s internal errors\n",
		sum.Scenario, grouped(sum.Seeds), grouped(sum.Passed), grouped(sum.Violations), grouped(sum.Assumptions),
		grouped(sum.Inconclusive), grouped(sum.Disagreements), grouped(sum.Internal))
	fmt.Fprintf(b, "%s events, %s ops in %.1f s (%s seeds/s); events a world: half %d, 90%% %d, 99%% %d, most %d\n",
		grouped(uint64(sum.Events)), grouped(uint64(sum.Ops)), sum.Seconds, grouped(rate(sum.Seeds, s.took)),
		sum.PerWorld.P50, sum.PerWorld.P90, sum.PerWorld.P99, sum.PerWorld.Max)
	fmt.Fprintf(b, "hash %s\n", sum.Hash)
	switch {
	case s.signal != exitOK:
		fmt.Fprintln(b, "interrupted: this is the state so far")
	case s.tally.findings.enough():
		fmt.Fprintf(b, "stopped at %d different findings\n", s.tally.findings.failing)
	}
	for _, f := range s.tally.findings.sorted() {
		fmt.Fprintf(b, "\n%s seeds: ", grouped(f.count))
		printFailure(b, &f.outcome)
	}
	return b.Flush()
}

// printCounters writes how often each thing really happened.
func printCounters(w io.Writer, rows []checker.Counter) {
	width := len("counter")
	for _, c := range rows {
		width = max(width, len(c.Name))
	}
	fmt.Fprintf(w, "%-*s  %15s\n", width, "counter", "times")
	for _, c := range rows {
		fmt.Fprintf(w, "%-*s  %15s\n", width, c.Name, grouped(c.Count))
	}
}
