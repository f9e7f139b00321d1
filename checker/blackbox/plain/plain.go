// Package plain is Porcupine as one uses it first: all operations of a key as they are, over the lock of package model. It is
// what package blackbox is compared with for speed, and it judges nothing else.
//
// It leaves no operation out, however little it says; an operation whose outcome is unknown stays open to the end. It does not
// say which grant followed which, but only that tokens grow; and it cuts nothing. The search has to find all that by itself.
package plain

import (
	"math"
	"time"

	"github.com/anishathalye/porcupine"

	"ticketing/model"
)

// Result is what a check came to.
type Result = porcupine.CheckResult

// The results.
const (
	Legal   = porcupine.Ok
	Illegal = porcupine.Illegal
	Unknown = porcupine.Unknown // the time was over first
)

// Check judges a valid history, for so long at most.
func Check(h *model.History, limit time.Duration) Result {
	ops := make([]porcupine.Operation, len(h.Ops))
	for i := range h.Ops {
		op := &h.Ops[i]
		s := input{key: op.Key, step: stepOf(&h.Header, op)}
		ops[i] = porcupine.Operation{ClientId: int(op.Client), Input: s, Call: op.Call.Seq, Return: op.Return.Seq}
		if op.Outcome == model.Indeterminate {
			ops[i].Return = math.MaxInt64
		}
	}
	return porcupine.CheckOperationsTimeout(plain, ops, limit)
}

// input is what an operation asks of the lock of its key.
type input struct {
	key  int32
	step model.Step // without an Effect, nothing
}

// stepOf is an operation as the lock sees it. Nothing is demanded of what was not granted: the lock may have been held.
func stepOf(h *model.Header, op *model.Op) model.Step {
	s := model.Step{From: op.Call.At, To: op.Return.At, Token: op.Token}
	switch op.Outcome {
	case model.Granted:
		s.Effect, s.Lease = model.Grant, h.LeaseFloor(op.Lease)
	case model.Released:
		s.Effect = model.Free
	case model.NotFound:
		s.Effect = model.Gone
		if op.Tries > 1 {
			s.Effect = model.FreeOrGone
		}
	case model.Indeterminate:
		if op.Kind == model.Release {
			s.Effect, s.To = model.MayFree, math.MaxInt64
		}
	}
	return s
}

var plain = porcupine.Model{
	Init: func() any { return model.Lock{Now: math.MinInt64} },
	Step: func(state, in, _ any) (bool, any) {
		l, s := state.(model.Lock), in.(input).step
		if s.Effect == 0 {
			return true, l
		}
		s.Pred = l.Token // whatever was granted last
		next, ok := l.Step(&s)
		return ok, next
	},
	Partition: func(all []porcupine.Operation) (byKey [][]porcupine.Operation) {
		of := map[int32]int{}
		for _, o := range all {
			key := o.Input.(input).key
			at, ok := of[key]
			if !ok {
				at = len(byKey)
				of[key] = at
				byKey = append(byKey, nil)
			}
			byKey[at] = append(byKey[at], o)
		}
		return byKey
	},
}
