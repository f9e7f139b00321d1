// Package shrink makes the record of a run shorter and calmer for as long as the run still shows what it was kept for.
//
// It knows picks and a function that runs a world; it knows no world and no property. What comes out is a local minimum: no
// single change of those that it tries makes the run smaller, which is not to say that no smaller run exists.
// Beside changes it tries runs that begin like the best one and go on at random, or are made of less, or are new altogether.
//
// The contract:
//
//  1. Hand Shrink a record and a Try that answers for one run.
//  2. Try runs the world anew on each call, obeys the source alone, and is deterministic.
//  3. The picks of the Result are exact: they are what the last good run was asked, and replay it without divergence.
//
// Each candidate is a change of the best record so far. After a change the world asks other questions, so that the run
// diverges from the record and follows it (choice.Replay). What the run was asked is recorded, and that record is the
// next best if it is smaller: fewer events, then fewer answers that are not the calmest, then smaller answers, then fewer
// picks. Every step lowers that measure, so shrinking ends without any bound on it; the bounds are there for the patience
// of people.
package shrink
