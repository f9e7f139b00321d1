package sim

// Count numbers what happened in a world that no fact of one kind tells.
type Count int

// The counts of the service, its fate and its callers.
const (
	CountCommit Count = iota
	CountQueued
	CountTurn
	CountLeaseEnd
	CountWaitEnd
	CountQueueDied
	CountLeaderChange
	CountDeposed
	CountCrash
	CountCut
	CountBlock
	CountNotice
	CountPause
	CountAuthFailed
	CountLapse
	CountSlam
	CountSilent
	CountUnanswered
	CountMute
	CountNoRoom
	CountLateOpen
	CountSleep
	CountJumpAhead
	CountJumpBack
	CountRestart
	CountShutAny
	CountForgotten
	CountLateCancel
	CountShutAgain
	CountReleasedTwice
	CountJoinedAfterCancel
	CountHostileDrop
	CountHostileTwice
	CountHostileOwner
	CountHostileKey
	CountHostileToken
	CountHostileSide
	CountHostileUnknown
	CountHostileMalformed
	CountHostileOversized
	CountHostileCutOff
	CountHostileCode
	CountHostileBefore
	CountHostileOffList
	CountHostileOdd
	CountHostileShared
	CountHostileAgain
	CountStrayGrant
	CountStrayAnswer
	CountBroken
	NumCounts = int(iota)
)

var countNames = [NumCounts]string{
	"service/commit", "service/queued", "service/turn", "service/lease-end", "service/wait-end", "service/queue-died",
	"service/leader-change", "service/deposed", "service/crash", "service/cut", "service/block", "service/notice", "service/pause",
	"service/auth-failed", "service/lapse", "service/slam", "service/silent", "service/unanswered", "service/mute", "service/no-room",
	"client/late-open", "client/sleep", "client/jump-ahead", "client/jump-back", "client/restart", "caller/shut-any", "caller/forgotten", "caller/late-cancel", "caller/shut-again", "caller/released-twice", "caller/joins-after-cancel",
	"hostile/drop", "hostile/twice", "hostile/owner", "hostile/key", "hostile/token", "hostile/side", "hostile/unknown",
	"hostile/malformed", "hostile/oversized", "hostile/cut-off", "hostile/code", "hostile/before", "hostile/off-list", "hostile/odd", "hostile/shared", "hostile/again",
	"hostile/stray-grant", "hostile/stray-answer",
	"service/broken",
}

func (c Count) String() string { return countNames[c] }

// Counts says how often each thing happened since Reset. It is no part of the state.
type Counts [NumCounts]uint64

func (w *World) count(c Count) { w.counts[c]++ }

// Counts are those of this run so far.
func (w *World) Counts() *Counts { return &w.counts }
