// Package told writes down, as operations of a history, what a client told its callers.
package told

import (
	"errors"
	"time"

	"ticketing/client"
	"ticketing/model"
)

// Acquire fills in how an Acquire ended. It panics on an error that is no outcome.
func Acquire(op *model.Op, g *client.Grant, err error) {
	switch {
	case g != nil:
		op.Outcome, op.Token, op.Lease = model.Granted, g.Token(), uint32(g.Lease()/time.Millisecond)
	case err == nil:
		op.Outcome = model.TimedOut
	default:
		op.Outcome = outcomeOf(err)
	}
}

// Release fills in how a grant ended. The number of tries is not known here but for what the judges need of it: whether it
// was none, one, or more. It panics on an error that is no outcome.
func Release(op *model.Op, ending client.Ending, err error) {
	switch {
	case err != nil:
		if op.Outcome = outcomeOf(err); op.Outcome == model.Indeterminate {
			op.Tries = 2
		}
	case ending == client.Released:
		op.Outcome, op.Tries = model.Released, 1
	case ending == client.Lost:
		op.Outcome, op.Tries = model.NotFound, 1
	default:
		op.Outcome, op.Tries = model.NotFound, 2
	}
}

func outcomeOf(err error) model.Outcome {
	switch {
	case errors.Is(err, client.ErrBusy):
		return model.Busy
	case errors.Is(err, client.ErrNotSent):
		return model.NotSent
	case errors.Is(err, client.ErrIndeterminate):
		return model.Indeterminate
	}
	panic("told: not an outcome: " + err.Error())
}
