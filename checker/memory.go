package checker

import (
	"fmt"

	"ticketing/sim"
)

// leaksEvery is after how many events tables are looked at, and once more at the end: Close forgets what is held.
const leaksEvery = 32

// leaky says which client has lost places of its tables: nothing else shows it until a process is out of memory. It is nil
// where all is well, and where cores do not tell.
func (r *Runner) leaky() *sim.Failure {
	if r.withoutMemory {
		return nil
	}
	w := r.world
	for i := range w.Params().Clients {
		core, ok := primary(w.Core(i)).(interface{ Leaks() int })
		if !ok {
			continue
		}
		if n := core.Leaks(); n != 0 {
			return &sim.Failure{Property: Memory, At: w.Now(), Event: w.Events(), Facts: []string{
				fmt.Sprintf("client %d has %d places in its tables that are neither used nor free, or more than it may use", i, n),
			}}
		}
	}
	return nil
}
