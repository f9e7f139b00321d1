package main

import (
	"os"
	"slices"
	"syscall"

	"ticketing/checker"
)

// exit is the status of the process.
type exit int

// The statuses.
const (
	exitOK           exit = 0   // all that was asked ran and passed
	exitViolation    exit = 1   // a property was violated
	exitUsage        exit = 2   // the arguments, or a file that they name, are wrong
	exitInconclusive exit = 3   // inconclusive, incomplete, or a broken assumption that no scenario declared
	exitNothing      exit = 4   // nothing ran
	exitSelf         exit = 5   // the tool failed its own check: judges differ, a run does not repeat itself, a canary is missed, a row is at zero
	exitDiverged     exit = 6   // a replayed case no longer tests what it was kept for
	exitInternal     exit = 70  // a fault of the tool
	exitInterrupt    exit = 130 // SIGINT
	exitTerminate    exit = 143 // SIGTERM, or SIGHUP
)

// precedence orders the statuses, the gravest first: what makes the other results worthless comes before
// them, what was found before what is missing.
var precedence = []exit{exitSelf, exitViolation, exitInternal, exitUsage, exitInterrupt, exitTerminate,
	exitInconclusive, exitDiverged, exitNothing, exitOK}

// worst returns the gravest of the statuses, exitOK if there are none. An unknown one panics.
func worst(codes ...exit) exit {
	rank := len(precedence) - 1
	for _, c := range codes {
		r := slices.Index(precedence, c)
		if r < 0 {
			panic("ticketsim: an exit status without precedence")
		}
		rank = min(rank, r)
	}
	return precedence[rank]
}

// exitOf is the status that one world's verdict asks for.
func exitOf(v checker.Verdict, declared bool) exit {
	switch v {
	case checker.Pass:
		return exitOK
	case checker.Violation:
		return exitViolation
	case checker.Assumption:
		if declared {
			return exitOK
		}
		return exitInconclusive
	case checker.Inconclusive:
		return exitInconclusive
	case checker.Disagreement:
		return exitSelf
	}
	panic("ticketsim: unknown verdict " + v.String())
}

// exitOfSignal is the status of a run that a signal ended.
func exitOfSignal(s os.Signal) exit {
	if s == syscall.SIGTERM || s == syscall.SIGHUP {
		return exitTerminate
	}
	return exitInterrupt
}
