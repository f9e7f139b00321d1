// Package dialogue runs stories about a client core: text files of inputs and of the effects that they must
// cause, read as the client's manual and run as its test.
//
// It is not a simulated world: nothing happens but what the file says, and no rule is judged but a few that hold in
// every story (see Ledger).
//
// A file is made of blocks, in the form of package datadriven: what is done, a line of four dashes, what it causes.
// A block's first line moves the clock, the others are inputs at that instant:
//
//	at <instant>    the clock says so
//	timer           the clock goes on to the core's Deadline, which is printed, and ticks
//
//	new [addrs=a:1,b:1] [prefix=p] [<option>=<value>]...     once, first; options in lower case with dashes
//	acquire <op> [key=k] [wait=1s] [lease=5s] [deadline=<instant>]
//	release <op> [key=k] token=<token>
//	cancel <op>
//	close <op>
//	opened <gen>
//	recv <gen> <frame> [| <frame>]...   \xNN is a byte, a final \ leaves out the newline
//	wrote <gen> all|none|<bytes>|frames=<n> [plus=<bytes>] [failed]
//	closed <gen>
//	tick
//	deadline        prints the core's Deadline
//
// {x*9} is nine times x, anywhere. Before an input that the duties of a driver forbid, a story says stray. Instants
// are counted from the start of the story.
//
// Of the effects of one input, completions come first, by operation, for their order is free; then dials, writes and
// closes, in theirs. A block without effects says "nothing".
package dialogue

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
)

// Make returns a new core, such as demux.New does.
type Make func(demux.Options) (demux.Core, error)

// Run tells every story under the folder path to a core of its own and compares what it does.
func Run(t *testing.T, core Make, path string) {
	datadriven.Walk(t, path, func(t *testing.T, file string) {
		s := NewSession(core)
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			out, err := s.Block(block(d))
			require.NoError(t, err, d.Pos)
			require.NoError(t, s.Ledger().Err(), d.Pos)
			return out
		})
		require.NoError(t, s.Finish(), file)
	})
}

// Block is one block of a story.
type Block struct {
	Clock  string   // its first line
	Inputs []string // the others
	Want   string   // what it causes, a line each
	Pos    string   // where it is
}

// Load reads the blocks of one file.
func Load(t *testing.T, file string) []Block {
	var blocks []Block
	datadriven.RunTest(t, file, func(_ *testing.T, d *datadriven.TestData) string {
		blocks = append(blocks, block(d))
		return d.Expected
	})
	return blocks
}

func block(d *datadriven.TestData) Block {
	clock := d.Cmd
	for _, a := range d.CmdArgs {
		clock += " " + a.String()
	}
	b := Block{Clock: clock, Want: d.Expected, Pos: d.Pos}
	if d.Input != "" {
		b.Inputs = strings.Split(d.Input, "\n")
	}
	return b
}
