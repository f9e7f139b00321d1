package main

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"ticketing/sim/explore"
)

func (x *exploration) print(w io.Writer, asJSON bool) error {
	out := bufio.NewWriter(w)
	if asJSON {
		if err := newEncoder(out).Encode(x.json()); err != nil {
			return err
		}
		return out.Flush()
	}
	fmt.Fprintf(out, "scope %s: %s\n", x.scope.Name, x.scope.Doc)
	fmt.Fprintf(out, "%s: %s states, %s events taken, %s ends, longest path %d events\n",
		x.verdict(), grouped(x.States), grouped(x.Steps), grouped(x.Ends), x.Depth)
	fmt.Fprintf(out, "%s states left to symmetry, %s events to another order; digest of the states %s\n",
		grouped(x.Pruned), grouped(x.Asleep), hex(x.Digest))
	if x.Limit != explore.LimitNone {
		fmt.Fprintf(out, "ended early (%s): the rest was not visited\n", x.Limit)
	}
	if x.saved != "" {
		fmt.Fprintf(out, "go run ./cmd/ticketsim explore --scope %s%s --resume %s\n", x.scope.Name, x.how, quoted(x.saved))
	}
	fmt.Fprintf(out, "odds that a state was missed: %.2g; %.1f bytes a state, of %d encoded\n", x.missed(), x.bytes(), x.encoded())
	fmt.Fprintf(out, "%.1f s, %s states/s\n", x.took.Seconds(), grouped(rate(x.visited, x.took)))
	if x.Violation != nil {
		for _, line := range x.tale() {
			fmt.Fprintln(out, line)
		}
		switch {
		case x.kept != "":
			fmt.Fprintf(out, "go run ./cmd/ticketsim run %s --trace\n", quoted(x.kept))
		case x.runs():
			fmt.Fprintf(out, "go run ./cmd/ticketsim explore --scope %s --record %s.case\n", x.scope.Name, x.scope.Name)
		}
	}
	return out.Flush()
}

// missed is the chance that two states had one hash, at most.
func (x *exploration) missed() float64 { return float64(x.MissedPer2to64) / math.Pow(2, 64) }

func (x *exploration) bytes() float64 { return float64(x.Bytes) / float64(max(1, x.States)) }

// encoded is the mean size of an encoded state, in bytes.
func (x *exploration) encoded() uint64 { return x.Encoding / max(1, x.Met) }

// explored is one scope as JSON.
type explored struct {
	Type      string   `json:"type"`
	Scope     string   `json:"scope"`
	Verdict   string   `json:"verdict"`
	Complete  bool     `json:"complete"`
	Limit     string   `json:"limit"`
	States    uint64   `json:"states"`
	Steps     uint64   `json:"steps"`
	Ends      uint64   `json:"ends"`
	Symmetric uint64   `json:"symmetric"`
	Asleep    uint64   `json:"asleep"`
	Digest    string   `json:"digest"`
	Depth     int      `json:"depth"`
	Missed    float64  `json:"missed"` // odds
	PerState  float64  `json:"bytes_per_state"`
	Seconds   float64  `json:"seconds"`
	Property  string   `json:"property,omitempty"`
	Events    int      `json:"events,omitempty"`
	Shortest  bool     `json:"shortest,omitempty"`
	Story     []string `json:"story,omitempty"`
	Case      string   `json:"case,omitempty"`
	Saved     string   `json:"saved,omitempty"`
}

func (x *exploration) json() explored {
	e := explored{Type: "explored", Scope: x.scope.Name, Verdict: x.verdict(), Complete: x.code() == exitOK, Limit: x.Limit.String(),
		States: x.States, Steps: x.Steps, Ends: x.Ends, Symmetric: x.Pruned, Asleep: x.Asleep, Digest: hex(x.Digest), Depth: x.Depth, Missed: x.missed(),
		PerState: x.bytes(), Seconds: x.took.Seconds(), Saved: x.saved}
	if v := x.Violation; v != nil {
		e.Property, e.Events, e.Shortest, e.Story, e.Case = v.Property, v.Events, v.Shortest, x.tale(), x.kept
	}
	return e
}
