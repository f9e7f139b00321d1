package main

import (
	"ticketing/checker"
	"ticketing/checker/audit"
	"ticketing/client/demux"
	"ticketing/seeds"
	"ticketing/sim"
)

// shipping is the engine of this project: the client that ships, in the worlds of the simulator.
func shipping() engine {
	return engine{
		scenarios:     checker.Scenarios(),
		newRunner:     func() runner { return checker.NewRunner() },
		newShadowed:   func() runner { return checker.NewShadowedRunner() },
		newCanaries:   func() canaries { return checker.NewCanaries() },
		judges:        checker.Judges(),
		newRunnerLess: func(judge string) runner { return checker.NewRunnerLess(judge) },
		declares: func(scenario, assumption string) bool {
			s, ok := sim.FindScenario(scenario)
			return ok && s.Breaks == assumption
		},
		replay: func(r runner, c *seeds.Case, config checker.Config) (checker.Result, error, error) {
			return c.ReplayWith(r.(*checker.Runner), config)
		},
		record: func(r runner, seed uint64, scenario string, how strategy, prose string) (*seeds.Case, checker.Result, error) {
			return seeds.RecordBy(r.(*checker.Runner), seed, scenario, how.String(), prose)
		},
		newWorld:    func() *sim.World { return sim.New(ships, audit.All()...) },
		fingerprint: checker.Fingerprint,
		worlds:      checker.WorldFingerprint,
	}
}

func ships(o demux.Options) (demux.Core, error) { return demux.New(o) }
