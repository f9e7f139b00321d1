// Package blackbox judges a history of a lock service by what its callers saw, and by nothing else.
//
// It is not a simulator's audit: it knows no service state, no wire and no client, so histories recorded
// elsewhere are judged as well. It says nothing about operations that end with no effect by definition
// (TimedOut, Busy, NotSent), and little about a grant whose window is shorter than its lease; Verdict
// counts those that are.
//
// # Contract
//
// A history is legal if there is an instant for every operation that took effect, between its call and its
// return, and a fate for every operation whose effect is unknown, such that on each key
//
//   - a token holds the lock from its grant to its end, alone: the end is its one answered release, or an
//     unanswered one, or the end of its lease, which comes no earlier than its length less the declared
//     drift and at any time after that;
//   - a release answered Released is the end of a token that still holds the lock;
//   - at the instant of a release answered NotFound its token no longer holds the lock; if it was tried
//     more than once, an earlier try may have been the end;
//   - an Indeterminate release acts at any time from its call on, or never;
//
// and tokens grow from grant to grant over the whole service. An Indeterminate acquire that showed no token
// can only stand in the way of others, and leaves the history; one whose token was parsed later is a grant.
// What names a tainted token on its key leaves as well, and so does a lane's release of a token that no
// grant shows. Where the history says that lane releases were not recorded, a grant that was parsed too
// late may have been released at any time from there.
//
// # Two judges
//
// The greedy judge takes grants in the order of their tokens and puts each at its earliest instant; one
// sort and one pass a key and one over the service decide. Porcupine searches for an order key by key,
// over model.Lock, in segments of consecutive grants with every release of their tokens. The two share the
// meaning of a history (who leaves, which window an operation has) and the state at the start of a later
// segment, and nothing else. They decide the same question on every key, so when they differ one is wrong:
// Disagree. Growth of tokens across keys is the greedy judge's alone.
//
// # Properties
//
//   - token-unique: no token is granted twice, on one key or on two.
//   - token-order: a grant that returned before another was called has the lower token.
//   - overlap: a lock is granted only once the grant before it has ended.
//   - double-release: of the releases of one token at most one is answered Released.
//   - stale-release: a release called after a later grant of its key returned is not answered Released.
//   - not-found-while-held: a release is not answered NotFound by a time before which its token cannot
//     have ended.
//   - not-found-then-released: a token that NotFound declared gone is not Released afterwards.
//   - linearizable: Porcupine's verdict where it stands alone.
package blackbox
