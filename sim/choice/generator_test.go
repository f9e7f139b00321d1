package choice

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The numbers are those that the published reference code draws.
func TestGeneratorVectors(t *testing.T) {
	g := Generator{s: [4]uint64{1, 2, 3, 4}}
	for _, want := range []uint64{
		11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600,
		16172922978634559625, 8476171486693032832, 10595114339597558777, 2904607092377533576,
	} {
		require.Equal(t, want, g.Uint64())
	}
}

func TestResetSeedsBySplitMix64(t *testing.T) {
	var g Generator
	g.Reset(1234567)
	require.Equal(t, [4]uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431}, g.s)
}
