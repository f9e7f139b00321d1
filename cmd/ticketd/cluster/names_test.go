package cluster

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNames lets words come and go, beside a map.
func TestNames(t *testing.T) {
	n, want := newNames(), map[string]int32{}
	r := rand.New(rand.NewPCG(1, 2))
	most := 0
	for i := range 20_000 {
		// Few words at first, and then many, and few again.
		w := fmt.Sprint("word-", r.IntN(1+min(i, 20_000-i)/5))
		at, ok := want[w]
		if !ok {
			require.EqualValues(t, -1, n.find([]byte(w)))
			at = n.add([]byte(w))
			want[w] = at
		}
		require.Equal(t, at, n.find([]byte(w)))
		require.Equal(t, w, string(n.words[at].bytes))
		if ok && r.IntN(2) == 0 {
			n.remove(at)
			delete(want, w)
			require.EqualValues(t, -1, n.find([]byte(w)))
		}
		require.Equal(t, len(want), n.used)
		most = max(most, n.used)
	}
	require.Len(t, n.words, most, "numbers are used again")
	require.Greater(t, most, 64, "the table has grown")
	require.LessOrEqual(t, len(n.buckets), 2*most)
	for w, at := range want {
		require.Equal(t, at, n.find([]byte(w)))
	}
}

func TestNamesAllocateNothing(t *testing.T) {
	n := newNames()
	word := []byte("a word that comes and goes")
	n.remove(n.add(word))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		i := n.add(word)
		n.free(n.take(word))
		n.remove(i)
	}))
}
