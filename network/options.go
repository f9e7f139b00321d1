package network

import (
	"fmt"

	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// Options fixes what a Net is made of. A zero field takes its default.
type Options struct {
	Hosts int // 1 to MaxHosts; default 2
	Conns int // connections at a time, ending ones included; 1 to MaxConns; default 8
	// Buffer bounds the bytes in flight in one direction. A dialer that writes more waits for room; an acceptor's
	// connection is reset. Default 65536.
	Buffer int
	// Chunks bounds how many separate pieces the bytes in flight in one direction form; beyond it they
	// are joined to the last. Default 16.
	Chunks int
	// Cuts bounds how many places are offered at which bytes are split or a write ends early; they are spread
	// evenly and include the first and the last. Zero: every byte.
	Cuts int

	DelayMin  clock.Time // least time under way of a dial, its answer, bytes and ends; default 0
	DelayMax  clock.Time // most; default 2ms
	WroteMax  clock.Time // most time until a write or a close is told to the side that did it; default 1ms
	StallMin  clock.Time // the same two for what stalls; default 100ms
	StallMax  clock.Time // default 20s: longer than the patience of any client
	KeepAlive clock.Time // an acceptor whose dialer is gone without a word sees a reset after 1 to 2 times this; default 60s

	Faults Faults
	// Budgets bounds how often each fault happens at most; 0: no bound. A fault whose budget is spent is not asked about.
	Budgets Budgets
}

// Bounds of the options.
const (
	MaxHosts  = 64
	MaxConns  = clock.MaxSlots / slotsPerConn
	MaxBuffer = 1 << 24
	MaxChunks = 1 << 12
	MaxTime   = 24 * 3600 * clock.Second
)

// WithDefaults returns o with every zero field filled in, or an error that names the field that is wrong.
func (o Options) WithDefaults() (Options, error) {
	for _, err := range [...]error{
		count(&o.Hosts, 2, 1, MaxHosts, "Hosts"),
		count(&o.Conns, 8, 1, MaxConns, "Conns"),
		count(&o.Buffer, 65536, 1, MaxBuffer, "Buffer"),
		count(&o.Chunks, 16, 1, MaxChunks, "Chunks"),
		count(&o.Cuts, 0, 0, MaxBuffer, "Cuts"),
		span(&o.DelayMin, 0, "DelayMin"),
		span(&o.DelayMax, max(2*clock.Millisecond, o.DelayMin), "DelayMax"),
		span(&o.WroteMax, clock.Millisecond, "WroteMax"),
		span(&o.StallMin, 100*clock.Millisecond, "StallMin"),
		span(&o.StallMax, max(20*clock.Second, o.StallMin), "StallMax"),
		span(&o.KeepAlive, 60*clock.Second, "KeepAlive"),
	} {
		if err != nil {
			return o, err
		}
	}
	if o.DelayMax < o.DelayMin || o.StallMax < o.StallMin {
		return o, fmt.Errorf("network: option DelayMax or StallMax is below its Min")
	}
	for f, odds := range o.Faults {
		if odds > choice.OddsOne {
			return o, fmt.Errorf("network: odds of %v are %d, more than %d", Fault(f), odds, choice.OddsOne)
		}
	}
	return o, nil
}

// count fills in an option that is a number, if it is zero, and checks it.
func count(v *int, def, low, high int, name string) error {
	if *v == 0 {
		*v = def
	}
	if *v < low || *v > high {
		return fmt.Errorf("network: option %s is %d, not in %d..%d", name, *v, low, high)
	}
	return nil
}

// span is count for a time.
func span(v *clock.Time, def clock.Time, name string) error {
	if *v == 0 {
		*v = def
	}
	if *v < 0 || *v > MaxTime {
		return fmt.Errorf("network: option %s is %dns, not in 0..24h", name, *v)
	}
	return nil
}
