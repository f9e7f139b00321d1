package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"ticketing/cmd/ticketsim/pairs"
)

// workload is something that both tools do.
type workload struct {
	name string
	unit string // a second
	args []string
	// units reads from what the tool printed how much it did: two builds need not run the same worlds.
	units func(out []byte) (float64, error)
}

// workloads are what is compared. The history that both judge is b's, in dir.
func workloads(o *options, dir string) ([]workload, error) {
	history := filepath.Join(dir, "history")
	generate := exec.Command(o.b, "check", "--generate", strconv.Itoa(o.ops), "--lost-acquires", "20", "--lost-releases", "20", history)
	if out, err := generate.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %w: %s", generate.Args, err, bytes.TrimSpace(out))
	}
	return []workload{
		{"sweep", "events/s", []string{"sweep", "--jobs", "1", "--seeds", fmt.Sprintf("0..%d", o.seeds), "--json"}, field("summary", "events")},
		{"check", "ops/s", []string{"check", "--json", history}, field("check", "ops")},
	}, nil
}

// field reads a number of the last JSON object of a type.
func field(kind, name string) func(out []byte) (float64, error) {
	return func(out []byte) (float64, error) {
		units := 0.0
		for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
			var row map[string]any
			if err := dec.Decode(&row); err != nil {
				return 0, err
			}
			if n, ok := row[name].(float64); ok && row["type"] == kind {
				units = n
			}
		}
		if units <= 0 {
			return 0, fmt.Errorf("no %s in what it printed", name)
		}
		return units, nil
	}
}

// cost runs a tool once, on one core, and returns the processor time that a unit took, in seconds.
func (l *workload) cost(tool string) (float64, error) {
	p := exec.Command(tool, l.args...)
	p.Env = append(os.Environ(), "GOMAXPROCS=1")
	var stderr bytes.Buffer
	p.Stderr = &stderr
	out, err := p.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %s", tool, err, bytes.TrimSpace(stderr.Bytes()))
	}
	units, err := l.units(out)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", tool, err)
	}
	return (p.ProcessState.UserTime() + p.ProcessState.SystemTime()).Seconds() / units, nil
}

// measured is a workload's result.
type measured struct {
	a, b      float64 // median cost of a unit
	ratio     float64 // b's cost of a's, the median over the rounds
	low, high float64 // where the true one lies
}

// measure runs a workload in interleaved rounds, every other one backwards.
func (l *workload) measure(o *options) (measured, error) {
	var all [2][]float64
	var ratios []float64
	for i := range o.rounds {
		var cost [2]float64
		for k := range cost {
			if i%2 == 1 {
				k = 1 - k
			}
			var err error
			if cost[k], err = l.cost([...]string{o.a, o.b}[k]); err != nil {
				return measured{}, err
			}
			if cost[k] <= 0 {
				return measured{}, errors.New("it took no time that can be measured")
			}
			all[k] = append(all[k], cost[k])
		}
		ratios = append(ratios, cost[1]/cost[0])
	}
	return resultOf(all[0], all[1], ratios), nil
}

func resultOf(a, b, ratios []float64) measured {
	r := measured{a: pairs.Median(a), b: pairs.Median(b), ratio: pairs.Median(ratios)}
	r.low, r.high = pairs.Interval(ratios)
	return r
}

// slower says whether b takes surely more than limit times as long.
func (r *measured) slower(limit float64) bool { return r.low > limit }

func (r *measured) line(l *workload, limit float64) string {
	says := "as fast"
	switch {
	case r.slower(limit):
		says = fmt.Sprintf("SLOWER beyond %.2f", limit)
	case r.low > 1:
		says = "slower"
	case r.high < 1:
		says = "faster"
	}
	return fmt.Sprintf("%-8s %14.0f %14.0f %-9s %7.3fx  %.3f to %.3f   %s", l.name, 1/r.a, 1/r.b, l.unit, r.ratio, r.low, r.high, says)
}
