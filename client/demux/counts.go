package demux

// Count names a branch of the machine, each of which belongs to a rule.
type Count uint8

// Counts says how often each branch was taken. It belongs to the object, not to its state: it is not encoded,
// CopyFrom leaves it alone, and Reset clears it.
type Counts [NumCounts]uint64

// Counts returns the counts of m. They go on counting.
func (m *Machine) Counts() *Counts { return &m.counts }

// Add adds the counts of another machine.
func (c *Counts) Add(o *Counts) {
	for i, n := range o {
		c[i] += n
	}
}

func (m *Machine) count(c Count) { m.counts[c]++ }

// The branches. Their names, in CountNames, are the ID of the rule, a slash and the branch.
const (
	CountMatchRelease Count = iota
	CountMatchAcquire
	CountMatchOtherSide
	CountMatchOtherConnection
	CountMatchOtherOwner
	CountMatchOtherKey
	CountNoFifoOvertook
	CountRegisterFirstBeforeWrote
	CountValuesTimedOut
	CountValuesNotFound
	CountBusyAtOnce
	CountMovedHint
	CountMovedOffList
	CountMovedSelf
	CountNoticeHint
	CountNoticeOffList
	CountNoticeSelf
	CountBackoffNoLeader
	CountBackoffNotActive
	CountBackoffAuthFailed
	CountFatalError
	CountFatalMalformed
	CountFatalOversized
	CountFatalUnknown
	CountUnmatchedGranted
	CountUnmatchedAcquire
	CountUnmatchedRelease
	CountEndsSentAcquire
	CountNoResendLateWrote
	CountNotSentWithdrawn
	CountCancelQueued
	CountCancelWriting
	CountCancelSent
	CountCancelBetweenTries
	CountOrphanLaned
	CountOrphanTokenUnknown
	CountLaneQueued
	CountLaneTwice
	CountLaneFull
	CountLaneWritten
	CountLaneSurvived
	CountLaneReleased
	CountLaneNotFound
	CountCloseProvesNothingHeld
	CountSentPerFrameAccepted
	CountSentPerFrameUntouched
	CountSentPerFrameAnsweredFirst
	CountSentPerFrameRememberedSent
	CountSentPerFrameRememberedUnsent
	CountTornStreamNothing
	CountTornStreamFailed
	CountTornStreamShort
	CountRestDroppedAfterClose
	CountRestDroppedMidFrame
	CountGenerationsStale
	CountGenerationsLateWrote
	CountGenerationsNoSlot
	CountUnsentMovesReturned
	CountUnsentMovesLate
	CountDeadlineUnsent
	CountDeadlineWriting
	CountDeadlineSent
	CountDeadlineReleaseUnsent
	CountDeadlineReleaseWriting
	CountDeadlineReleaseSent
	CountDeadlineCapped
	CountDeadlineDial
	CountDeadlineStall
	CountOrderCoalesced
	CountOrderWriteFull
	CountOwnCapacityAcquires
	CountOwnCapacityReleases
	CountProbationFirst
	CountProbationHeldBack
	CountProbationSilence
	CountClockBackwards
	CountOwnersMade
	CountReleaseAgainQueued
	CountReleaseAgainWritten
	CountReleaseAgainSpent
	CountResentNMarked
	CountOneReleaseJoined
	CountOneReleaseUnheld
	CountOneReleaseCancelAlone
	CountLaneEndQueued
	CountLaneEndCarried
	CountGrantWinsOverRemembered
	CountGrantWinsLateCancel
	CountHeldGrantForeign
	CountHeldGrantBelowMark
	CountHeldGrantHeld
	CountHeldGrantReleasing
	CountHeldGrantLeaseOver
	CountHeldGrantFull
	CountWrongKeyGranted
	CountOneHintDialled
	CountOneHintTurn
	CountOneHintUnproven
	CountProvenFirst
	CountPacingWaits
	CountPacingCapped
	CountPacingMoved
	CountPacingNoLeader
	CountPacingNotActive
	CountPacingAuth
	CountPacingBroken
	CountPacingLost
	CountPacingOwn
	CountShutDownIdle
	CountShutDownDialing
	CountShutDownOpen
	CountShutDownLaneWrite
	CountShutDownLaneDropped
	CountShutDownGrace
	CountShutDownUnread
	CountShutDownLateRequest
	CountShutDownAgain
	CountRedactText
	CountLeaseStartAsSaid
	NumCounts = int(iota)
)

// CountNames has the name of each Count.
var CountNames = [NumCounts]string{
	CountMatchRelease:                 "match/release",
	CountMatchAcquire:                 "match/acquire",
	CountMatchOtherSide:               "match/other-side",
	CountMatchOtherConnection:         "match/other-connection",
	CountMatchOtherOwner:              "match/other-owner",
	CountMatchOtherKey:                "match/other-key",
	CountNoFifoOvertook:               "no-fifo/overtook",
	CountRegisterFirstBeforeWrote:     "register-first/before-wrote",
	CountValuesTimedOut:               "values/timed-out",
	CountValuesNotFound:               "values/not-found",
	CountBusyAtOnce:                   "busy/at-once",
	CountMovedHint:                    "moved/hint",
	CountMovedOffList:                 "moved/off-list",
	CountMovedSelf:                    "moved/self",
	CountNoticeHint:                   "notice/hint",
	CountNoticeOffList:                "notice/off-list",
	CountNoticeSelf:                   "notice/self",
	CountBackoffNoLeader:              "backoff/no-leader",
	CountBackoffNotActive:             "backoff/not-active",
	CountBackoffAuthFailed:            "backoff/auth-failed",
	CountFatalError:                   "fatal/error",
	CountFatalMalformed:               "fatal/malformed",
	CountFatalOversized:               "fatal/oversized",
	CountFatalUnknown:                 "fatal/unknown",
	CountUnmatchedGranted:             "unmatched/granted",
	CountUnmatchedAcquire:             "unmatched/acquire",
	CountUnmatchedRelease:             "unmatched/release",
	CountEndsSentAcquire:              "ends-sent/acquire",
	CountNoResendLateWrote:            "no-resend/late-wrote",
	CountNotSentWithdrawn:             "not-sent/withdrawn",
	CountCancelQueued:                 "cancel/queued",
	CountCancelWriting:                "cancel/writing",
	CountCancelSent:                   "cancel/sent",
	CountCancelBetweenTries:           "cancel/between-tries",
	CountOrphanLaned:                  "orphan/laned",
	CountOrphanTokenUnknown:           "orphan/token-unknown",
	CountLaneQueued:                   "lane/queued",
	CountLaneTwice:                    "lane/twice",
	CountLaneFull:                     "lane/full",
	CountLaneWritten:                  "lane/written",
	CountLaneSurvived:                 "lane/survived",
	CountLaneReleased:                 "lane/released",
	CountLaneNotFound:                 "lane/not-found",
	CountCloseProvesNothingHeld:       "close-proves-nothing/held",
	CountSentPerFrameAccepted:         "sent-per-frame/accepted",
	CountSentPerFrameUntouched:        "sent-per-frame/untouched",
	CountSentPerFrameAnsweredFirst:    "sent-per-frame/answered-first",
	CountSentPerFrameRememberedSent:   "sent-per-frame/remembered-sent",
	CountSentPerFrameRememberedUnsent: "sent-per-frame/remembered-unsent",
	CountTornStreamNothing:            "torn-stream/nothing",
	CountTornStreamFailed:             "torn-stream/failed",
	CountTornStreamShort:              "torn-stream/short",
	CountRestDroppedAfterClose:        "rest-dropped/after-close",
	CountRestDroppedMidFrame:          "rest-dropped/mid-frame",
	CountGenerationsStale:             "generations/stale",
	CountGenerationsLateWrote:         "generations/late-wrote",
	CountGenerationsNoSlot:            "generations/no-slot",
	CountUnsentMovesReturned:          "unsent-moves/returned",
	CountUnsentMovesLate:              "unsent-moves/late",
	CountDeadlineUnsent:               "deadline/unsent",
	CountDeadlineWriting:              "deadline/writing",
	CountDeadlineSent:                 "deadline/sent",
	CountDeadlineReleaseUnsent:        "deadline/release-unsent",
	CountDeadlineReleaseWriting:       "deadline/release-writing",
	CountDeadlineReleaseSent:          "deadline/release-sent",
	CountDeadlineCapped:               "deadline/capped",
	CountDeadlineDial:                 "deadline/dial",
	CountDeadlineStall:                "deadline/stall",
	CountOrderCoalesced:               "order/coalesced",
	CountOrderWriteFull:               "order/write-full",
	CountOwnCapacityAcquires:          "own-capacity/acquires",
	CountOwnCapacityReleases:          "own-capacity/releases",
	CountProbationFirst:               "probation/first",
	CountProbationHeldBack:            "probation/held-back",
	CountProbationSilence:             "probation/silence",
	CountClockBackwards:               "clock/backwards",
	CountOwnersMade:                   "owners/made",
	CountReleaseAgainQueued:           "release-again/queued",
	CountReleaseAgainWritten:          "release-again/written",
	CountReleaseAgainSpent:            "release-again/spent",
	CountResentNMarked:                "resent-n/marked",
	CountOneReleaseJoined:             "one-release/joined",
	CountOneReleaseUnheld:             "one-release/unheld",
	CountOneReleaseCancelAlone:        "one-release/cancel-alone",
	CountLaneEndQueued:                "lane-end/queued",
	CountLaneEndCarried:               "lane-end/carried",
	CountGrantWinsOverRemembered:      "grant-wins/over-remembered",
	CountGrantWinsLateCancel:          "grant-wins/late-cancel",
	CountHeldGrantForeign:             "held-grant/foreign",
	CountHeldGrantBelowMark:           "held-grant/below-mark",
	CountHeldGrantHeld:                "held-grant/held",
	CountHeldGrantReleasing:           "held-grant/releasing",
	CountHeldGrantLeaseOver:           "held-grant/lease-over",
	CountHeldGrantFull:                "held-grant/full",
	CountWrongKeyGranted:              "wrong-key/granted",
	CountOneHintDialled:               "one-hint/dialled",
	CountOneHintTurn:                  "one-hint/turn",
	CountOneHintUnproven:              "one-hint/unproven",
	CountProvenFirst:                  "proven/first",
	CountPacingWaits:                  "pacing/waits",
	CountPacingCapped:                 "pacing/capped",
	CountPacingMoved:                  "pacing/moved",
	CountPacingNoLeader:               "pacing/no-leader",
	CountPacingNotActive:              "pacing/not-active",
	CountPacingAuth:                   "pacing/auth",
	CountPacingBroken:                 "pacing/broken",
	CountPacingLost:                   "pacing/lost",
	CountPacingOwn:                    "pacing/own",
	CountShutDownIdle:                 "shut-down/idle",
	CountShutDownDialing:              "shut-down/dialing",
	CountShutDownOpen:                 "shut-down/open",
	CountShutDownLaneWrite:            "shut-down/lane-write",
	CountShutDownLaneDropped:          "shut-down/lane-dropped",
	CountShutDownGrace:                "shut-down/grace",
	CountShutDownUnread:               "shut-down/unread",
	CountShutDownLateRequest:          "shut-down/late-request",
	CountShutDownAgain:                "shut-down/again",
	CountRedactText:                   "redact/text",
	CountLeaseStartAsSaid:             "lease-start/as-said",
}

func (c Count) String() string { return name(CountNames[:], int(c)) }
