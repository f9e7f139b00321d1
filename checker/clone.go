package checker

import (
	"bytes"
	"fmt"

	"ticketing/sim"
)

// moveToClone puts a clone in the place of the world, which goes on as if nothing had happened. It says what is wrong:
// the two must have one encoding and one dump, and no dump may show the credential (redact).
func (r *Runner) moveToClone() *sim.Failure {
	r.cloneAt = 0
	if r.spare == nil {
		r.spare = r.make()
	}
	r.spare.CopyFrom(r.world)
	alike := bytes.Equal(r.world.AppendState(nil), r.spare.AppendState(nil))
	shown := show(r.world)
	r.spare.TakeLog(r.world)
	r.world, r.spare = r.spare, r.world
	switch {
	case !alike || !bytes.Equal(shown, show(r.world)):
		return &sim.Failure{Property: Clone, Facts: []string{"a clone of the world is encoded or dumped differently"}}
	case bytes.Contains(shown, []byte(r.world.Params().Core.Credential)):
		return &sim.Failure{Property: Redact, Facts: []string{"a dump of the world shows the credential"}}
	}
	return nil
}

// show is all that a world, its cores and their options print of themselves.
func show(w *sim.World) []byte {
	var b bytes.Buffer
	w.Dump(&b)
	for i := range w.Params().Clients {
		core := primary(w.Core(i))
		fmt.Fprintf(&b, "%v %#v %d\n", core, core, core)
	}
	fmt.Fprintf(&b, "%v %#v %d\n", w.Params().Core, w.Params().Core, w.Params().Core)
	return b.Bytes()
}
