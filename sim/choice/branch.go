package choice

// Branch answers from picks, and at random once they are used up: a run that is known up to some moment, and goes on
// another way. It is a Replay until then, and a Seeded after that.
type Branch struct {
	known Replay
	rest  Seeded
}

// Reset begins the answers of picks, which it does not copy, and then of a seed.
func (b *Branch) Reset(picks []Pick, seed uint64) {
	b.known.Reset(picks)
	b.rest.Reset(seed)
}

// Choose implements Source.
func (b *Branch) Choose(label Label, n int) int {
	if label.Stream != Scenario && b.known.next == len(b.known.picks) {
		return b.rest.Choose(label, n)
	}
	return b.known.Choose(label, n)
}
