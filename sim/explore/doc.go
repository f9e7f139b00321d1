// Package explore visits every state of a bounded world of the client that ships.
//
// It knows worlds, which it clones, and choices, of which it takes each; it knows no property: the world's audits do, and
// they are part of the state that it tells apart. It does not sample and has no seed.
//
// The contract:
//
//  1. The parameters bound the world: finitely many calls, and a budget for every fault. The world asks the same
//     questions after the same answers.
//  2. Run takes each answer to each question of each state once, one event a step, and merges states whose canonical
//     encodings have one hash of 63 bits. Report.MissedPer2to64 says how likely that hid a state.
//  3. A violation comes as picks, of the fewest events that lead to one unless the report says that a bound ended the search
//     for those. They replay without divergence.
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
// # Symmetry
//
// Clients and callers that have done nothing yet are alike, and so is what follows if two of them change places. Of each set
// of such states only those are followed in which they begin in the order of their numbers (World.OutOfOrder). What tells
// callers apart beside their names is up to 15 ms of their leases (sim.AcquireOp): a scope whose service may be that late
// loses no order of their ends. The tests compare reduced and unreduced searches.
package explore
