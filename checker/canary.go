package checker

import (
	"fmt"

	"ticketing/checker/audit"
	"ticketing/client/demux"
	"ticketing/sim/choice"
	"ticketing/sim/reference"
)

// Canary is a fault that is planted in worlds, and the judge that must notice it. Nobody else judges these worlds, so that a
// judge who went blind is not covered up for by another. Some canaries are cores that misbehave, some are services that
// break an assumption that nothing declares.
type Canary struct {
	Name string
	// Judge is an audit, by name; or History, Reference, Calm or Memory.
	Judge    string
	scenario string
	wrong    wrong // of the core
}

// CanaryTries is in how many worlds a canary is looked for before it is missed. The rarest of them shows in one world in
// twelve: that it shows in none of so many happens once in two thousand million tries. Most show in the first.
const CanaryTries = 256

// Song is what became of a canary.
type Song struct {
	Canary  *Canary
	Heard   bool
	Worlds  int    // that ran
	Because string // of one that was not heard
}

// canaries are all of them. Those of one judge stand apart, so that a few chunks of a sweep hear many judges.
var canaries = [...]Canary{
	{"token-from-a-backup", "service", "broken-token", notWrong},
	{"owner-twice", "owners", "calm", reusesOwner},
	{"told-to-another", "ledger", "calm", tellsAnother},
	{"wrong-address", "dials", "leader-storm", dialsNext},
	{"wrong-cause", "causes", "cancel-storm", tellsCause},
	{"late-timers", "deadlines", "half-open", timesLate},
	{"call-forgotten", "writes", "calm", forgetsCall},
	{"lane-for-ever", "lane", "hostile-server", keepsOrphans},
	{"turned-away", "bounds", "capacity", turnsAway},
	{"close-that-is-none", "shut-down", "calm", goesOn},
	{"alarm-too-late", "wake", "half-open", timesLate},
	{"one-address", "reach", "clocks", dialsFirst},
	{"wrong-token", History, "calm", tellsOther},
	{"no-rest", Calm, "calm", ticksOn},
	{"place-lost", Memory, "calm", losesPlace},
	{"two-leaders", "service", "broken-double", notWrong},
	{"two-holders", History, "broken-double", notWrong},
	{"told-to-nobody", "ledger", "calm", tellsNobody},
	{"unknown-as-not-sent", "ledger", "half-open", tellsUnsent},
	{"granted-after-all", "service", "broken-final", notWrong},
	{"another-jitter", Reference, "leader-storm", drawsOther},
}

// Canaries tries canaries. It keeps no runner from one try to the next: those of all would be most of a sweep's memory. It is
// not safe for concurrent use.
type Canaries struct{ source choice.Seeded }

// NewCanaries makes Canaries.
func NewCanaries() *Canaries { return &Canaries{} }

// Try runs a canary, by a number that goes round them all, on up to CanaryTries seeds from the one given on, until its judge
// notices the fault.
func (c *Canaries) Try(number, seed uint64) Song {
	canary := &canaries[number%uint64(len(canaries))]
	return c.try(canary, canary.runner(), seed)
}

func (c *Canaries) try(canary *Canary, runner *Runner, seed uint64) (s Song) {
	s.Canary = canary
	defer func() {
		if what := recover(); what != nil {
			s.Heard, s.Because = false, fmt.Sprint("panic: ", what)
		}
	}()
	for s.Worlds < CanaryTries {
		// A source of our own: the story of a fault that is known needs no telling.
		c.source.Reset(seed + uint64(s.Worlds))
		res, err := runner.Run(seed+uint64(s.Worlds), Config{Scenario: s.Canary.scenario, Source: &c.source})
		s.Worlds++
		switch {
		case err != nil:
			s.Because = err.Error()
			return s
		case s.Canary.heard(&res):
			s.Heard = true
			return s
		}
	}
	s.Because = fmt.Sprintf("%d worlds of %s, and %s noticed nothing", s.Worlds, s.Canary.scenario, s.Canary.Judge)
	return s
}

// heard says whether a verdict is that of the canary's judge. A core that panics, or breaks a duty, is stopped by the world:
// no judge spoke.
func (c *Canary) heard(res *Result) bool {
	switch res.Verdict {
	case Violation:
		wanted := map[string]string{Reference: Reference, Calm: Calm, Memory: Memory}[c.Judge]
		if wanted != "" {
			return res.Property == wanted
		}
		return res.Property != Panic && res.Property != Duty && res.Property != Calm
	case Assumption:
		return c.Judge == "service"
	}
	return false
}

// runner makes one whose worlds have the fault, and only the judge.
func (c *Canary) runner() *Runner {
	r := &Runner{shadowed: c.Judge == Reference}
	r.init(func(o demux.Options) (demux.Core, error) {
		core, err := c.core(o)
		if err != nil || !r.shadowed {
			return core, err
		}
		naive, err := reference.New(o)
		return reference.NewPair(core, naive), err
	}, RunnerOptions{Without: auditsBut(c.Judge), WithoutHistory: c.Judge != History, WithoutMemory: c.Judge != Memory})
	return r
}

func (c *Canary) core(o demux.Options) (demux.Core, error) {
	misled := c.wrong.options(o)
	core, err := demux.New(misled)
	return &astray{Core: core, wrong: c.wrong}, err
}

// auditsBut are the names of all audits but one.
func auditsBut(name string) (names []string) {
	for _, a := range audit.Audits {
		if a.Name != name {
			names = append(names, a.Name)
		}
	}
	return names
}
