package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
	"ticketing/seeds"
	"ticketing/sim/choice"
)

// Bounds of a fuzzed world: faults come as often as the bytes say, and never so rarely as in a world of the sweep.
const (
	fuzzBytes  = 1 << 14
	fuzzEvents = 20_000
)

// fuzzed runs the world whose choices are bytes, and makes a case of it.
func fuzzed(e *engine, r runner, scenario string, data []byte) (outcome, *seeds.Case) {
	var answers choice.Bytes
	answers.Reset(data)
	picks := choice.Recorder{Source: &answers}
	o := e.try(r, 0, checker.Config{Scenario: scenario, Source: &picks, EventsMax: fuzzEvents})
	return o, &seeds.Case{Prose: "Found by fuzzing.\n", Scenario: scenario, Shrunk: true, Verdict: o.verdict, Property: o.Property, Picks: picks.Picks}
}

// FuzzWorld lets the coverage of the client decide which worlds to try. A failure prints a case: keep it in a file, and
// ticketsim run FILE --shrink.
func FuzzWorld(f *testing.F) {
	e := shipping()
	r := e.newRunner()
	f.Add([]byte{})
	for seed := range uint64(8) {
		f.Add(noise(seed, 400))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, c := fuzzed(&e, r, e.scenarios[0], data[:min(len(data), fuzzBytes)])
		if o.broken() {
			r = e.newRunner()
		}
		switch o.verdict {
		case checker.Pass.String(), checker.Inconclusive.String():
		case "internal":
			t.Fatal(o.Property, o.Facts)
		default:
			t.Fatalf("%s of %s: %q\n%s", o.verdict, o.Property, o.Facts, c.Text())
		}
	})
}

func noise(seed uint64, n int) []byte {
	var g choice.Generator
	g.Reset(seed)
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(g.Uint64())
	}
	return data
}

// TestBytesFindABug: bytes that nobody chose find a client that is wrong, and the case that is printed shows it again.
func TestBytesFindABug(t *testing.T) {
	e := spoiled()
	r := e.newRunner()
	for seed := uint64(0); ; seed++ {
		require.Less(t, seed, uint64(500))
		o, c := fuzzed(&e, r, "capacity", noise(seed, 400))
		if o.verdict != checker.Violation.String() {
			continue
		}
		read, err := seeds.Parse(bytes.Clone(c.Text()))
		require.NoError(t, err)
		res, diverged, err := read.ReplayWith(r.(*checker.Runner), checker.Config{})
		require.NoError(t, err)
		require.NoError(t, diverged)
		require.True(t, read.Met(res))
		return
	}
}
