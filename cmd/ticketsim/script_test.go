package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ticketing/checker"
	"ticketing/seeds"
	"ticketing/sim/clock"
)

// TestMain lets the scripts run the tool as a process: ticketsim is what ships, ticketfake the same tool over
// an engine whose worlds end as their scenario says, ticketbad what ships with a client that is wrong.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ticketsim":  main,
		"ticketfake": func() { os.Exit(start(faked())) },
		"ticketbad":  func() { os.Exit(start(spoiled())) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "alike": alike},
	})
}

// exits runs a program and demands its exit status: exits STATUS PROGRAM ARGUMENTS...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits status program arguments...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var failed *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// faked is an engine without worlds. Each scenario shows one thing that the tool has to cope with.
func faked() engine {
	return engine{
		scenarios: []string{"calm", "violation", "kinds", "assumption", "declared", "undecided", "judges", "panic",
			"error", "unsteady", "leaky", "slow", "slowbad", "apart", "thin"},
		newRunner:   func() runner { return &fakeRunner{} },
		newWorld:    ranWorld,
		newShadowed: func() runner { return &fakeRunner{shadowed: true} },
		declares:    func(scenario, assumption string) bool { return scenario == "declared" && assumption == "a-token" },
		fingerprint: func(string) uint64 { return 0xfeed },
		worlds:      func(string) uint64 { return 0xe47 },
		record: func(r runner, seed uint64, scenario string, how strategy, prose string) (*seeds.Case, checker.Result, error) {
			res, err := r.Run(seed, checker.Config{Scenario: scenario})
			kept := "swarm" // the file may only name one that ships
			if scenario == "calm" {
				kept = scenario
			}
			return &seeds.Case{Prose: prose, Scenario: kept, Seed: seed, Build: 0xfeed, Verdict: res.Verdict.String(), Property: res.Property}, res, err
		},
		replay: func(r runner, c *seeds.Case, config checker.Config) (res checker.Result, diverged, err error) {
			if strings.HasPrefix(c.Prose, "stale") {
				diverged = errors.New("pick 0 is of another question")
			}
			// The seed's scenario is in the prose: the file may only name one that ships.
			config.Scenario, _, _ = strings.Cut(strings.TrimPrefix(c.Prose, "stale "), "\n")
			res, err = r.Run(c.Seed, config)
			return res, diverged, err
		},
	}
}

type fakeRunner struct {
	runs     uint64
	scenario string
	shadowed bool
}

func (r *fakeRunner) Counters() []checker.Counter {
	full := checker.Counter{Name: "lane/full"}
	if r.scenario == "thin" {
		full.Needs = 100
	}
	return []checker.Counter{{Name: "match/owner", Count: 2 * r.runs, Needs: 1}, full, {Name: "match/key", Count: r.runs}}
}

func (r *fakeRunner) Run(seed uint64, c checker.Config) (checker.Result, error) {
	r.runs++
	r.scenario = c.Scenario
	res := checker.Result{Seed: seed, Scenario: c.Scenario, Verdict: checker.Pass, Hash: finalize(seed),
		Events: int64(100 - seed%10), Ops: 3}
	say := func(format string, args ...any) {
		if c.Trace != nil {
			c.Trace(fmt.Sprintf(format, args...))
		}
	}
	fail := func(v checker.Verdict, property string, facts ...string) {
		res.Verdict, res.Property, res.Facts = v, property, facts
		res.At, res.Event = 1500*clock.Millisecond, 42
		res.Tail = []string{"   41     1.400000  client 1 timer", fmt.Sprintf("   42     1.500000  client %d is told %s", seed%7, property)}
	}
	say("1 acquire k seed=%d", seed)
	third := seed%10 == 3
	switch c.Scenario {
	case "violation":
		if third {
			fail(checker.Violation, "match", fmt.Sprintf("owner p-%d was granted token %d", seed, seed+1), "its caller was told busy")
		}
	case "kinds":
		fail(checker.Violation, "kind-"+string('a'+rune(seed%20)), "of a kind of its own")
	case "apart":
		if r.shadowed {
			fail(checker.Violation, "reference", "one dials", "the other does not")
		}
	case "assumption", "declared":
		if third {
			fail(checker.Assumption, "a-token", "token 7 came twice")
		}
	case "undecided":
		if third {
			fail(checker.Inconclusive, "budget", "steps ran out")
		}
	case "judges":
		if third {
			fail(checker.Disagreement, "judges", "greedy: legal", "porcupine: illegal")
		}
	case "panic":
		if third {
			panic(fmt.Sprintf("index %d out of range", seed))
		}
	case "error":
		return res, errors.New("no such world")
	case "unsteady":
		res.Hash += uint64(time.Now().UnixNano())
		say("2 now")
	case "leaky": // what the world before it did shows
		say("2 run %d of this runner", r.runs)
		res.Hash += r.runs
	case "slow":
		r.takeTime()
	case "slowbad":
		r.takeTime()
		fail(checker.Violation, "match", "as slow as bad")
	}
	if c.Dump != nil {
		fmt.Fprintf(c.Dump, "world after event %d\n  of seed %d\n", min(c.At, res.Events), seed)
	}
	say("3 end")
	return res, nil
}

// takeTime makes a world slow. Once there were some, it makes the file that the variable RAN names, for scripts that wait.
func (r *fakeRunner) takeTime() {
	if name := os.Getenv("RAN"); name != "" && r.runs == 3 {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			panic(err)
		}
	}
	time.Sleep(20 * time.Millisecond)
}
