package checker

import "bytes"

// moveToClone puts a clone in the place of the world, which goes on as if nothing had happened. It says whether the two
// have one encoding.
func (r *Runner) moveToClone() bool {
	r.cloneAt = 0
	if r.spare == nil {
		r.spare = r.make()
	}
	r.spare.CopyFrom(r.world)
	alike := bytes.Equal(r.world.AppendState(nil), r.spare.AppendState(nil))
	r.spare.TakeLog(r.world)
	r.world, r.spare = r.spare, r.world
	return alike
}
