package demux_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
	"ticketing/sim/dialogue"
)

const stories = "testdata/dialogues"

func newMachine(o demux.Options) (demux.Core, error) { return demux.New(o) }

// The stories are the manual of this package, one a rule.
func TestDialogues(t *testing.T) { dialogue.Run(t, newMachine, stories) }

// Every byte is a place where a read may end.
func TestDialoguesSplit(t *testing.T) {
	require.Greater(t, dialogue.RunSplit(t, newMachine, stories), 5000)
}

// Every byte is a place where a write may end.
func TestDialoguesShort(t *testing.T) {
	require.Greater(t, dialogue.RunShort(t, newMachine, stories), 10000)
}
