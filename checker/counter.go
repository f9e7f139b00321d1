package checker

import (
	"ticketing/client/demux"
	"ticketing/network"
	"ticketing/sim"
	"ticketing/sim/reference"
)

// Counter is one row of a sweep's table: how often something really happened.
type Counter struct {
	Name  string
	Count uint64
	Needs uint64 // seeds of the scenario after which zero is a defect; 0: none are
}

const mixed = "?"

// totals adds up the counts of many runs.
type totals struct {
	scenario string // of the runs, mixed if there are several; no scenario has that name
	sim      sim.Counts
	net      network.Counts
	core     demux.Counts
	mixed    sim.Mixed
}

func (t *totals) add(w *sim.World) {
	switch name := w.Params().Scenario; t.scenario {
	case "":
		t.scenario = name
	case name:
	default:
		t.scenario = mixed
	}
	for i, n := range w.Counts() {
		t.sim[i] += n
	}
	for i, n := range w.Mixed() {
		t.mixed[i] += n
	}
	for i, n := range w.Net().Counts() {
		t.net[i] += n
	}
	for i := range w.Params().Clients {
		core := primary(w.Core(i))
		if c, ok := core.(interface{ Counts() *demux.Counts }); ok {
			for k, n := range c.Counts() {
				t.core[k] += n
			}
		}
	}
}

// primary is the core that counts, of two that run side by side.
func primary(core demux.Core) demux.Core {
	if p, ok := core.(*reference.Pair); ok {
		return p.Primary()
	}
	return core
}

// Counters are the counts of all runs since NewRunner, in a fixed order, so that those of several runners add up. Where all
// runs were of one scenario, rows say what they need.
func (r *Runner) Counters() []Counter {
	var all []Counter
	for i, n := range r.total.core {
		all = append(all, Counter{Name: demux.CountNames[i], Count: n})
	}
	for i, n := range r.total.net {
		all = append(all, Counter{Name: network.Count(i).String(), Count: n})
	}
	for i, n := range r.total.sim {
		all = append(all, Counter{Name: sim.Count(i).String(), Count: n})
	}
	for i, n := range r.total.mixed {
		if sim.MixedNames[i] != "" {
			all = append(all, Counter{Name: sim.MixedNames[i], Count: n})
		}
	}
	for i := range all {
		all[i].Needs = Needs(r.total.scenario, all[i].Name)
	}
	return all
}
