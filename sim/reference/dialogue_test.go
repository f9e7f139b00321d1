package reference_test

import (
	"path/filepath"
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

// The rules and the pinned details of the protocol, by ID.
var rules = []string{
	"match", "no-fifo", "register-first", "values", "busy", "moved", "notice", "backoff", "fatal", "unmatched", "ends-sent",
	"no-resend", "not-sent", "cancel", "orphan", "lane", "close-proves-nothing",
	"sent-per-frame", "torn-stream", "rest-dropped", "generations",
	"unsent-moves", "deadline", "order", "own-capacity", "probation", "clock", "owners",
	"release-again", "resent-n", "one-release", "lane-end",
	"grant-wins", "held-grant", "wrong-key",
	"one-hint", "proven", "pacing",
	"shut-down", "redact", "lease-start",
}

func TestEveryRuleHasAStory(t *testing.T) {
	for _, rule := range rules {
		require.FileExists(t, filepath.Join(stories, rule))
	}
}
