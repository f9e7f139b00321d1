// Package network simulates byte streams between hosts, and their faults. It knows bytes, hosts and
// connections; it knows nothing of locks, clients or services.
//
// A Net has a fixed set of connection slots. Each has a few slots of a clock.Queue: the owner of both takes a
// slot from the queue, hands it to Net.Take, and tells the host concerned what happened.
//
// The contract:
//
//  1. A connection has a dialer and an acceptor. The dialer gets at most one EventOpened and then exactly one
//     EventClosed; a failed dial is closed alone. The acceptor gets nothing, or one EventAccepted and then
//     exactly one EventClosed. A host that crashed is told nothing of the connections that it had.
//  2. Each write of the dialer is answered by exactly one EventWrote, which says exactly how many bytes were
//     accepted. It comes before the EventClosed. The acceptor's writes are not answered.
//  3. Bytes accepted are in flight at once: an answer to them can arrive before the EventWrote.
//  4. What a side receives is a prefix of what the other had accepted, in order, cut and joined anywhere.
//  5. Closing closes both directions. What was accepted before still arrives, perhaps much later, unless a fault
//     destroys it. The closing side may still be handed bytes until its EventClosed.
//  6. A connection slot is used again once both sides have ended.
//
// Which fault happens is asked of a choice.Source at the moment at which it would happen, and counted when it
// does; nothing is drawn ahead. A fault with odds zero is not asked about.
package network
