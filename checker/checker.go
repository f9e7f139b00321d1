// Package checker runs one world to one verdict: it puts together the world, the client that ships, the audits that
// watch it and the judges of its history.
//
// It decides no property itself. Audits know ground truth and are in checker/audit; the black-box judges know only
// what callers saw and are in checker/blackbox.
package checker

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"ticketing/checker/audit"
	"ticketing/checker/blackbox"
	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
	"ticketing/sim/reference"
)

// Verdict is what a run came to.
type Verdict uint8

// The verdicts.
const (
	Pass         Verdict = iota + 1
	Violation            // a property was violated
	Assumption           // an assumption that the protocol makes of the service was broken
	Inconclusive         // a budget was spent first
	Disagreement         // the judges contradict each other: the tool itself is wrong
)

var verdictNames = [...]string{"none", "pass", "violation", "assumption", "inconclusive", "disagreement"}

func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("verdict(%d)", v)
}

// The properties that no audit and no judge of the history has.
const (
	Calm      = "calm"      // after the faults stop, a world comes to rest, by when its parameters say
	Duty      = "duty"      // a core asks only for what its driver can do (demux.Core)
	Panic     = "panic"     // a core does not panic
	Memory    = "memory"    // a client loses no place of its tables
	Redact    = "redact"    // no dump shows the credential
	Clone     = "clone"     // a clone is encoded as the world that it is of; where it is not, the tool is wrong
	Reference = "reference" // the core that ships does what the naive one does, up to the freedom that the protocol leaves
)

// Result is the verdict of one run, and what it rests on.
type Result struct {
	Seed     uint64
	Scenario string
	Verdict  Verdict
	Property string     // violated; empty on a pass
	At       clock.Time // when the contradiction showed
	Event    int64      // during which event
	Facts    []string   // what contradicts, a line each
	Tail     []string   // of a seeded run that did not pass: the last facts before that, a line each
	Hash     uint64     // over the whole event log
	Events   int64
	Ops      int64 // operations in the history
}

// Config says how to run one world.
type Config struct {
	Scenario string            // empty: the default
	Source   choice.Source     // nil: the strategy, begun by the run's seed
	Strategy choice.Strategy   // nil: choice.Seeded
	Trace    func(line string) // nil: none. Called with each fact as it happens
	Story    func(line string) // nil: none. Called with each fact that a person needs, in plain words
	// EventsMax ends the run, as inconclusive, where it is sooner than the scenario's own bound. 0: it is not.
	EventsMax int64
	// Dump is where the state of the world after the event At goes, or, should the world not get there, that after its
	// last one. nil: nowhere.
	Dump io.Writer
	At   int64
	// CloneEvery is after how many events, again and again, a clone of the world goes on in its place. 0: none does. The
	// result must be the same; a clone whose encoding differs is a disagreement.
	CloneEvery int64
}

// Runner runs worlds, one after the other, and reuses their memory. It is not safe for concurrent use: have one a
// goroutine.
type Runner struct {
	world      *sim.World
	spare      *sim.World // for clones; nil until one is asked for
	encodings  [2][]byte  // of a world and its clone
	make       func() *sim.World
	record     sim.Recorder
	judge      *blackbox.Judge
	seeded     choice.Seeded
	total      totals
	dump       io.Writer // of this run; nil: none, or done
	dumpAt     int64
	cloneEvery int64
	clones     int  // of this run
	shadowed   bool // its clients run two cores: sim/reference beside the one that ships

	withoutHistory, withoutCalm, withoutMemory bool
}

// NewRunner makes a Runner of worlds that run the client that ships.
func NewRunner() *Runner {
	return NewRunnerOf(func(o demux.Options) (demux.Core, error) { return demux.New(o) })
}

// NewShadowedRunner makes a Runner whose clients run two cores at once: the one that ships, and the naive one of package
// sim/reference. The first difference between them is a violation of the property "reference".
func NewShadowedRunner() *Runner {
	r := &Runner{shadowed: true}
	r.init(func(o demux.Options) (demux.Core, error) {
		core, err := demux.New(o)
		if err != nil {
			return nil, err
		}
		naive, err := reference.New(o)
		if err != nil {
			return nil, err
		}
		return reference.NewPair(core, naive), nil
	}, RunnerOptions{})
	return r
}

// NewRunnerOf makes a Runner of worlds that run another core.
func NewRunnerOf(newCore sim.NewCore) *Runner { return NewRunnerWith(newCore, RunnerOptions{}) }

// RunnerOptions says how a Runner differs from the usual one.
type RunnerOptions struct {
	Without []string // audits that are left out, by name (audit.Audits). One that does not exist panics
	// WithoutHistory leaves out the judges of the history.
	WithoutHistory bool
	// WithoutCalm leaves out that a world has to come to rest: one that does not is cut off, and passes.
	WithoutCalm bool
	// WithoutMemory leaves out that tables lose no places.
	WithoutMemory bool
}

// NewRunnerWith makes a Runner of worlds that run a core, with options.
func NewRunnerWith(newCore sim.NewCore, o RunnerOptions) *Runner {
	r := &Runner{}
	r.init(newCore, o)
	return r
}

func (r *Runner) init(newCore sim.NewCore, o RunnerOptions) {
	r.judge = blackbox.NewJudge()
	r.withoutHistory, r.withoutCalm, r.withoutMemory = o.WithoutHistory, o.WithoutCalm, o.WithoutMemory
	r.make = func() *sim.World { return sim.New(newCore, audit.Except(o.Without...)...) }
	r.world = r.make()
	r.world.SetRecorder(&r.record)
}

// Declares says whether a scenario breaks an assumption on purpose, so that a verdict which names it is a pass there.
func Declares(scenario, property string) bool {
	s, ok := sim.FindScenario(scenario)
	return ok && s.Breaks != "" && s.Breaks == property
}

// Scenarios are the names of the scenarios; the first is the default.
func Scenarios() []string {
	var names []string
	for _, s := range sim.Scenarios {
		names = append(names, s.Name)
	}
	return names
}

// Run runs one world to its end and judges it. The error is one of the configuration: nothing ran.
func (r *Runner) Run(seed uint64, c Config) (Result, error) {
	if c.Scenario == "" {
		c.Scenario = sim.Scenarios[0].Name
	}
	s, ok := sim.FindScenario(c.Scenario)
	if !ok {
		return Result{}, fmt.Errorf("checker: there is no scenario %q", c.Scenario)
	}
	strategy := c.Strategy
	if strategy == nil {
		strategy = &r.seeded
	}
	src := c.Source
	if src == nil {
		strategy.Reset(seed)
		src = strategy
	}
	w := r.world
	w.SetTrace(c.tracer(w))
	p := s.Draw(src)
	if c.EventsMax > 0 {
		p.EventsMax = min(p.EventsMax, c.EventsMax)
	}
	w.Reset(&p, src)
	res := Result{Seed: seed, Scenario: c.Scenario}
	r.dump, r.dumpAt, r.cloneEvery, r.clones = c.Dump, c.At, c.CloneEvery, 0
	r.guarded(&res)
	r.cloneEvery = 0
	r.dumpNow()
	r.total.add(r.world)
	if res.Verdict != Pass && c.Source == nil {
		strategy.Reset(seed)
		res.Tail = r.Tail(res, strategy)
	}
	return res, nil
}

// tracer is what the world tells its facts, nil if nobody listens.
func (c *Config) tracer(w *sim.World) func(*sim.Fact) {
	if c.Trace == nil && c.Story == nil {
		return nil
	}
	trace, story := c.Trace, c.Story
	return func(f *sim.Fact) {
		if trace != nil {
			trace(f.Text(w))
		}
		if story == nil {
			return
		}
		if line, ok := f.Story(w); ok {
			story(line)
		}
	}
}

// guarded runs the world. A client that panics, or breaks a duty without which the world cannot go on, is a violation
// like any other; a panic of anything else is not caught.
func (r *Runner) guarded(res *Result) {
	defer func() {
		what := recover()
		if what == nil {
			return
		}
		w := r.world
		res.Verdict, res.At, res.Event, res.Events, res.Hash = Violation, w.Now(), w.Events(), w.Events(), w.Hash()
		f := PanicOf(what)
		if f == nil {
			panic(what)
		}
		res.Property, res.Facts = f.Property, f.Facts
	}()
	r.run(res)
}

// panicPlace is the function of this module that panicked: the first one above the runtime's own. It is called while the
// panic is being recovered.
func panicPlace() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicking := false
	for {
		f, more := frames.Next()
		panicking = panicking || f.Function == "runtime.gopanic"
		if panicking && strings.HasPrefix(f.Function, "ticketing/") {
			return fmt.Sprintf("%s line %d", f.Function, f.Line)
		}
		if !more {
			return ""
		}
	}
}

// run steps the world until it ends or an audit fails, and then lets the judges speak.
func (r *Runner) run(res *Result) {
	w := r.world
	ended, rest := false, restBy(w.Params())
	var leak *sim.Failure
	for !ended && leak == nil && w.Failure() == nil && r.difference() == nil && w.Events() < w.Params().EventsMax && w.Now() < rest {
		if r.dump != nil && w.Events() == r.dumpAt {
			r.dumpNow()
		}
		if r.cloneEvery != 0 && w.Events() > 0 && w.Events()%r.cloneEvery == 0 {
			if f := r.moveToClone(); f != nil {
				res.Verdict, res.Property, res.Facts = Violation, f.Property, f.Facts
				if f.Property == Clone {
					res.Verdict = Disagreement
				}
				return
			}
			w = r.world
		}
		ended = !w.Step()
		if ended || w.Events()%leaksEvery == 0 {
			leak = r.leaky()
		}
	}
	res.Hash, res.Events, res.At, res.Event = w.Hash(), w.Events(), w.Now(), w.Events()
	h := r.record.History(w.Params())
	res.Ops = int64(len(h.Ops))
	f, d := w.Failure(), r.difference()
	if f == nil {
		f = leak
	}
	switch {
	case d != nil:
		res.Verdict, res.Property, res.Facts = Violation, Reference, strings.Split(strings.TrimSpace(d.String()), "\n")
	case f != nil:
		res.Verdict, res.Property, res.At, res.Event, res.Facts = blame(f.Property), f.Property, f.At, f.Event, f.Facts
	case !ended && w.Events() >= w.Params().EventsMax:
		res.Verdict, res.Property = Inconclusive, "events"
		res.Facts = []string{fmt.Sprintf("%d events were taken, and the world goes on", w.Events())}
	case !ended && r.withoutCalm:
		res.Verdict = Pass
	case !ended:
		res.Verdict, res.Property = Violation, Calm
		res.Facts = w.Unrest()
	default:
		r.judgeHistory(res)
	}
}

// blame says on whom a failed audit throws doubt: on the service, whose assumption it is, or on the client.
func blame(property string) Verdict {
	if strings.HasPrefix(property, audit.AssumptionPrefix) {
		return Assumption
	}
	return Violation
}

// dumpNow writes the state, once a run.
func (r *Runner) dumpNow() {
	if r.dump != nil {
		r.world.Dump(r.dump)
		r.dump = nil
	}
}

// difference is where the two cores of a shadowed client parted, or nil. A core that this world does not use may have
// kept that of an earlier one.
func (r *Runner) difference() *reference.Difference {
	if !r.shadowed {
		return nil
	}
	for i := range r.world.Params().Clients {
		if d := r.world.Core(i).(*reference.Pair).Difference(); d != nil {
			return d
		}
	}
	return nil
}

func (r *Runner) judgeHistory(res *Result) {
	if r.withoutHistory {
		res.Verdict = Pass
		return
	}
	v := r.judge.Check(r.record.History(r.world.Params()))
	switch v.Result {
	case blackbox.Legal:
		res.Verdict = Pass
		return
	case blackbox.Illegal:
		res.Verdict, res.Property = Violation, v.Property
	case blackbox.Inconclusive:
		res.Verdict, res.Property = Inconclusive, "steps"
	default:
		res.Verdict, res.Property = Disagreement, v.Result.String()
	}
	res.At, res.Facts = clock.Time(v.At), v.Facts
}
