package choice

// Bytes answers from a string of bytes, such as a fuzzer makes, and 0 once they are used up. Any bytes are
// answers, and fewer or smaller ones a calmer run.
type Bytes struct{ rest []byte }

// Reset begins the answers of data, which it does not copy.
func (b *Bytes) Reset(data []byte) { b.rest = data }

// Choose implements Source. It spends a byte, or as many as n answers need.
func (b *Bytes) Choose(_ Label, n int) int {
	checkCount(n)
	v := uint64(0)
	for left := uint64(n - 1); left > 0 && len(b.rest) > 0; left >>= 8 {
		v = v<<8 | uint64(b.rest[0])
		b.rest = b.rest[1:]
	}
	return int(v % uint64(n))
}
