package main

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"ticketing/checker"
	"ticketing/seeds"
	"ticketing/sim"
)

// runner runs and judges worlds, one after the other. It is not safe for concurrent use.
type runner interface {
	Run(seed uint64, c checker.Config) (checker.Result, error)
	Counters() []checker.Counter
}

// engine makes runners. The tool knows no more of the simulator than this.
type engine struct {
	scenarios []string // the first is the default
	newRunner func() runner
	// newShadowed makes one whose clients run the reference core beside their own.
	newShadowed func() runner
	// newCanaries makes what tries planted faults. nil: there are none.
	newCanaries func() canaries
	// judges are the names of those who judge a world, and newRunnerLess makes a runner without one.
	judges        []string
	newRunnerLess func(judge string) runner
	// declares says whether a scenario breaks this assumption on purpose.
	declares func(scenario, assumption string) bool
	// replay runs a case. diverged says where its picks stopped being answers.
	replay func(r runner, c *seeds.Case, config checker.Config) (res checker.Result, diverged, err error)
	// record runs a seed and makes a case of it.
	record func(r runner, seed uint64, scenario string, how strategy, prose string) (*seeds.Case, checker.Result, error)
	// newWorld makes a watched world, for those who step it themselves.
	newWorld func() *sim.World
	// fingerprint identifies what this build does with the seeds of a scenario.
	fingerprint func(scenario string) uint64
	// worlds is the same for its worlds alone, whatever the client in them.
	worlds func(scenario string) uint64
}

// maker returns what makes runners, shadowed or not.
func (e *engine) maker(shadow bool) func() runner {
	if shadow {
		return e.newShadowed
	}
	return e.newRunner
}

// canaries makes them, nil if there are none.
func (e *engine) canaries() canaries {
	if e.newCanaries == nil {
		return nil
	}
	return e.newCanaries()
}

// build is the fingerprint of this build, 0 where it panics: that is the finding's to tell.
func (e *engine) build(scenario string) uint64 { return orZero(e.fingerprint, scenario) }

// worldBuild is that of its worlds.
func (e *engine) worldBuild(scenario string) uint64 { return orZero(e.worlds, scenario) }

func orZero(fingerprint func(string) uint64, scenario string) (h uint64) {
	defer func() {
		if recover() != nil {
			h = 0
		}
	}()
	return fingerprint(scenario)
}

// scenario returns the scenario of that name; "" is the default.
func (e *engine) scenario(name string) (string, error) {
	if name == "" {
		return e.scenarios[0], nil
	}
	if !slices.Contains(e.scenarios, name) {
		return "", fmt.Errorf("--scenario: unknown scenario %q, not one of %s", name, strings.Join(e.scenarios, ", "))
	}
	return name, nil
}

// outcome is what became of one seed.
type outcome struct {
	checker.Result
	verdict  string // as printed; "internal" where the world could not be run to its end
	code     exit
	file     string   // of the case that it is of, or ""
	loose    string   // of a case: where it is no longer the run that was kept, and shows the same all the same
	strategy strategy // that answered
	shadow   bool     // its clients ran the reference core as well
	shrunk   bool     // it is shorter than what its seed or its file runs
	build    uint64   // fingerprint of the build that found it, once told
}

// try runs one seed.
func (e *engine) try(r runner, seed uint64, c checker.Config) outcome {
	return e.guard(seed, c.Scenario, func() (checker.Result, error) { return r.Run(seed, c) })
}

// guard makes an outcome of what a run returns. A panic below is an outcome too: the seed that caused it must
// not be lost. The runner is not to be used after one.
func (e *engine) guard(seed uint64, scenario string, run func() (checker.Result, error)) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = internal(seed, scenario, "panic", fmt.Sprint(p), panicPlace(debug.Stack()))
		}
	}()
	res, err := run()
	if err != nil {
		return internal(seed, scenario, "error", err.Error())
	}
	declared := res.Verdict == checker.Assumption && e.declares(scenario, res.Property)
	return outcome{Result: res, verdict: res.Verdict.String(), code: exitOf(res.Verdict, declared)}
}

func internal(seed uint64, scenario, property string, facts ...string) outcome {
	return outcome{
		Result:  checker.Result{Seed: seed, Scenario: scenario, Property: property, Facts: facts},
		verdict: "internal", code: exitInternal,
	}
}

// panicPlace is the innermost place of our own code on a stack: the frame below the panic that is in this
// module.
func panicPlace(stack []byte) string {
	_, below, found := strings.Cut(string(stack), "panic(")
	if !found {
		return "at an unknown place"
	}
	lines := strings.Split(below, "\n")
	for i, l := range lines[:len(lines)-1] {
		if strings.HasPrefix(l, "ticketing/") {
			place, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
			return "at " + place
		}
	}
	return "at an unknown place"
}

// broken says whether the runner may be in pieces.
func (o *outcome) broken() bool { return o.verdict == "internal" && o.Property == "panic" }

// same says whether two runs of one seed went alike.
func same(a, b *outcome) bool {
	return a.verdict == b.verdict && a.Property == b.Property && a.Hash == b.Hash && a.Events == b.Events &&
		a.Ops == b.Ops && slices.Equal(a.Facts, b.Facts)
}

// unsteady is the outcome of a seed whose second run went another way.
func unsteady(first, second *outcome, facts ...string) outcome {
	o := *first
	o.verdict, o.code = checker.Disagreement.String(), exitSelf
	o.Property = "deterministic"
	o.Facts = append([]string{
		"one run:     " + first.verdict + " " + hex(first.Hash),
		"another run: " + second.verdict + " " + hex(second.Hash),
	}, facts...)
	return o
}

func hex(h uint64) string { return fmt.Sprintf("%016x", h) }
