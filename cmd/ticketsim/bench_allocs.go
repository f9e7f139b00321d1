package main

import (
	"runtime"

	"ticketing/checker/audit"
	"ticketing/checker/blackbox"
	"ticketing/cmd/ticketsim/pairs"
	"ticketing/sim"
	"ticketing/sim/choice"
)

// heapUse is what was allocated.
type heapUse struct{ objects, bytes uint64 }

// allocated is what f allocates.
func allocated(f func()) heapUse {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return heapUse{after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc}
}

// lesser keeps the lesser of some measurements: the runtime allocates too, but not every time.
func lesser(times int, measure func() heapUse) heapUse {
	least := measure()
	for range times - 1 {
		if u := measure(); u.objects < least.objects {
			least = u
		}
	}
	return least
}

// allocSeeds is how many worlds the allocations of events are counted in. Twice that they run before.
const allocSeeds = 300

// worldUse is what worlds allocate in all, as they are made and while they run to the end of their last event.
type worldUse struct {
	events      int64
	made, going heapUse
}

// worldUses runs worlds; then is called as each ends.
func worldUses(w *sim.World, then func()) (sum worldUse) {
	var src choice.Seeded
	for seed := range uint64(allocSeeds) {
		var p sim.Params
		src.Reset(seed)
		made := allocated(func() {
			p = sim.Scenarios[0].Draw(&src)
			w.Reset(&p, &src)
		})
		going := allocated(func() {
			for w.Failure() == nil && w.Events() < p.EventsMax && w.Step() {
			}
			then()
		})
		sum.events += w.Events()
		sum.made.objects += made.objects
		sum.going.objects += going.objects
	}
	return sum
}

// warmUse is what worlds allocate that ran before, so that all tables have their room.
func warmUse(w *sim.World, then func()) worldUse {
	worldUses(w, then)
	least := worldUses(w, then)
	for range 2 {
		if u := worldUses(w, then); u.going.objects < least.going.objects {
			least = u
		}
	}
	return least
}

// allocs measures what is allocated for each event.
func (b *bench) allocs() error {
	defer pairs.OnCores(1)()
	alone := warmUse(sim.New(ships), func() {})
	events := float64(alone.events)
	b.tell("allocations, the world and the client's core", float64(alone.going.objects)/events, "/event", atMost(0))

	var rec sim.Recorder
	watched := sim.New(ships, audit.All()...)
	watched.SetRecorder(&rec)
	greedy := blackbox.NewJudge()
	all := warmUse(watched, func() { greedy.Greedy(rec.History(watched.Params())) })
	b.tell("allocations, with audits, the history and the greedy judge", float64(all.going.objects)/events, "/event", atMost(0))
	b.tell("allocations to draw and to set up a world", float64(all.made.objects)/allocSeeds, "/world")

	var s *sweep
	var err error
	u := lesser(3, func() heapUse {
		return allocated(func() { s, err = b.swept(batchSeeds, 1) })
	})
	if err != nil {
		return err
	}
	b.tell("allocations of a sweep, its beginning and Porcupine included", float64(u.objects)/float64(s.tally.events), "/event")
	b.tell("allocated by a sweep, its beginning and Porcupine included", float64(u.bytes)/float64(s.tally.events), "bytes/event")
	return nil
}
