package demux_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
)

// rules are the IDs of the protocol: its rules, then its pinned details.
var rules = []string{
	"match", "no-fifo", "register-first", "values", "busy", "moved", "notice", "backoff", "fatal", "unmatched", "ends-sent",
	"no-resend", "not-sent", "cancel", "orphan", "lane", "close-proves-nothing",
	"sent-per-frame", "torn-stream", "rest-dropped", "generations",
	"unsent-moves", "deadline", "order", "own-capacity", "probation", "clock", "owners",
	"release-again", "resent-n", "one-release", "lane-end", "grant-wins", "held-grant", "wrong-key",
	"one-hint", "proven", "pacing", "shut-down", "redact", "lease-start",
}

var assumptions = []string{"a-token", "a-lease", "a-final", "a-line", "a-owner", "a-auth"}

// The table of rules in README is that of the code: a row each in the page's order, a file that cites the ID, stories that
// exist, branches that are counted. No story and no branch is missing from it.
func TestTableOfRules(t *testing.T) {
	var ids, told, counted []string
	for _, row := range table(t, 4) {
		id := row[0][0]
		if strings.HasPrefix(id, "a-") {
			continue
		}
		ids = append(ids, id)
		for _, file := range row[1] {
			require.Contains(t, cited(t, file), id, file)
		}
		for _, story := range row[2] {
			require.FileExists(t, filepath.Join(stories, story))
			require.True(t, story == id || strings.HasPrefix(story, id+"-"), story)
		}
		require.Contains(t, row[2], id)
		told = append(told, row[2]...)
		require.NotEmpty(t, row[3], id)
		for _, branch := range row[3] {
			counted = append(counted, id+"/"+branch)
		}
	}
	require.Equal(t, rules, ids)
	require.ElementsMatch(t, demux.CountNames[:], counted)
	entries, err := os.ReadDir(stories)
	require.NoError(t, err)
	require.Len(t, told, len(entries))
}

// Each assumption has its row as well, with a place that exists and scenarios that do.
func TestTableOfAssumptions(t *testing.T) {
	scenarios, err := os.ReadFile("../../sim/scenario.go")
	require.NoError(t, err)
	var ids []string
	for _, row := range table(t, 4) {
		id := row[0][0]
		if !strings.HasPrefix(id, "a-") {
			continue
		}
		ids = append(ids, id)
		for _, file := range row[2] {
			require.FileExists(t, filepath.Join("../..", file))
		}
		for _, name := range row[3] {
			require.Regexp(t, `"`+name+`",.*"`+id+`"`, string(scenarios))
		}
	}
	require.Equal(t, assumptions, ids)
}

var quoted = regexp.MustCompile("`([^`]*)`")

// table is the rows under "Rules" in README whose first cell is an ID: what is quoted in each cell.
func table(t *testing.T, cells int) (rows [][][]string) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "\n## Rules\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		var row [][]string
		for _, cell := range strings.Split(strings.Trim(line, "|\n"), "|") {
			var names []string
			for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
				names = append(names, m[1])
			}
			row = append(row, names)
		}
		require.Len(t, row, cells, line)
		rows = append(rows, row)
	}
	return rows
}

var (
	wrapped  = regexp.MustCompile(`\n\s*//`)
	citation = regexp.MustCompile(`\brules?((?:,? [a-z-]+)+)`)
)

// cited is every ID that the comments of a file cite as "rule this" or "rules this, that".
func cited(t *testing.T, file string) (ids []string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, m := range citation.FindAllStringSubmatch(wrapped.ReplaceAllString(string(text), ""), -1) {
		ids = append(ids, strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
