package explore

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTableRemembers(t *testing.T) {
	for _, withDepth := range []bool{false, true} {
		var s table
		s.reset(withDepth)
		for i := range uint64(20_000) {
			key := keyOf(binary.AppendUvarint(nil, i))
			require.Equal(t, metNew, s.visit(key, 9))
			require.Equal(t, metRound, s.visit(key, 9))
			s.leave(key)
			require.Equal(t, metBefore, s.visit(key, 9))
			require.Equal(t, metBefore, s.visit(key, 10))
		}
		require.Equal(t, 20_000, s.used)
		again := keyOf(binary.AppendUvarint(nil, 7))
		want := metBefore
		if withDepth {
			want = metNew // sooner than before: it is followed again
		}
		require.Equal(t, want, s.visit(again, 8))
		require.Equal(t, 20_000, s.used)
		s.reset(withDepth)
		require.Equal(t, metNew, s.visit(again, 9))
		require.Equal(t, 1, s.used)
	}
}

func TestTableKeepsWhatIsOnThePathAsItGrows(t *testing.T) {
	var s table
	s.reset(true)
	for i := range uint64(10_000) {
		require.Equal(t, metNew, s.visit(keyOf(binary.AppendUvarint(nil, i)), 3))
	}
	for i := range uint64(10_000) {
		require.Equal(t, metRound, s.visit(keyOf(binary.AppendUvarint(nil, i)), 3))
	}
	require.Less(t, s.bytes(), 10_000*10*4)
}

// TestKeysDiffer flips every bit of encodings of every length around the block size.
func TestKeysDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for size := range 70 {
		state := make([]byte, size)
		seen[keyOf(state)] = true
		for bit := range 8 * size {
			state[bit/8] ^= 1 << (bit % 8)
			seen[keyOf(state)] = true
			state[bit/8] ^= 1 << (bit % 8)
		}
	}
	require.Len(t, seen, 70+8*70*69/2)
	for key := range seen {
		require.Zero(t, key&onPath)
		require.NotZero(t, key)
	}
}
