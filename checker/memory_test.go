package checker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
)

// hoarder is a core that loses so many places.
type hoarder struct {
	demux.Core
	lost int
}

func (h *hoarder) Leaks() int { return h.lost }

func TestPlacesThatAreLostAreFound(t *testing.T) {
	for lost, want := range map[int]Verdict{0: Pass, 1: Violation} {
		r := NewRunnerOf(func(o demux.Options) (demux.Core, error) {
			core, err := demux.New(o)
			return &hoarder{Core: core, lost: lost}, err
		})
		res, err := r.Run(1, Config{Scenario: "calm"})
		require.NoError(t, err)
		require.Equal(t, want, res.Verdict)
		if want == Violation {
			require.Equal(t, Memory, res.Property)
			require.Equal(t, int64(leaksEvery), res.Event)
		}
	}
}
