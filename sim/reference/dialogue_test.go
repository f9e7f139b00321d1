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
	require.Greater(t, dialogue.RunSplit(t, newCore, stories), 500)
}

// Every byte is a place where a write may end.
func TestDialoguesShort(t *testing.T) {
	require.Greater(t, dialogue.RunShort(t, newCore, stories), 500)
}
