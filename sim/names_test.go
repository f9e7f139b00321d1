package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/wire"
)

func TestOwnerRoundTrip(t *testing.T) {
	for _, long := range []bool{false, true} {
		w := &World{p: Params{Long: long}, clients: make([]client, MaxClients)}
		for c := range MaxClients {
			for life := range MaxLives {
				w.clients[c].life = uint8(life)
				for _, n := range []uint64{1, 9, 10, 123456789} {
					o := Owner{Client: int16(c), N: uint64(life)<<lifeShift | n}
					text := w.appendOwner(nil, o)
					require.NoError(t, wire.CheckName(string(text)))
					require.Equal(t, o, w.ownerOf(text))
				}
			}
		}
	}
}

// TestOwnerOtherSpellings: what no client of this world can have made is nobody's.
func TestOwnerOtherSpellings(t *testing.T) {
	w := &World{clients: make([]client, 2)}
	w.clients[1].life = 1
	require.Equal(t, Owner{Client: 1, N: 1<<lifeShift | 7}, w.ownerOf([]byte("c1b-7")))
	for _, text := range []string{"", "c", "c1b", "c1b-", "c1b.7", "c1b-07", "c1b-+7", "c1b-7x", "c1c-7", "c0b-7", "c2a-7", "C1b-7", "xc1b-7", "c1b-99999999999"} {
		require.Equal(t, int16(NoClient), w.ownerOf([]byte(text)).Client, "%q", text)
	}
}

func TestNoPrefixOpensAnother(t *testing.T) {
	for _, table := range []*prefixTable{prefixes, longPrefixes} {
		var all []string
		for c := range table {
			all = append(all, table[c][:]...)
		}
		for i, a := range all {
			for k, b := range all {
				require.False(t, i != k && strings.HasPrefix(a, b), "%s %s", a, b)
			}
		}
	}
}

func TestMixedNamesAreDifferent(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range MixedNames {
		require.False(t, name != "" && seen[name], name)
		seen[name] = true
	}
	require.True(t, seen["phase/net.reset/queued"])
	require.True(t, seen["pair/net.reset+leader-fall"])
}
