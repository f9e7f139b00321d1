package reference

import (
	"fmt"
	"io"

	"ticketing/client/demux"
)

// Dump writes the state for a person, a line an entry of a table, each indented by two spaces. An error of w is not
// reported.
func (c *Core) Dump(w io.Writer) {
	fmt.Fprintf(w, "  now=%d dials=%d owners=%d shut=%v close-op=%d\n", c.now, c.dialled, c.owners, c.shut, c.shutOp)
	for i := range c.conns {
		k := &c.conns[i]
		fmt.Fprintf(w, "  conn %d addr=%d proven=%v greeted=%v writing=%v\n", k.gen, k.addr, k.proven, k.greeted, k.writing)
	}
	for i := range c.acquires {
		fmt.Fprintf(w, "  acquire %+v\n", c.acquires[i])
	}
	for i := range c.releases {
		fmt.Fprintf(w, "  release %+v\n", c.releases[i])
	}
	fmt.Fprintf(w, "  lane %+v\n  held %+v\n", c.lane, c.held)
}

// Dump writes the states of both halves, the primary's first, as far as they can be dumped.
func (p *Pair) Dump(w io.Writer) {
	for _, core := range [...]demux.Core{p.primary, p.shadow} {
		if d, ok := core.(interface{ Dump(io.Writer) }); ok {
			d.Dump(w)
		}
	}
}
