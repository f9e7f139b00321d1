package audit

import (
	"fmt"
	"io"
)

// Dump writes what the ledger knows for a person, a line an entry, each indented by two spaces. An error of w is not
// reported.
func (l *Ledger) Dump(w io.Writer) {
	fmt.Fprintf(w, "  ledger failed=%v\n", l.failure != nil)
	for i := range l.clients {
		a := &l.clients[i]
		fmt.Fprintf(w, "  client %d closed=%v held=%v orphans=%v lied=%v\n", i, a.closed, a.held, a.orphans, a.lied)
		for k := range a.calls {
			fmt.Fprintf(w, "    call %+v\n", a.calls[k])
		}
		for k := range a.conns {
			fmt.Fprintf(w, "    conn %+v\n", a.conns[k])
		}
	}
}

// Dump writes the owners that were used, like that of a Ledger.
func (o *Owners) Dump(w io.Writer) {
	fmt.Fprintf(w, "  owners failed=%v used=%v\n", o.failure != nil, o.used)
}
