package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"ticketing/sim/clock"
)

// replay is the line to paste that runs a world again.
func replay(o *outcome) string {
	line := "go run ./cmd/ticketsim run "
	if o.file != "" {
		line += quoted(o.file)
	} else {
		line += fmt.Sprintf("%d --scenario %s%s", o.Seed, o.Scenario, o.strategy.flag())
	}
	if o.shadow {
		line += " --shadow"
	}
	if o.file == "" && o.build != 0 {
		line += " --fingerprint " + hex(o.build)
	}
	if o.shrunk {
		return line + " --shrink"
	}
	return line + " --trace"
}

// printFailure tells one failure: the property, the instant, the facts that contradict, the last events, and last
// how to see it again.
func printFailure(w io.Writer, o *outcome) {
	fmt.Fprintf(w, "%s of %s at %s, event %d of seed %d\n", o.verdict, o.Property, instant(o.At), o.Event, o.Seed)
	for _, f := range o.Facts {
		fmt.Fprintf(w, "    %s\n", f)
	}
	if len(o.Tail) > 0 {
		fmt.Fprintln(w, "  the last events:")
	}
	for _, l := range o.Tail {
		fmt.Fprintf(w, "    %s\n", l)
	}
	if o.loose != "" {
		fmt.Fprintf(w, "  it is no longer the run that was kept, but like it: %s\n", o.loose)
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
	Strategy      string            `json:"strategy"`
	Shadow        bool              `json:"shadow"`
	Missing       []string          `json:"missing"`         // rows at zero that should not be
	Canaries      uint64            `json:"canaries"`        // planted faults beside the seeds
	CanaryWorlds  uint64            `json:"canary_worlds"`   // that they took
	CanariesGone  []string          `json:"canaries_missed"` // by the judges that should notice them
	Counters      map[string]uint64 `json:"counters"`
}

// summary adds up a sweep that is over.
func (s *sweep) summary() summary {
	t := &s.tally
	sum := summary{
		Type: "summary", Scenario: s.scenario, Strategy: s.strategy.String(), Seeds: t.seeds, Passed: t.passed, Violations: t.violations,
		Assumptions: t.assumptions, Inconclusive: t.inconclusive, Disagreements: t.disagreements, Internal: t.internals,
		Findings: len(t.findings.kinds), Unlisted: t.findings.dropped,
		Complete: s.signal == exitOK && !t.findings.enough(),
		Events:   t.events, Ops: t.ops, Seconds: s.took.Seconds(), Hash: hex(t.hash),
		Canaries: t.chorus.tried, CanaryWorlds: t.chorus.worlds, CanariesGone: t.chorus.names(),
		PerWorld: t.sample.quantiles(), Shadow: s.shadow, Missing: []string{}, Counters: map[string]uint64{},
	}
	for _, c := range t.counters {
		sum.Counters[c.Name] += c.Count
	}
	for _, c := range s.missing() {
		sum.Missing = append(sum.Missing, c.Name)
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
	Tail     []string `json:"tail"` // the last events before that
	Hash     string   `json:"hash"`
	Events   int64    `json:"events"`
	Ops      int64    `json:"ops"`
	Build    string   `json:"fingerprint"`     // of the build
	Case     string   `json:"case,omitempty"`  // file of the case
	Loose    string   `json:"loose,omitempty"` // where the case is no longer the run that was kept
	Count    uint64   `json:"count,omitempty"` // of a finding: seeds that failed this way
	Replay   string   `json:"replay"`
}

func newWorld(kind string, o *outcome, count uint64) world {
	return world{
		Type: kind, Seed: o.Seed, Scenario: o.Scenario, Verdict: o.verdict, Property: o.Property, At: int64(o.At),
		Event: o.Event, Facts: append([]string{}, o.Facts...), Tail: append([]string{}, o.Tail...),
		Hash: hex(o.Hash), Events: o.Events, Ops: o.Ops, Build: hex(o.build), Case: o.file, Loose: o.loose, Count: count, Replay: replay(o),
	}
}

// encodeSweep writes a line a finding and then the summary.
func encodeSweep(w io.Writer, s *sweep, sum *summary) error {
	b := bufio.NewWriter(w)
	enc := newEncoder(b)
	for _, f := range s.tally.findings.sorted() {
		line := newWorld("finding", &f.outcome, f.count)
		line.Case = f.kept
		if err := enc.Encode(line); err != nil {
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
	printRare(b, s.tally.counters, sum.Seeds)
	fmt.Fprintf(b, "scenario %s%s: %s seeds, %s passed, %s violations, %s broken assumptions, %s inconclusive, %s disagreements, %s internal errors\n",
		sum.Scenario, s.strategy.aside(), grouped(sum.Seeds), grouped(sum.Passed), grouped(sum.Violations), grouped(sum.Assumptions),
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
	for _, c := range s.missing() {
		fmt.Fprintf(b, "%s never happened, and %s seeds of %s should show it: the worlds no longer try it\n", c.Name, grouped(c.Needs), sum.Scenario)
	}
	s.tally.chorus.print(b)
	for _, f := range s.tally.findings.sorted() {
		seeds := "seeds"
		if f.count == 1 {
			seeds = "seed"
		}
		fmt.Fprintf(b, "\n%s %s: ", grouped(f.count), seeds)
		printFailure(b, &f.outcome)
		if f.kept == "" {
			continue
		}
		if f.how != "" {
			fmt.Fprintln(b, f.how)
		}
		fmt.Fprintf(b, "go run ./cmd/ticketsim run %s --trace\n", quoted(f.kept))
	}
	return b.Flush()
}
