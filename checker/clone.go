package checker

import (
	"bytes"
	"fmt"

	"ticketing/sim"
)

// shownClone is the clone that is printed, of those of a run: it takes as long as all else that is done with them.
const shownClone = 3

// moveToClone puts a clone in the place of the world, which goes on as if nothing had happened. It says what is wrong:
// the two must have one encoding and one dump, and no dump may show the credential (redact).
func (r *Runner) moveToClone() *sim.Failure {
	if r.spare == nil {
		r.spare = r.make()
	}
	r.spare.CopyFrom(r.world)
	r.clones++
	r.encodings[0] = r.world.AppendState(r.encodings[0][:0])
	r.encodings[1] = r.spare.AppendState(r.encodings[1][:0])
	alike := bytes.Equal(r.encodings[0], r.encodings[1])
	var shown []byte
	if r.clones == shownClone {
		shown = show(r.world)
	}
	r.spare.TakeLog(r.world)
	r.world, r.spare = r.spare, r.world
	if shown != nil {
		alike = alike && bytes.Equal(shown, show(r.world))
	}
	switch {
	case !alike:
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
