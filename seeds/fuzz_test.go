package seeds

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse: whatever is read as a case is written and read back the same, and what is not is one short line.
func FuzzParse(f *testing.F) {
	f.Add([]byte("# prose\n#\n#  more\ncase 1\nscenario swarm\nseed 7 shrunk\nfingerprint 0123456789abcdef\nverdict violation match\npicks\nscenario.nodes 0/4 x3\n"))
	f.Add([]byte("case 1\nscenario calm\nseed 18446744073709551615\nverdict pass\npicks\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		c, err := Parse(in)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			require.Less(t, len(err.Error()), 400)
			return
		}
		again, err := Parse(c.Text())
		require.NoError(t, err)
		require.Equal(t, c, again)
	})
}
