package demux

// Sizes says how much a machine holds right now.
type Sizes struct {
	Acquires int // acquires that are not settled; at most Options.MaxAcquires
	Releases int // release calls that are not settled, joined ones included; at most Options.MaxReleases
	Lane     int // orphan releases; at most Options.MaxLane
	Held     int // grants remembered for rule held-grant; at most Options.MaxHeld
}

// Sizes returns the sizes of m.
func (m *Machine) Sizes() Sizes {
	return Sizes{
		Acquires: m.pending.all.len(acquires),
		Releases: m.pending.numCalls,
		Lane:     len(m.lane.entries),
		Held:     m.held.len(),
	}
}
