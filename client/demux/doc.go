// Package demux is the whole logic of a Ticketing client as a pure machine: which reply belongs to which
// request, when a connection is given up and the next one dialled, and what a caller may be told. It does no
// I/O and reads no clock. A driver (the TCP shell in package client, or a simulated world) feeds it events and
// performs its effects; see Core for the duties of a driver.
//
// The rules are those of the protocol, cited by ID.
//
// # A step
//
// Step clamps the clock, handles the input, fires every timer that is due, and then pumps: it dials if it
// may, and hands over at most one write. An input is handled before the timers of the same step, so that a
// reply which is there beats a deadline that passed meanwhile (grant-wins).
//
// # What the protocol leaves open
//
// These are decisions of this package. Anything that calls itself a core makes the same ones.
//
//   - H is written at once when a connection opens, together with whatever may follow it, and even when
//     nothing does. A write holds whole frames, at most MaxWrite bytes, and one write a connection is outstanding.
//   - Grace is Options.Grace plus a thousandth of the wait that the caller asked for. The wait is that, at most the
//     caller's Deadline less the call and the grace, at least 0. What goes on the wire is the part of it that is left, in
//     whole milliseconds rounded down. An acquire is missing at hand-over + that + grace; unsent it ends at call + wait +
//     grace. A release ends at call + Options.Grace.
//   - Timers run at their instant, not after it: due means due <= now. Those of one step fire in the order of their
//     instants; of one instant the connection's come first, then the requests'.
//   - Back-off: each class of Backoffs counts the connections that ended for it since the last proof. The next dial
//     waits until the latest of: the last dial + DialSpacing, and that end + d, where d is Base doubled count-1 times, at
//     most Cap; with Jitter, d is replaced by d/2 plus number g of the SplitMix64 sequence seeded by Jitter, modulo d/2+1,
//     where g is the generation to be dialled. A proof (rule proven) sets every count to zero.
//   - A connection that closed itself for several reasons has the first one. One that ended without our close is Lost.
//     A short or failed write that holds a frame with a remembered cancel is Torn.
//   - The turn: a dial without a hint takes the address at the cursor and moves the cursor on by one. A proof sets the
//     cursor to the address proved. A dial by hint leaves the cursor alone. When a session that was dialled by hint ends
//     unproven, the hint is forgotten, one that it gave itself too: the next dial takes its turn. E no_leader forgets the
//     hint in any case. M or L off the allowlist leaves the hint as it was; L naming its own connection forgets the hint
//     (it is the leader now); M naming its own connection changes nothing.
//   - Probation: the probe interval runs from the hand-over of the connection's first acquire. Once it is over, proof or
//     not, acquires flow. An L does not end the silence.
//   - A connection slot is taken from the dial until InputClosed. While MaxClosing slots hold closed connections,
//     nothing is dialled.
//   - Frames whose write is unanswered when their connection ends stay writing, on no connection, until InputWrote: then
//     a byte accepted makes an acquire Indeterminate, and none returns it to its place in the order of arrival. A lane entry
//     does not wait for it: it is queued again as its connection ends, unless its time is over.
//   - A try of a release is a connection on which a byte of its R was accepted, or a reply to it was parsed.
//   - Two releases join if both key and token are equal. The R keeps the deadline of the first. A caller that cancels while
//     others remain settles at once (NotSent if no byte was ever accepted, else Indeterminate), or, while the R is writing,
//     on its InputWrote; the connection stays.
//   - R and N match a caller's release before a lane entry.
//   - A lane entry ends at parse + lease + LaneSlack: if queued then, it is dropped; if it is on a connection, it stays
//     registered and is not queued again. A token that is in the lane does not enter it twice.
//   - An owner carries this client's prefix if it begins with Options.Prefix.
//   - Held grants are kept in order of arrival. Before one is added, entries are dropped from the oldest on while their lease
//     is over or the table is full. A dropped entry raises the mark.
//   - Close: unsent requests end NotSent, or Indeterminate where a byte of a release was accepted on an earlier connection;
//     sent ones end Indeterminate; writing ones are remembered. A connection that dials is closed; an open one is closed
//     at once unless lane entries are queued or in its outstanding write: then it is closed after the write that holds them
//     is answered, or when it fails, or at CloseGrace; a remembered Close does not close it before. InputClose settles as Closed when every request is settled and every generation has had its
//     InputClosed. A second InputClose is ignored. Requests that come later end NotSent with CauseClosed.
//   - A cancel of the last caller of an R that is unsent now, after a byte on an earlier connection, is Indeterminate and closes
//     nothing. InputClosed that comes while a write is unanswered counts as if all of it was accepted.
//   - Inputs of another generation, or of a state in which they cannot come, change nothing.
package demux
