package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
	"ticketing/seeds/mutants"
)

// The matrix that is kept says of every judge that some planted bug needs it, and plants no bug that there is not.
func TestTheMatrixHasEveryJudge(t *testing.T) {
	text, err := os.ReadFile("../../seeds/mutants/matrix.txt")
	require.NoError(t, err)
	all, err := mutants.Load(os.DirFS("../.."), "*")
	require.NoError(t, err)
	ids := map[string]bool{}
	for _, m := range all {
		ids[m.ID] = true
	}
	var judges []string
	needed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Fields(line)
		switch {
		case line[0] == '#', cells[0] == "without":
		case line[0] == ' ':
			judges = cells
		default:
			require.True(t, ids[cells[0]], "there is no planted bug %s", cells[0])
			for i, c := range cells[1:] {
				if c == "X" {
					needed[judges[i]] = true
				}
			}
		}
	}
	require.Equal(t, checker.Judges(), judges)
	for _, j := range judges {
		require.True(t, needed[j], "no planted bug needs %s", j)
	}
}
