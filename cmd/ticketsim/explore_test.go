package main

import (
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"

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
	e.fingerprint = func(string) uint64 { return 0xbad }
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

// ranWorld is a world that ships. Where the environment says RAN, that file tells that one was made.
func ranWorld() *sim.World {
	if name := os.Getenv("RAN"); name != "" {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			panic(err)
		}
	}
	return shipping().newWorld()
}

// timing is the line of an exploration that no two runs share.
var timing = regexp.MustCompile(`(?m)^[0-9.]+ s, [0-9,]+ states/s\n`)

// alike compares what two explorations printed, but for that line, which each must have: alike FILE FILE
func alike(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: alike file file")
	}
	var without [2]string
	for i, name := range args {
		text := ts.ReadFile(name)
		without[i] = timing.ReplaceAllString(text, "")
		if without[i] == text {
			ts.Fatalf("%s has no line of timing", name)
		}
	}
	if without[0] != without[1] {
		ts.Fatalf("%s:\n%s\n%s:\n%s", args[0], without[0], args[1], without[1])
	}
}
