package client

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"ticketing/client/demux"
)

// What an Error may be, for errors.Is. ErrFull and ErrClosed say why a request was not sent; such an Error is ErrNotSent too.
var (
	// ErrBusy: the service, or the queue of the key, was full. Nothing was granted. Never because the key is held.
	ErrBusy = errors.New("busy")
	// ErrNotSent: no byte of the request reached the network. Nothing happened, and nothing will.
	ErrNotSent = errors.New("not sent")
	// ErrIndeterminate: the request may have reached the service, and no answer came. An acquire may have been
	// granted, or may be yet; a release may have freed the lock, or may yet.
	ErrIndeterminate = errors.New("indeterminate")
	// ErrFull: as many requests as Options allows were waiting.
	ErrFull = errors.New("too many requests are waiting")
	// ErrClosed: the client was closed.
	ErrClosed = errors.New("the client is closed")
)

// Error is how an acquire or a release failed. It is exactly one of ErrBusy, ErrNotSent and ErrIndeterminate. It wraps
// the cause of the caller's context, if that was done, and not that of the dial, which is only told.
type Error struct {
	Op      string // "acquire" or "release"
	Key     string
	Outcome demux.Outcome // demux.Busy, demux.NotSent or demux.Indeterminate
	Cause   demux.Cause   // of demux.NotSent
	Context error         // the cause of the caller's context, if it was done; else nil
	Dial    error         // of demux.NotSent: why the last dial failed, if it did; else nil
}

// Error says what happened, and no byte of a frame.
func (e *Error) Error() string {
	s := fmt.Sprintf("client: %s %q: %v", e.Op, e.Key, e.kind())
	switch {
	case e.Context != nil:
		s += ": " + e.Context.Error()
	case e.Cause == demux.CauseFull:
		s += ": " + ErrFull.Error()
	case e.Cause == demux.CauseClosed:
		s += ": " + ErrClosed.Error()
	case e.Cause == demux.CauseDeadline:
		s += ": its time ran out"
	}
	if e.Dial != nil {
		s += " (" + brief(e.Dial) + ")"
	}
	return s
}

// briefMax is how much of an error of a dial is told. That of a certificate may list all names in it, of whoever made it up.
const briefMax = 200

// brief is an error on one line that is not too long.
func brief(err error) string {
	s := err.Error()
	if len(s) > briefMax {
		s = s[:briefMax] + "..."
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

func (e *Error) kind() error {
	switch e.Outcome {
	case demux.Busy:
		return ErrBusy
	case demux.NotSent:
		return ErrNotSent
	case demux.Indeterminate:
		return ErrIndeterminate
	}
	panic("client: an error of the outcome " + e.Outcome.String())
}

// Is says whether target is one of the variables of this package that e is.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrFull:
		return e.Cause == demux.CauseFull
	case ErrClosed:
		return e.Cause == demux.CauseClosed
	}
	return target == e.kind()
}

// Unwrap returns the cause of the caller's context, or nil.
func (e *Error) Unwrap() error { return e.Context }
