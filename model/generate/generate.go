// Package generate writes large histories of a lock service that never ran, legal ones and ones with a
// single planted contradiction, to try and to measure judges with.
//
// It is not the simulator: there is no network, no client and no fault but a lost reply. A small event loop
// plays callers that queue on keys, and writes each operation as it returns, so its memory is that of the
// callers. The same options give the same bytes.
package generate

import (
	"errors"
	"fmt"
	"io"

	"ticketing/model"
)

// Options say what to write. The zero value of a field is its default.
type Options struct {
	Seed    uint64
	Ops     int // operations, default 1,000, at most model.OpsMax; those open at the end come on top
	Keys    int // default 1, at most 1,000
	Callers int // queued on each key, default 16, at most 1,000

	// Shares, in percent. What is left of acquires is granted unless its wait runs out, and what is left of
	// releases is answered. Each group adds up to at most 100.
	LostAcquires  int // acquires that end Indeterminate, their token never known
	LateAcquires  int // acquires that end Indeterminate and whose token is parsed later and released by the lane
	LostReleases  int // releases that end Indeterminate, half of them having acted
	ResentRelease int // releases tried twice, whose first try acted and whose second was answered NotFound
	Overheld      int // grants whose callers release only once the lease is over

	// LaneUnrecorded leaves the lane's releases out of the history, and has the header say so.
	LaneUnrecorded bool

	// Illegal names the contradiction to plant, one of Contradictions; none if empty. It stands behind nine
	// tenths of the history. A history too short for it to come about is an error. A judge may find
	// tokens out of order to violate overlap or stale-release first, where calls cross.
	Illegal string
}

// The contradictions that can be planted, by the property each violates.
const (
	Overlap              = "overlap"
	TokenUnique          = "token-unique"
	TokenOrder           = "token-order"
	DoubleRelease        = "double-release"
	StaleRelease         = "stale-release"
	NotFoundWhileHeld    = "not-found-while-held"
	NotFoundThenReleased = "not-found-then-released"
)

// Contradictions lists what Options.Illegal takes.
func Contradictions() []string {
	return []string{Overlap, TokenUnique, TokenOrder, DoubleRelease, StaleRelease, NotFoundWhileHeld, NotFoundThenReleased}
}

const (
	percent    = 100
	keysMax    = 1_000
	callersMax = 1_000
	driftPPM   = 200
)

// Write writes one history to w. Errors are of the options or of w.
func Write(w io.Writer, f model.Format, o Options) error {
	if err := o.Validate(); err != nil {
		return err
	}
	o = o.withDefaults()
	keys := make([]string, o.Keys)
	for i := range keys {
		keys[i] = fmt.Sprintf("key-%d", i)
	}
	h := model.Header{DriftPPM: driftPPM, LaneRecorded: !o.LaneUnrecorded}
	p := newPlay(o, model.NewWriter(w, f, h, keys))
	if err := p.run(); err != nil {
		return err
	}
	return p.out.Flush()
}

func (o Options) withDefaults() Options {
	if o.Ops == 0 {
		o.Ops = 1_000
	}
	if o.Keys == 0 {
		o.Keys = 1
	}
	if o.Callers == 0 {
		o.Callers = 16
	}
	return o
}

// Validate returns the error of the options that Write returns before it writes anything.
func (o Options) Validate() error {
	o = o.withDefaults()
	switch {
	case o.Ops < 0 || o.Ops > model.OpsMax:
		return fmt.Errorf("generate: %d operations, want 1 to %d", o.Ops, model.OpsMax)
	case o.Keys < 0 || o.Keys > keysMax || o.Callers < 0 || o.Callers > callersMax:
		return fmt.Errorf("generate: %d keys and %d callers, want 1 to %d of either", o.Keys, o.Callers, keysMax)
	case o.LostAcquires < 0 || o.LateAcquires < 0 || o.LostAcquires+o.LateAcquires > percent:
		return errors.New("generate: shares of acquires outside 0 to 100")
	case o.LostReleases < 0 || o.ResentRelease < 0 || o.LostReleases+o.ResentRelease > percent:
		return errors.New("generate: shares of releases outside 0 to 100")
	case o.Overheld < 0 || o.Overheld > percent:
		return errors.New("generate: share of overheld grants outside 0 to 100")
	}
	if o.Illegal == "" {
		return nil
	}
	for _, c := range Contradictions() {
		if c == o.Illegal {
			return nil
		}
	}
	return fmt.Errorf("generate: unknown contradiction %q, want one of %v", o.Illegal, Contradictions())
}
