package dialogue

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"ticketing/client/demux"
	"ticketing/sim/reference"
)

// Session is a story that is being told to one core.
type Session struct {
	make   Make
	core   demux.Core
	o      demux.Options
	now    demux.Time
	ledger *Ledger

	lines  []string   // what this block caused
	before demux.Time // the clock before this block
	first  bool       // nothing was fed in this block

	// meddle, if set, may feed an input in another way than as it is, and then returns true.
	meddle func(in *demux.Input) bool
	loose  bool // the story was meddled with: inputs that no driver could feed here are left out
}

// NewSession returns a session in which nothing was said yet.
func NewSession(core Make) *Session { return &Session{make: core, ledger: NewLedger()} }

// Ledger is the account of what the core did so far.
func (s *Session) Ledger() *Ledger { return s.ledger }

// Block feeds the inputs of one block and returns their effects, a line each. The error is one of the story's text.
func (s *Session) Block(b Block) (string, error) {
	s.lines, s.before, s.first = nil, s.now, true
	if err := s.clock(b.Clock); err != nil {
		return "", err
	}
	for _, line := range b.Inputs {
		if err := s.line(line); err != nil {
			return "", fmt.Errorf("%q: %w", line, err)
		}
	}
	if len(s.lines) == 0 {
		return "nothing\n", nil
	}
	return strings.Join(s.lines, "\n") + "\n", nil
}

func (s *Session) clock(line string) error {
	if line == "timer" {
		if s.core.Deadline() == demux.Never {
			if s.loose {
				return nil
			}
			return errors.New("dialogue: the core waits for nothing")
		}
		s.now = max(s.now, s.core.Deadline())
		s.say("at " + instant(s.now))
		s.Feed(&demux.Input{Kind: demux.InputTick})
		return nil
	}
	at, ok := strings.CutPrefix(line, "at ")
	if !ok {
		return fmt.Errorf("dialogue: a block begins with %q, not with a clock", line)
	}
	d, err := time.ParseDuration(at)
	if s.loose {
		d = max(d, time.Duration(s.now)) // a meddled story may be late
	}
	s.now = demux.Time(d)
	return err
}

func (s *Session) line(line string) error {
	line, err := repeated(line)
	if err != nil {
		return err
	}
	line, stray := strings.CutPrefix(line, "stray ")
	f := strings.Fields(line)
	switch f[0] {
	case "new":
		return s.begin(f[1:])
	case "deadline":
		s.say("deadline " + instant(s.core.Deadline()))
		return nil
	}
	in, err := s.input(f[0], f[1:], line)
	if err != nil {
		return err
	}
	if !s.ledger.MayFeed(in) && !stray {
		if s.loose {
			return nil
		}
		return errors.New("dialogue: no driver does that here; say stray if it is meant")
	}
	if s.meddle != nil && s.meddle(in) {
		return nil
	}
	s.Feed(in)
	return nil
}

func (s *Session) begin(args []string) error {
	a, err := parseArgs(args)
	if err != nil {
		return err
	}
	if s.o, err = options(a); err != nil {
		return err
	}
	s.core, err = s.make(s.o)
	return err
}

// Feed steps the core and takes down what it does.
func (s *Session) Feed(in *demux.Input) {
	s.first = false
	s.ledger.Fed(in)
	effects := slices.Clone(s.core.Step(s.now, in))
	for _, e := range effects {
		s.ledger.Did(e)
	}
	slices.SortStableFunc(effects, byStory)
	for _, e := range effects {
		s.say(shortened(reference.FormatEffect(e, s.o.Addrs)))
	}
}

// byStory puts what callers are told first, by operation: the order of completions within a step is free.
func byStory(a, b demux.Effect) int {
	doneA, doneB := a.Kind == demux.EffectComplete, b.Kind == demux.EffectComplete
	switch {
	case doneA && doneB:
		return cmp.Compare(a.Op, b.Op)
	case doneA:
		return -1
	case doneB:
		return 1
	}
	return 0
}

func (s *Session) say(line string) { s.lines = append(s.lines, line) }

func instant(t demux.Time) string {
	if t == demux.Never {
		return "never"
	}
	return time.Duration(t).String()
}

// Finish ends the story as a driver would: what is outstanding fails, every connection ends, the client is
// closed. It returns what is not settled then, or was settled wrongly.
func (s *Session) Finish() error {
	s.endConnections()
	if !s.ledger.closing {
		s.Feed(&demux.Input{Kind: demux.InputClose, Op: 1 << 40})
	}
	s.endConnections()
	if err := s.ledger.Err(); err != nil {
		return err
	}
	if op := s.ledger.Unsettled(); op != 0 {
		return fmt.Errorf("dialogue: operation %d was never settled", op)
	}
	if d := s.core.Deadline(); d != demux.Never {
		return fmt.Errorf("dialogue: a closed core waits until %s", instant(d))
	}
	return nil
}

func (s *Session) endConnections() {
	for _, gen := range s.ledger.generations() {
		if s.ledger.conns[gen].outstanding != nil {
			s.Feed(&demux.Input{Kind: demux.InputWrote, Gen: gen, Failed: true})
		}
		s.Feed(&demux.Input{Kind: demux.InputClosed, Gen: gen})
	}
}

// args are the arguments of one input: bare words in order, and named ones.
type args struct {
	words []string
	named map[string]string
}

func parseArgs(fields []string) (args, error) {
	a := args{named: map[string]string{}}
	for _, f := range fields {
		name, value, ok := strings.Cut(f, "=")
		switch {
		case !ok:
			a.words = append(a.words, f)
		case a.named[name] != "":
			return a, fmt.Errorf("dialogue: %s is named twice", name)
		default:
			a.named[name] = value
		}
	}
	return a, nil
}

func (a args) number(name string, def int) (int, error) {
	if v, ok := a.named[name]; ok {
		return strconv.Atoi(v)
	}
	return def, nil
}

func (a args) duration(name string, def time.Duration) (time.Duration, error) {
	if v, ok := a.named[name]; ok {
		return time.ParseDuration(v)
	}
	return def, nil
}

// known returns an error if a has a name that is not among names: a misspelt one would go unnoticed.
func (a args) known(names ...string) error {
	for _, name := range slices.Sorted(maps.Keys(a.named)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("dialogue: unknown argument %s", name)
		}
	}
	return nil
}
