package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
)

// figure is one thing that was measured.
type figure struct {
	Type  string  `json:"type"`
	Item  string  `json:"item"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Must  string  `json:"must,omitempty"` // what has to hold
	Holds *bool   `json:"holds,omitempty"`
}

// must is what has to hold of a figure.
type must struct {
	most  bool // or least
	bound float64
}

func atLeast(v float64) must { return must{bound: v} }
func atMost(v float64) must  { return must{most: true, bound: v} }

func (m must) String() string {
	if m.most {
		return "at most " + number(m.bound)
	}
	return "at least " + number(m.bound)
}

func (m must) holds(v float64) bool { return m.most && v <= m.bound || !m.most && v >= m.bound }

// figures tells each as it comes: a bench takes minutes.
type figures struct {
	w    io.Writer
	json *json.Encoder // nil: as a table
	err  error
}

func newFigures(w io.Writer, asJSON bool) figures {
	f := figures{w: w}
	if asJSON {
		f.json = newEncoder(w)
	}
	return f
}

// The columns of the table.
const figureFormat = "%-9s %-62s %14s %-13s %-21s %s\n"

// head begins the output.
func (f *figures) head(build string) {
	if f.json != nil {
		f.keep(f.json.Encode(map[string]string{"type": "build", "build": build}))
		return
	}
	f.printf("%s\n", build)
	f.printf(figureFormat, "item", "figure", "value", "unit", "must be", "is it?")
}

func (f *figures) printf(format string, args ...any) {
	_, err := fmt.Fprintf(f.w, format, args...)
	f.keep(err)
}

func (f *figures) keep(err error) {
	if f.err == nil {
		f.err = err
	}
}

// tell adds a figure. Without a must nothing is demanded of it.
func (b *bench) tell(name string, v float64, unit string, m ...must) {
	row := figure{Type: "figure", Item: b.item, Name: name, Value: v, Unit: unit}
	holds := ""
	if len(m) > 0 {
		ok := m[0].holds(v)
		row.Must, row.Holds, holds = m[0].String(), &ok, "no"
		if ok {
			holds = "yes"
		}
	}
	if b.out.json != nil {
		b.out.keep(b.out.json.Encode(row))
		return
	}
	b.out.printf(figureFormat, row.Item, row.Name, number(v), unit, row.Must, holds)
}

// number writes three digits at least, and all of those before the point.
func number(v float64) string {
	switch {
	case v < 0:
		return "-" + number(-v)
	case v == math.Trunc(v) && v < 1<<53, v >= 100:
		return grouped(uint64(math.Round(v)))
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 0.01:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}
