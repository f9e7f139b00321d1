package main

import (
	"ticketing/checker"
	"ticketing/checker/audit"
	"ticketing/client/demux"
	"ticketing/sim"
)

// spoiled is the engine that ships, with a client that says busy where a wait ran out.
func spoiled() engine {
	e := shipping()
	e.newRunner = func() runner { return checker.NewRunnerOf(hasty) }
	e.newWorld = func() *sim.World { return sim.New(hasty, audit.All()...) }
	return e
}

type hastyCore struct{ demux.Core }

func hasty(o demux.Options) (demux.Core, error) {
	core, err := demux.New(o)
	return hastyCore{core}, err
}

func (h hastyCore) CopyFrom(src demux.Core) { h.Core.CopyFrom(src.(hastyCore).Core) }

func (h hastyCore) Step(now demux.Time, in *demux.Input) []demux.Effect {
	effects := h.Core.Step(now, in)
	for i := range effects {
		if effects[i].Outcome == demux.TimedOut {
			effects[i].Outcome = demux.Busy
		}
	}
	return effects
}
