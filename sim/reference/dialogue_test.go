package reference_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
	"ticketing/sim/dialogue"
	"ticketing/sim/reference"
)

const stories = "../../client/demux/testdata/dialogues"

func newCore(o demux.Options) (demux.Core, error) { return reference.New(o) }

func TestDialogues(t *testing.T) { dialogue.Run(t, newCore, stories) }

// Every byte is a place where a read may end.
func TestDialoguesSplit(t *testing.T) {
	require.Greater(t, dialogue.RunSplit(t, newCore, stories), 5000)
}

// Every byte is a place where a write may end.
func TestDialoguesShort(t *testing.T) {
	require.Greater(t, dialogue.RunShort(t, newCore, stories), 10000)
}

// Two equal cores under one roof part in no story.
func TestPairDialogues(t *testing.T) {
	dialogue.Run(t, func(o demux.Options) (demux.Core, error) {
		a, err := reference.New(o)
		require.NoError(t, err)
		b, err := reference.New(o)
		return reference.NewPair(a, b), err
	}, stories)
}
