// Package seeds is the regression corpus: worlds that once showed something, each as a text file that a person reads
// and a test replays.
//
// # A case
//
// A case is prose, then a header, then the recorded picks, in a file with the ending ".case":
//
//	# Two grants in one read, the first for a request that was cancelled.
//	# The second must still be told.
//	case 1
//	scenario swarm
//	seed 4711
//	fingerprint 0123456789abcdef
//	world fedcba9876543210
//	verdict pass
//	picks
//	scenario.nodes 0/4
//	…
//
// The header's lines come in this order. seed says where the case came from; it is the picks that are replayed. Where they
// were made fewer it is "seed 4711 shrunk", and where another strategy than random answered (choice.Strategies) that stands
// between: "seed 4711 pct shrunk". fingerprint and world, which may be left out, are those of the build that recorded it
// (checker.Fingerprint, checker.WorldFingerprint): where only the first has changed, the client has. verdict is pass, or
// violation, assumption or inconclusive and the property. A case whose picks no longer answer what the world asks has
// diverged: it tests nothing any more, and says so.
package seeds

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"ticketing/checker"
	"ticketing/sim"
	"ticketing/sim/choice"
)

// Version is the version of the format. No other is read.
const Version = 1

// MaxCase bounds a case file, in bytes.
const MaxCase = 16 << 20

// Case is one world to replay, and what came of it.
type Case struct {
	Prose    string // lines without their '#'
	Scenario string
	Seed     uint64
	Strategy string // that answered the seed's questions; empty: choice.Random
	Shrunk   bool   // the picks are no longer those of the seed
	Build    uint64 // fingerprint of the build that recorded it; 0: not known
	World    uint64 // that of its worlds, whatever the client in them; 0: not known
	Verdict  string // "pass", "violation", "assumption" or "inconclusive"
	Property string // of other than pass
	Picks    []choice.Pick
}

// Load reads a case file. Errors name the file, and the line where there is one.
func Load(fsys fs.FS, name string) (*Case, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("seeds: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxCase+1))
	if err != nil {
		return nil, fmt.Errorf("seeds: %w", err)
	}
	if len(text) > MaxCase {
		return nil, fmt.Errorf("seeds: %s: more than %d bytes", name, MaxCase)
	}
	c, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("seeds: %s: %w", name, err)
	}
	return c, nil
}

// Parse reads a case from its text.
func Parse(text []byte) (*Case, error) {
	c := &Case{}
	r := reader{rest: text}
	var prose strings.Builder
	for bytes.HasPrefix(r.rest, []byte("#")) {
		prose.WriteString(strings.TrimPrefix(r.next()[1:], " ") + "\n")
	}
	c.Prose = prose.String()
	if err := c.header(&r); err != nil {
		return nil, err
	}
	if n := len(r.rest); n > 0 && r.rest[n-1] != '\n' {
		return nil, fmt.Errorf("line %d: the file is cut off", r.line+1+bytes.Count(r.rest, []byte{'\n'}))
	}
	// Empty lines in the place of those before, so that errors count the lines of the file.
	var err error
	if c.Picks, err = choice.ParseText(append(bytes.Repeat([]byte{'\n'}, r.line), r.rest...)); err != nil {
		return nil, err
	}
	return c, nil
}

// header reads the lines from the version to the picks. Its errors, too, show little of a line: it may be as long as the
// file.
func (c *Case) header(r *reader) error {
	if v := r.field("case"); v != strconv.Itoa(Version) {
		r.fail("version %.40q, this is version %d", v, Version)
	}
	c.Scenario = r.field("scenario")
	if _, ok := sim.FindScenario(c.Scenario); !ok {
		r.fail("there is no scenario %.40q", c.Scenario)
	}
	seed, shrunk := strings.CutSuffix(r.field("seed"), " shrunk")
	seed, how, named := strings.Cut(seed, " ")
	if _, ok := choice.NewStrategy(how); named && (!ok || how == choice.Random) {
		r.fail("there is no strategy %.40q", how)
	}
	c.Strategy = how
	var err error
	if c.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		r.fail("seed %.40q is not a number of 64 bits", seed)
	}
	c.Shrunk = shrunk
	c.Build = r.hash("fingerprint")
	c.World = r.hash("world")
	c.Verdict, c.Property, _ = strings.Cut(r.field("verdict"), " ")
	if err := c.check(); err != nil {
		r.fail("%w", err)
	}
	r.bare("picks")
	return r.err
}

// check says what is wrong with the verdict.
func (c *Case) check() error {
	switch c.Verdict {
	case "pass":
		if c.Property != "" {
			return fmt.Errorf("verdict pass with a property %.40q", c.Property)
		}
	case "violation", "assumption", "inconclusive":
		if c.Property == "" {
			return fmt.Errorf("verdict %s without a property", c.Verdict)
		}
		if len(c.Property) > propertyMax || strings.Trim(c.Property, propertyBytes) != "" {
			return fmt.Errorf("%.40q is not the name of a property", c.Property)
		}
	default:
		return fmt.Errorf("verdict %.40q is none of pass, violation, assumption, inconclusive", c.Verdict)
	}
	return nil
}

// What the name of a property is made of. Names are printed as they are.
const (
	propertyMax   = 64
	propertyBytes = "abcdefghijklmnopqrstuvwxyz0123456789-"
)

// Text is the case as a file.
func (c *Case) Text() []byte {
	var b bytes.Buffer
	for line := range strings.Lines(c.Prose) {
		fmt.Fprintf(&b, "# %s\n", strings.TrimRight(line, "\n"))
	}
	fmt.Fprintf(&b, "case %d\nscenario %s\nseed %d", Version, c.Scenario, c.Seed)
	if c.Strategy != "" && c.Strategy != choice.Random {
		b.WriteString(" " + c.Strategy)
	}
	if c.Shrunk {
		b.WriteString(" shrunk")
	}
	b.WriteByte('\n')
	if c.Build != 0 {
		fmt.Fprintf(&b, "fingerprint %016x\n", c.Build)
	}
	if c.World != 0 {
		fmt.Fprintf(&b, "world %016x\n", c.World)
	}
	fmt.Fprintf(&b, "verdict %s\npicks\n", strings.TrimSpace(c.Verdict+" "+c.Property))
	return choice.AppendText(b.Bytes(), c.Picks)
}

// Replay runs the case. diverged says where the picks stopped being answers to what the world asks. The result is then
// that of a world like it, which follows them as far as they still mean something (choice.Replay): it may show that a
// failure is still there, and never that it is gone.
func (c *Case) Replay(r *checker.Runner, trace func(string)) (res checker.Result, diverged, err error) {
	return c.ReplayWith(r, checker.Config{Trace: trace})
}

// ReplayWith is Replay as config says, but for scenario and source, which are those of the case.
func (c *Case) ReplayWith(r *checker.Runner, config checker.Config) (res checker.Result, diverged, err error) {
	var picks choice.Replay
	picks.Reset(c.Picks)
	config.Scenario, config.Source = c.Scenario, &picks
	res, err = r.Run(c.Seed, config)
	if err != nil {
		return res, nil, err
	}
	if d := picks.Divergence(); d != nil {
		diverged = errors.New(d.Error()) // the replay is used again
	} else if n := picks.Left(); n > 0 {
		diverged = fmt.Errorf("seeds: the run ends with %d of %d picks left", n, len(c.Picks))
	}
	if res.Verdict != checker.Pass {
		picks.Reset(c.Picks)
		res.Tail = r.Tail(res, &picks)
	}
	return res, diverged, nil
}

// Met reports whether a result is the one that the case expects.
func (c *Case) Met(res checker.Result) bool {
	return res.Verdict.String() == c.Verdict && res.Property == c.Property
}

// Record runs a seed and makes a case of it.
func Record(r *checker.Runner, seed uint64, scenario, prose string) (*Case, checker.Result, error) {
	return RecordBy(r, seed, scenario, "", prose)
}

// RecordBy is Record of what a strategy makes of the seed. One that does not exist panics.
func RecordBy(r *checker.Runner, seed uint64, scenario, strategy, prose string) (*Case, checker.Result, error) {
	source, ok := choice.NewStrategy(cmp.Or(strategy, choice.Random))
	if !ok {
		panic("seeds: there is no strategy " + strategy)
	}
	source.Reset(seed)
	picks := choice.Recorder{Source: source}
	res, err := r.Run(seed, checker.Config{Scenario: scenario, Source: &picks})
	if err != nil {
		return nil, res, err
	}
	return &Case{
		Prose: prose, Scenario: res.Scenario, Seed: seed, Strategy: strategy,
		Build: checker.Fingerprint(res.Scenario), World: checker.WorldFingerprint(res.Scenario),
		Verdict: res.Verdict.String(), Property: res.Property, Picks: picks.Picks,
	}, res, nil
}

// reader reads the lines of a header. It keeps the first error.
type reader struct {
	rest []byte
	line int
	err  error
}

// fail says what is wrong with the line that was read last.
func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("line %d: "+format, append([]any{r.line}, args...)...)
	}
}

func (r *reader) next() string {
	line, rest, ended := bytes.Cut(r.rest, []byte{'\n'})
	r.line++
	if !ended {
		r.fail("the file is cut off")
	}
	r.rest = rest
	return string(line)
}

func (r *reader) field(name string) string {
	if r.err != nil {
		return ""
	}
	line := r.next()
	got, value, ok := strings.Cut(line, " ")
	if !ok || got != name || value == "" {
		r.fail("%.40q, want %q and a value", line, name)
	}
	return value
}

// hash reads a field that may be left out: 0.
func (r *reader) hash(name string) uint64 {
	if !bytes.HasPrefix(r.rest, []byte(name+" ")) {
		return 0
	}
	text := r.field(name)
	h, err := strconv.ParseUint(text, 16, 64)
	if err != nil || len(text) != 16 {
		r.fail("%s %.40q is not 16 hexadecimal digits", name, text)
	}
	return h
}

func (r *reader) bare(name string) {
	if r.err != nil {
		return
	}
	if line := r.next(); line != name {
		r.fail("%.40q, want %q", line, name)
	}
}
