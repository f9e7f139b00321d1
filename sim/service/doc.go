// Package service is a Ticketing service as a pure machine: nodes that take requests in, and one committed state of locks
// that only the leader among them changes. It is what a simulated world runs under its own clock and faults, and what
// ticketd puts behind TCP. It is no consensus: that a majority agrees is taken for granted, and whoever drives it says who
// leads.
//
// It keeps what the protocol assumes of a service:
//
//   - tokens grow over all keys, and are never used again (a-token);
//   - a lease ends no earlier than its length after the grant, on the clock of the node that leads, whoever that is (a-lease);
//   - T, B and N are said by the leader, as it commits (a-final);
//   - a line without its end is not executed (a-line).
//
// What it leaves open it asks its Host: whether a credential lapses, how far apart tokens are, whether a promise is broken.
//
// The contract, for whoever drives it:
//
//  1. Reset it. Nobody leads yet: Lead makes a node the leader, Vacate leaves none. The other nodes learn of that through
//     Node.Knows, and a leader of before through Depose, now or later: until then it takes requests in, and commits none.
//  2. Begin and Open a session for each connection, give what arrives to Receive, and call Over when the connection has
//     ended. What goes out goes to the Host.
//  3. When a node is told to hold a proposal (EventProposed), let it Work, at once or later: once a proposal.
//  4. At Deadline call Expire, as long as something is Due, or ExpireAll. Leases and waits end there and nowhere else.
//  5. Instants are of one clock for all, never before those of earlier calls. Each node has a clock of its own beside.
//
// A Service is plain data: cloned by CopyFrom, identified by AppendState. It allocates nothing once its tables are warm. What
// an operation costs is logarithmic in what is held and queued, but for Expire, which is for small worlds; a change of leader
// goes through all that is held.
package service
