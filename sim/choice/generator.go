package choice

import "math/bits"

// Generator draws 64-bit numbers by xoshiro256** 1.0 of Blackman and Vigna. It is a plain value: a copy goes on
// alike. Its zero value draws only zeros; seed it by Reset.
type Generator struct{ s [4]uint64 }

// Reset seeds g with four numbers of SplitMix64, as the authors of xoshiro256** advise.
func (g *Generator) Reset(seed uint64) {
	mix := splitMix(seed)
	for i := range g.s {
		g.s[i] = mix.next()
	}
}

// Uint64 draws the next number.
func (g *Generator) Uint64() uint64 {
	r := bits.RotateLeft64(g.s[1]*5, 7) * 9
	t := g.s[1] << 17
	g.s[2] ^= g.s[0]
	g.s[3] ^= g.s[1]
	g.s[1] ^= g.s[2]
	g.s[0] ^= g.s[3]
	g.s[2] ^= t
	g.s[3] = bits.RotateLeft64(g.s[3], 45)
	return r
}

// splitMix is SplitMix64 of Steele, Lea and Flood.
type splitMix uint64

func (m *splitMix) next() uint64 {
	*m += 0x9e3779b97f4a7c15
	z := uint64(*m)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
