// Package client acquires and releases leased, exclusive locks of a Ticketing service over TCP or TLS. Many callers share
// one connection: their requests are pipelined, and each answer finds its caller by what it says, never by when it comes.
// It is not a lock manager: it keeps no lock alive, renews none, and does not know when one ends.
//
//	c, err := client.New(client.Options{Addrs: []string{"a:7001", "b:7001"}, Credential: secret, TLS: config})
//	...
//	g, ok, err := c.Acquire(ctx, "ledger", client.AcquireOptions{Wait: time.Second, Lease: 10 * time.Second})
//	switch {
//	case ok:
//		defer g.Release(ctx)
//		return ledger.Write(g.Token(), change) // which refuses a token lower than one that it has seen
//	case err == nil:
//		return errHeld // by another, all the time
//	default:
//		return err // Busy, NotSent or Indeterminate: see below
//	}
//
// # In steps
//
//  1. Make one Client for the process, with New. It connects when it has something to send.
//  2. Acquire a key. The answer is a Grant, none (the wait ran out), or an error. A Grant never comes with an error, and comes
//     even if the context is done by then: look at ok before anything else.
//  3. Hand Grant.Token to whatever the lock protects, with every change.
//  4. Release the Grant, once, whatever happened meanwhile. A deferred Release works with a context that is done. Do has
//     steps 2 and 4 in one.
//  5. Close the client when the process ends, after the releases.
//
// # What an acquire can end as
//
//   - a Grant (ok): the service granted the lock. It must be released.
//   - none (not ok, no error): the wait ran out. Nothing was granted, and nothing will be. This is an answer, and no fault.
//   - ErrBusy: the service is full. Nothing was granted. The client does not try again; Retry does.
//   - ErrNotSent: no byte of the request left the process: there was no connection in time (Error.Dial says why), the
//     context ended, too many requests waited (ErrFull) or the client closed (ErrClosed). Nothing was granted, and it
//     is safe to try again.
//   - ErrIndeterminate: bytes of the request left, and no answer came. See below.
//
// # What a release can end as
//
//   - Released: this release freed the lock.
//   - Lost: the lease had ended before. Another may have held the lock already.
//   - Gone: one or the other; an earlier try had no answer.
//   - ErrNotSent: the lock is as it was. Release again, or leave it to its lease.
//   - ErrIndeterminate: it may be free or not. Release again, which is safe, or leave it to its lease.
//
// That none and Lost are no errors, and that a Grant comes with none, has a reason: the usual "if err != nil, return"
// must neither drop a lock that is held nor take a full house for a fault.
//
// # What to do with ErrIndeterminate
//
// The acquire may be granted by now, or be standing in the queue and be granted later, for nobody. The client
// cannot ask, cannot send the same request again, and does not know the token that a release would need. So:
//
//   - Do not act as if the lock were held.
//   - Do not act as if it were free. Another acquire of the same key may have to wait until the lease of the lost one
//     ends. Ask for short leases, then that is soon.
//   - Acquiring again is safe: it is a new request, with a token above any earlier one.
//
// It comes from a lost or closed connection, a leader that changed, an answer that took longer than the wait
// and Options.Grace, and from cancelling the context of a request that was sent. The last closes the connection, and makes
// all that others sent on it ErrIndeterminate: prefer AcquireOptions.Wait and deadlines to cancelling.
//
// # Why the token matters
//
// A lease ends by the service's clock. The grant may have been made at any time between the call of Acquire and its return; the
// process may have slept since; the answer may have been old when it was read. So a holder can believe in
// a lock that another holds already, and no check of a local clock beforehand changes that, because the process may stop between the
// check and the act. This package therefore computes no "valid until". What protects is the fencing token: it grows with every
// grant, and whatever the lock guards must remember the highest that it has seen and refuse a lower one. What cannot
// check tokens is not protected by a leased lock, but only seldom hit by two holders at once.
//
// # How long it takes
//
// Every call ends, whatever the service does. Where G is Options.Grace and a thousandth of the wait, an acquire that finds no
// connection is NotSent after its wait and G; one that was sent has its answer, or is Indeterminate, after its wait and 2 G at
// the latest. Where a node takes no bytes, Options.WriteStall is added. A release takes no longer than Grace, and as much more.
// The context of a caller ends its waiting earlier.
//
// # What it costs
//
// A goroutine, and two more for each connection, of which there is one as a rule. Tables of the size that Options allows, which
// grow as they are needed, and one allocation for an acquire and its release: the Grant. Requests of many callers leave in one
// write.
//
// # What is told of it
//
// Options.Logger hears of connections, and Stats counts. The credential, keys, and whatever a node wrote are in no log; the
// credential is in no error either, and in nothing of this package that is printed.
//
// # What is inside
//
// All decisions are those of package demux, a machine without I/O that the project's simulator tries in millions of worlds. This
// package gives it a clock, connections and callers, and takes no decision of the protocol itself.
package client
