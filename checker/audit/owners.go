package audit

import (
	"fmt"

	"ticketing/client/wire"
	"ticketing/sim"
)

// Owners remembers every owner of which a byte was accepted: none may be handed over again, on any connection
// (no-resend).
type Owners struct {
	failure *sim.Failure
	used    []sim.Owner
}

// Reset implements sim.Audit.
func (o *Owners) Reset(*sim.Params) { o.failure, o.used = nil, o.used[:0] }

// Failure implements sim.Audit.
func (o *Owners) Failure() *sim.Failure { return o.failure }

// Wants implements sim.Selective.
func (o *Owners) Wants(kind sim.FactKind) bool {
	return kind == sim.FactAccepted || kind == sim.FactHanded
}

// Observe implements sim.Audit.
func (o *Owners) Observe(f *sim.Fact) {
	if f.Verb != wire.OpAcquire || o.failure != nil {
		return
	}
	switch f.Kind {
	case sim.FactAccepted:
		o.used = append(o.used, f.Owner)
	case sim.FactHanded:
		for i := len(o.used) - 1; i >= 0; i-- {
			if o.used[i] == f.Owner {
				o.failure = &sim.Failure{Property: OwnerOnce, At: f.At, Event: f.Event, Facts: []string{
					fmt.Sprintf("client %d hands owner %d to connection %d", f.Client, f.Owner.N, f.Gen),
					"a byte of an acquire of that owner was accepted before",
				}}
				return
			}
		}
	}
}
