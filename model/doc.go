// Package model is the vocabulary of a history (operations, outcomes, the published schema) and the
// sequential specification of a lock, a value type with a pure step.
//
// It knows no simulator, no client and no judge: a history recorded by strangers is read and written here
// too. It does not judge; package checker/blackbox does.
//
// # Recording
//
// A recorder writes one operation for each acquire and each release, with the stamp of its call and the
// stamp of its return. A stamp is a position, unique in the history, and the recorder's clock in
// nanoseconds, which never falls as positions grow. Times count from any instant. Histories merged from
// several machines are sorted by clock, numbered in that order, and declare how wrong their clocks may be.
//
//   - An operation still open at the end, or whose caller crashed, is indeterminate and returns when that
//     was known, at the latest after everything else.
//   - Several calls that shared one release are one operation. Its tries are the frames of which a byte
//     was accepted.
//   - An acquire whose token was parsed after its caller had been told is indeterminate with that token
//     and lease, and returns at the moment of parsing.
//   - Releases that a client sends for such tokens are marked lane; a recorder that does not see them says
//     "lane unrecorded".
//   - A token that is known to be forged is tainted on its key.
//
// # The text schema
//
// ASCII lines, each ended by a newline, fields separated by one space, comments on lines of their own that
// start with '#', empty lines allowed. The first line is the header:
//
//	ticketing-history 1 drift 200 uncertainty 0 lane recorded
//
// 1 is the version, drift is in parts per million, uncertainty in nanoseconds, lane is recorded or
// unrecorded. Every other line is one of these, and they may come in any order:
//
//	key printer
//	acquire c3 printer 5@1000 9@2000 wait 100 granted 7 lease 3000
//	acquire c3 printer 5@1000 9@2000 wait 100 timed-out
//	acquire c3 printer 5@1000 9@2000 wait 100 indeterminate
//	acquire c3 printer 5@1000 9@2000 wait 100 indeterminate 7 lease 3000
//	release c3 printer 10@2000 12@3000 token 7 tries 1 released
//	release c3 printer 10@2000 12@3000 token 7 tries 2 lane not-found
//	taint printer 8
//
// c3 is the calling process, 5@1000 is position 5 at 1,000 ns: first the call, then the return. Wait and
// lease are milliseconds. An acquire is granted, timed-out, busy, not-sent or indeterminate; a release is
// released, not-found, not-sent (with 0 tries) or indeterminate. A key is 1 to 200 bytes of '!' to '~'. A
// key line only fixes the order of keys; elsewhere a key exists from its first mention.
//
// # The JSON lines schema
//
// The same, one object a line. All numbers are whole and up to 64 bits wide: readers that keep numbers as
// floating point lose tokens and times. Fields come in any order, none twice, and no others.
//
//	{"ticketing-history":1,"drift_ppm":200,"uncertainty_nanos":0,"lane_recorded":true}
//	{"key":"printer"}
//	{"op":"acquire","client":3,"key":"printer","call":[5,1000],"return":[9,2000],"wait":100,"outcome":"granted","token":7,"lease":3000}
//	{"op":"release","client":3,"key":"printer","call":[10,2000],"return":[12,3000],"token":7,"tries":1,"outcome":"released"}
//	{"taint":8,"key":"printer"}
//
// Token, lease, wait and tries default to 0, lane to false; the other fields of a line are required.
//
// A line of either schema has at most LineMax bytes. Readers tell the formats apart by the first byte. An
// unknown version is refused.
package model
