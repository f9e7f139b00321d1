package checker

import (
	"ticketing/checker/audit"
	"ticketing/client/demux"
)

// History is the name of the judges of the history, the black box. No audit has it.
const History = "history"

// Judges are the names of all that judge a world of the client that ships: the audits, the black box, that it comes to rest,
// and that it loses no memory. The two judges of the black box are one: where they differ the tool is wrong.
func Judges() (names []string) {
	for _, a := range audit.Audits {
		names = append(names, a.Name)
	}
	return append(names, History, Calm, Memory)
}

// NewRunnerLess makes a Runner without one of the Judges, to see what the others notice. One that does not exist panics.
func NewRunnerLess(judge string) *Runner {
	o := RunnerOptions{WithoutHistory: judge == History, WithoutCalm: judge == Calm, WithoutMemory: judge == Memory}
	if !o.WithoutHistory && !o.WithoutCalm && !o.WithoutMemory {
		o.Without = []string{judge}
	}
	return NewRunnerWith(func(o demux.Options) (demux.Core, error) { return demux.New(o) }, o)
}
