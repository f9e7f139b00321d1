package choice

// Strategy is a Source that a seed begins: what a sweep runs its worlds with.
type Strategy interface {
	Source
	Reset(seed uint64)
}

// The names of the strategies.
const (
	Random = "random" // Seeded: every question at random
	ByPCT  = "pct"    // PCT: what goes next by priorities, which change a few times
	Mixed  = "mix"    // Mix: half of the seeds the one way, half the other
)

// Strategies are the names in the order in which they are told.
var Strategies = []string{Random, ByPCT, Mixed}

// NewStrategy makes the strategy of a name, and reports whether there is one.
func NewStrategy(name string) (s Strategy, ok bool) {
	switch name {
	case Random:
		return &Seeded{}, true
	case ByPCT:
		return &PCT{}, true
	case Mixed:
		return &Mix{}, true
	}
	return nil, false
}
