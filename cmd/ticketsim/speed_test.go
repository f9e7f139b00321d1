package main

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/checker/blackbox"
	"ticketing/checker/blackbox/plain"
	"ticketing/cmd/ticketsim/pairs"
	"ticketing/sim"
)

// The benchmarks are what `ticketsim bench` measures, one by one and without turns: for profiles, and for benchstat.

// BenchmarkSweep is a batch of the default sweep, all judges, repeats and canaries included.
func BenchmarkSweep(b *testing.B) {
	defer pairs.OnCores(1)()
	e := shipping()
	t, err := (&bench{engine: &e}).totals(sim.New(ships))
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := (&bench{engine: &e}).swept(batchSeeds, 1)
		require.NoError(b, err)
	}
	t.report(b)
}

// BenchmarkAlone is the same worlds with nobody who watches.
func BenchmarkAlone(b *testing.B) {
	defer pairs.OnCores(1)()
	e := shipping()
	w := sim.New(ships)
	t, err := (&bench{engine: &e}).totals(w)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		bare(w, batchSeeds)
	}
	t.report(b)
}

// report tells the rates of so many batches. An event is one that changed something.
func (t sweepTotals) report(b *testing.B) {
	batches := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(t.useful*batches, "events/s")
	b.ReportMetric(t.ops*batches, "ops/s")
	b.ReportMetric(batchSeeds*batches, "worlds/s")
}

// BenchmarkFloor is an event of a bare loop: pop and push of a typed heap of 64, and a handler that does nothing.
func BenchmarkFloor(b *testing.B) {
	f := newFloor()
	b.ReportAllocs()
	b.ResetTimer()
	f.run(b.N)
}

// BenchmarkJudges judges histories of one key, 16 callers and a fifth unknown, of a thousand operations to a million.
func BenchmarkJudges(b *testing.B) {
	judge := blackbox.NewJudge()
	for _, ops := range growthSizes {
		b.Run(strconv.Itoa(ops), func(b *testing.B) {
			h, err := history(lossy(ops))
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				require.Equal(b, blackbox.Legal, judge.Check(h).Result)
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N*len(h.Ops))*1e9, "ns/operation")
		})
	}
}

// BenchmarkPorcupineAlone judges a history of the same kind without what makes that short.
func BenchmarkPorcupineAlone(b *testing.B) {
	h, err := history(lossy(128))
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		require.Equal(b, plain.Legal, plain.Check(h, time.Minute))
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N*len(h.Ops))*1e9, "ns/operation")
}

// BenchmarkLoopback is a batch of worlds as goroutines in real time, over TCP.
func BenchmarkLoopback(b *testing.B) {
	all, seeds := realParams()
	for b.Loop() {
		require.NoError(b, realTime(all, seeds))
	}
	b.ReportMetric(realWorlds*float64(b.N)/b.Elapsed().Seconds(), "worlds/s")
}
