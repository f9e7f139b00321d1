// Package explore visits every state of a bounded world of the client that ships.
//
// It knows worlds, which it clones, and choices, of which it takes each; it knows no property: the world's audits do, and
// they are part of the state that it tells apart. It does not sample and has no seed.
//
// The contract:
//
//  1. The parameters bound the world: finitely many calls, and a budget for every fault. The world asks the same
//     questions after the same answers.
//  2. Run takes each answer to each question of each state once, but for the reductions below, one event a step, and merges
//     states whose canonical encodings have one hash of 63 bits. Report.MissedPer2to64 says how likely that hid a state.
//  3. A violation comes as picks, of the fewest events that lead to one unless the report says that a bound ended the search
//     for those. They replay without divergence.
//  4. A search that a bound of states or Stop ended can be saved (Search.Save). Under the same options and the same behaviour
//     it goes on (Resume) to the report that it would have come to without the stop.
//  5. The same worlds and options lead to the same report.
//
// # Depth first
//
// A search breadth first needs a frontier: states to go on from, of a kilobyte or two each as clones, or far more time if
// they are run again. Depth first needs the states of one path, which is some hundred clones, and eight bytes for each state
// that was visited. The price is that the first violation found is not the shortest: once there is one, the search is
// repeated with a bound on the depth that grows by one event (shortest.go).
//
// # Rounds
//
// A path that comes back to a state of its own could go round forever, which no bounded world may: it is a violation of
// the property Round.
//
// # Reductions
//
// Clients and callers that have done nothing yet are alike, and so is what follows if two of them change places. Of each set
// of such states only those are followed in which they begin in the order of their numbers (World.OutOfOrder). What tells
// callers apart beside their names is up to 15 ms of their leases (sim.AcquireOp): a scope whose service may be that late
// loses no order of their ends.
//
// Two events of one instant that concern different parts of the world (sim.Parts) lead to one state in either order. Once all
// ways of an event t were taken in a state, t sleeps in what the other events there lead to, for as long as nothing happens
// that concerns what t does, and is not taken there. A set of sleeping events is part of no state: a state that is met again
// is left as it is, whoever sleeps there now. That is sound here, since no path goes round. Claim: when all ways of a state
// x are taken, whatever can follow x has been followed too, to its end. Of the events that were taken in x it is true, depth
// first. Let t sleep in x, put to sleep in s, from where events u…v led to x. What t leads to from s was followed to its end
// before u was taken in s. So, by the claim about states of which all ways were taken before, was what u leads to from
// there, and so on up to v: which is what t leads to from x. Should there be a path that goes round, one of its states is met
// again while it is on the path, for by the same claim what follows would else always be over before what it follows. An event
// that led to a state which was left to a symmetric one does not sleep. In a search of bounded depth nothing does: there, what
// was followed was not followed to its end.
//
// So sleep saves events, not states, and takes no memory: a third of the events where two clients go their ways, a hundredth
// where all is about one connection. (With the sets kept beside the states, and states followed again for events that slept
// before and do not now, as searches that may go round have to do, the same third shrank to a twentieth.)
//
// Persistent sets save states too, and are not for these worlds: while a fault that concerns everything may still fall, and
// until the last of its budget is spent it may always, every persistent set is the set of all events.
//
// The tests compare searches with and without: states, verdicts, and all that callers can come to be told.
package explore
