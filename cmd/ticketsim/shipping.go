package main

import (
	"ticketing/checker"
	"ticketing/seeds"
)

// shipping is the engine of this project: the client that ships, in the worlds of the simulator.
func shipping() engine {
	return engine{
		scenarios: checker.Scenarios(),
		newRunner: func() runner { return checker.NewRunner() },
		declares:  func(scenario, assumption string) bool { return false },
		replay: func(r runner, c *seeds.Case, trace func(string)) (checker.Result, error, error) {
			return c.Replay(r.(*checker.Runner), trace)
		},
	}
}
