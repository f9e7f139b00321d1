package model

import "strconv"

// kindNames and outcomeNames are part of the published schema: the words of both formats.
var (
	kindNames    = [...]string{Acquire: "acquire", Release: "release"}
	outcomeNames = [...]string{
		Granted:       "granted",
		TimedOut:      "timed-out",
		Busy:          "busy",
		NotSent:       "not-sent",
		Indeterminate: "indeterminate",
		Released:      "released",
		NotFound:      "not-found",
	}
)

// String returns the schema's word for k, or its number where there is none.
func (k Kind) String() string {
	if k >= Acquire && int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "kind(" + strconv.Itoa(int(k)) + ")"
}

// String returns the schema's word for o, or its number where there is none.
func (o Outcome) String() string {
	if o >= Granted && int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return "outcome(" + strconv.Itoa(int(o)) + ")"
}

// Of says whether an operation of kind k can end as o (protocol §6).
func (o Outcome) Of(k Kind) bool {
	switch o {
	case NotSent, Indeterminate:
		return k == Acquire || k == Release
	case Granted, TimedOut, Busy:
		return k == Acquire
	case Released, NotFound:
		return k == Release
	}
	return false
}

// parseOutcome is the inverse of Outcome.String; zero where word is no outcome.
func parseOutcome(word []byte) Outcome {
	for o := Granted; int(o) < len(outcomeNames); o++ {
		if string(word) == outcomeNames[o] {
			return o
		}
	}
	return 0
}

// parseKind is the inverse of Kind.String; zero where word is no kind.
func parseKind(word []byte) Kind {
	for k := Acquire; int(k) < len(kindNames); k++ {
		if string(word) == kindNames[k] {
			return k
		}
	}
	return 0
}
