// Package sim is a simulated lock service with its clients, callers and network, in which the client core that ships
// runs unchanged. It runs one world and yields its history and its ground truth; it judges nothing.
//
// A World is plain data with a pure step. Everything that it leaves open is asked of one choice.Source: what the world is
// made of (Scenario), which event comes next and when (clock.Queue), what the network does to bytes, what the service
// does to requests, what callers want. The same answers give the same run, on every machine.
//
// What happens is told as facts (Fact), in order, through one place: the log hashes them, a trace prints them, a Recorder
// makes a history of what callers saw, and audits (Audit) compare what the client said with what was true.
//
// The world imports of the client only the vocabulary of its core: Input, Effect and Core. Any core can be run. What it
// cannot stand is a core that breaks the duties of a core (writes on a connection that is not open, dials an address that
// is not configured): it panics with Misuse, because what follows would mean nothing.
package sim
