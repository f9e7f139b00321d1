package main

import (
	"fmt"

	"ticketing/cmd/ticketsim/pairs"
)

// Bounds of the seeds whose memory is measured: there must be a tenth of them, and an end.
const (
	minMemorySeeds = 10
	maxMemorySeeds = 1_000_000_000
)

// memory measures what a sweep on one core keeps resident, at most, and whether that grows as it goes on.
func (b *bench) memory() error {
	var megabytes []float64
	for _, seeds := range []uint64{b.seeds / 10, b.seeds} {
		p, err := b.child(exitOK, []string{"GOMAXPROCS=1"}, "sweep", "--jobs", "1", "--seeds", fmt.Sprintf("0..%d", seeds), "--json")
		if err != nil {
			return err
		}
		bytes, ok := pairs.ResidentMax(p)
		if !ok {
			return nil // nobody knows it here
		}
		megabytes = append(megabytes, bytes/1e6)
		b.tell(fmt.Sprintf("memory at most, a sweep of %s seeds", grouped(seeds)), bytes/1e6, "MB/core", atMost(64))
	}
	b.tell("ten times as many seeds, of the fewer", megabytes[1]/megabytes[0], "times", atMost(1.25))
	return nil
}
