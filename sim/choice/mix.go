package choice

// Mix answers as Seeded under half of the seeds and as PCT under the others.
type Mix struct {
	pct    PCT
	ranked bool // by the priorities of pct
}

// Reset begins the answers of a seed.
func (m *Mix) Reset(seed uint64) {
	m.pct.Reset(seed)
	mix := splitMix(seed)
	m.ranked = mix.next()&1 == 1
}

// Choose implements Source.
func (m *Mix) Choose(label Label, n int) int { return m.pct.Choose(label, n) }

// Rank implements Ranker.
func (m *Mix) Rank(label Label, things []int) int {
	if m.ranked {
		return m.pct.Rank(label, things)
	}
	return m.pct.Choose(label, len(things))
}
