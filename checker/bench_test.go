package checker_test

import (
	"testing"

	"ticketing/checker"
	"ticketing/checker/audit"
	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/choice"
)

// benchmarkSeeds is how many worlds a benchmark goes through, again and again.
const benchmarkSeeds = 256

// BenchmarkRun runs and judges worlds: what one seed of a sweep costs.
func BenchmarkRun(b *testing.B) {
	for _, name := range checker.Scenarios() {
		b.Run(name, func(b *testing.B) {
			r := checker.NewRunner()
			var events, ops int64
			seed := uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				res, err := r.Run(seed%benchmarkSeeds, checker.Config{Scenario: name})
				if err != nil {
					b.Fatal(err)
				}
				events, ops = events+res.Events, ops+res.Ops
				seed++
			}
			report(b, events, ops)
		})
	}
}

// BenchmarkWorld runs worlds with their audits and without the judges of their histories.
func BenchmarkWorld(b *testing.B) {
	w := sim.New(func(o demux.Options) (demux.Core, error) { return demux.New(o) }, audit.All()...)
	var rec sim.Recorder
	w.SetRecorder(&rec)
	s := &sim.Scenarios[0]
	var src choice.Seeded
	var events, ops int64
	seed := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		src.Reset(seed % benchmarkSeeds)
		p := s.Draw(&src)
		w.Reset(&p, &src)
		for w.Failure() == nil && w.Step() && w.Events() < p.EventsMax {
		}
		events, ops = events+w.Events(), ops+int64(len(rec.History(w.Params()).Ops))
		seed++
	}
	report(b, events, ops)
}

// BenchmarkFingerprint computes what identifies a build's behaviour; it is done once a process.
func BenchmarkFingerprint(b *testing.B) {
	r := checker.NewRunner()
	for b.Loop() {
		for seed := range uint64(64) {
			if _, err := r.Run(seed, checker.Config{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func report(b *testing.B, events, ops int64) {
	s := b.Elapsed().Seconds()
	b.ReportMetric(float64(events)/s, "events/s")
	b.ReportMetric(float64(ops)/s, "ops/s")
	b.ReportMetric(float64(events)/float64(b.N), "events/world")
}
