package reference_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
	"ticketing/sim/dialogue"
	"ticketing/sim/reference"
)

// machinePair is the core that ships, with the naive one as its shadow.
func machinePair(o demux.Options) (demux.Core, error) {
	machine, err := demux.New(o)
	if err != nil {
		return nil, err
	}
	shadow, err := reference.New(o)
	return reference.NewPair(machine, shadow), err
}

// The two cores do the same in every story.
func TestMachineDialogues(t *testing.T) { dialogue.Run(t, machinePair, stories) }

// seeds is how many seeds a test runs: SIDE_BY_SIDE of them if that is set.
func seeds(usual uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv("SIDE_BY_SIDE"), 10, 64); err == nil {
		return n
	}
	return usual
}

// The two cores do the same whatever happens.
func TestMachineRandom(t *testing.T) {
	counts := map[string]int{}
	for seed := range seeds(2000) {
		d := newDrive(seed, machinePair, counts)
		pair := d.core.(*reference.Pair)
		d.run(300, func() {
			if pair.Difference() != nil || d.ledger.Err() != nil {
				require.Nil(t, pair.Difference(), "seed %d\n%s\n%v", seed, tail(d), pair.Difference())
				require.NoError(t, d.ledger.Err(), "seed %d\n%s", seed, tail(d))
			}
		})
		require.Zero(t, d.ledger.Unsettled(), "seed %d\n%s", seed, tail(d))
	}
	report(t, counts)
}
