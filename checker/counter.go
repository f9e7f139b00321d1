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
}

// totals adds up the counts of many runs.
type totals struct {
	sim  sim.Counts
	net  network.Counts
	core demux.Counts
}

func (t *totals) add(w *sim.World) {
	for i, n := range w.Counts() {
		t.sim[i] += n
	}
	for i, n := range w.Net().Counts() {
		t.net[i] += n
	}
	for i := range w.Params().Clients {
		core := w.Core(i)
		if p, ok := core.(*reference.Pair); ok {
			core = p.Primary()
		}
		if c, ok := core.(interface{ Counts() *demux.Counts }); ok {
			for k, n := range c.Counts() {
				t.core[k] += n
			}
		}
	}
}

// Counters are the counts of all runs since NewRunner, in a fixed order, so that those of several runners add up.
func (r *Runner) Counters() []Counter {
	var all []Counter
	for i, n := range r.total.core {
		all = append(all, Counter{demux.CountNames[i], n})
	}
	for i, n := range r.total.net {
		all = append(all, Counter{network.Count(i).String(), n})
	}
	for i, n := range r.total.sim {
		all = append(all, Counter{sim.Count(i).String(), n})
	}
	return all
}
