package main

import (
	"fmt"
	"sync"
	"time"

	"ticketing/cmd/ticketsim/pairs"
	"ticketing/sim"
	"ticketing/sim/choice"
)

// batchSeeds is how many worlds one batch runs, the same ones every time: about a quarter of a second of them.
const batchSeeds = 2_000

// floorEvents is how many events one batch of the floor takes.
const floorEvents = 1_000_000

// sweepTotals is what the worlds of a batch come to. It is the same every time.
type sweepTotals struct {
	events, useful, ops float64
}

// swept runs a sweep of the default scenario as the command does, repeats and canaries included. All of it must pass: a world
// that ends early is faster than one that does not.
func (b *bench) swept(seeds uint64, jobs int) (*sweep, error) {
	s := &sweep{
		engine: b.engine, scenario: b.engine.scenarios[0], seeds: seedRange{0, seeds}, start: time.Now(),
		tally: tally{findings: newFindings(1)},
	}
	defer relaxCollector()()
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(s.work)
	}
	workers.Wait()
	s.took = time.Since(s.start)
	if code := s.exit(); code != exitOK {
		return s, fmt.Errorf("a sweep of seeds 0..%d has status %d, and only what passes is measured: sweep says more", seeds, code)
	}
	return s, nil
}

// bare runs the worlds of seeds with nobody who watches, and says how many events they took, and how many of those changed
// something: a dispatch in vain does not count as an event.
func bare(w *sim.World, seeds uint64) (events, useful int64) {
	var src choice.Seeded
	for seed := range seeds {
		src.Reset(seed)
		p := sim.Scenarios[0].Draw(&src)
		w.Reset(&p, &src)
		for w.Events() < p.EventsMax && w.Step() {
		}
		events, useful = events+w.Events(), useful+w.Events()-w.Idle()
	}
	return events, useful
}

// totals are those of a batch. That nobody watches must change nothing.
func (b *bench) totals(w *sim.World) (sweepTotals, error) {
	s, err := b.swept(batchSeeds, 1)
	if err != nil {
		return sweepTotals{}, err
	}
	events, useful := bare(w, batchSeeds)
	if events != s.tally.events {
		return sweepTotals{}, fmt.Errorf("worlds take %d events while they are watched and %d alone", s.tally.events, events)
	}
	return sweepTotals{float64(events), float64(useful), float64(s.tally.ops)}, nil
}

// sweeps measures the default sweep on one core: with all judges, the world alone, and a bare heap of events.
func (b *bench) sweeps() error {
	defer pairs.OnCores(1)()
	w := sim.New(ships)
	t, err := b.totals(w)
	if err != nil {
		return err
	}
	f := newFloor()
	rounds, err := pairs.Interleave(b.pairs,
		func() (float64, error) {
			_, err := b.swept(batchSeeds, 1)
			return t.useful, err
		},
		func() (float64, error) {
			bare(w, batchSeeds)
			return t.useful, nil
		},
		func() (float64, error) {
			f.run(floorEvents)
			return floorEvents, nil
		},
	)
	if err != nil {
		return err
	}
	const judged, alone, heap = 0, 1, 2
	for _, c := range []struct {
		side        int
		name        string
		events, ops float64
	}{
		{judged, "all judges", 1_000_000, 100_000},
		{alone, "the world alone", 2_000_000, 150_000},
	} {
		perSecond := rounds.Rate(c.side)
		b.tell("events that change something, "+c.name, perSecond, "/s/core", atLeast(c.events))
		b.tell("lock operations, "+c.name, perSecond*t.ops/t.useful, "/s/core", atLeast(c.ops))
		b.tell("worlds, "+c.name, perSecond*batchSeeds/t.useful, "/s/core")
	}
	b.tell("dispatches that change nothing, left out above", 100*(1-t.useful/t.events), "%")
	b.tell("floor: pop and push of a typed heap of 64", 1e9/rounds.Rate(heap), "ns/event")
	b.tell("the world alone, of the floor", rounds.Ratio(heap, alone), "times", atMost(6))
	b.tell("with all judges, of the floor", rounds.Ratio(heap, judged), "times")
	b.tell("time that other processes took meanwhile", 100*rounds.Stolen(alone), "%")
	return nil
}

// cores measures a sweep on two cores beside the same on one. Here the time on the wall counts.
func (b *bench) cores() error {
	sweepOn := func(n int) pairs.Side {
		return func() (float64, error) {
			defer pairs.OnCores(n)()
			_, err := b.swept(2*batchSeeds, n)
			return 2 * batchSeeds, err
		}
	}
	rounds, err := pairs.Interleave(b.pairs, sweepOn(1), sweepOn(2))
	if err != nil {
		return err
	}
	b.tell("worlds on one core", rounds.Over(func(s []pairs.Spent) float64 { return s[0].PerWallSecond() }), "/s")
	b.tell("worlds on two cores", rounds.Over(func(s []pairs.Spent) float64 { return s[1].PerWallSecond() }), "/s")
	b.tell("two cores, of one", rounds.Over(func(s []pairs.Spent) float64 { return s[1].PerWallSecond() / s[0].PerWallSecond() }), "times", atLeast(1.9))
	b.tell("processor time of a world, on two cores of on one", rounds.Ratio(0, 1), "times")
	b.tell("time that other processes took while one core was used", 100*rounds.Stolen(0), "%")
	return nil
}
