package sim

import (
	"time"

	"ticketing/client/demux"
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// Bounds of a world. They keep its tables small and its identifiers in their fields.
const (
	MaxNodes   = 5
	MaxClients = 4
	MaxCallers = 16 // a client's: the low four bits of a lease tell the calls of one client apart
	MaxKeys    = 12
	MaxLives   = 8 // of a client process
)

// Window is a span of time in which something happens, chosen when it does.
type Window struct{ Min, Max clock.Time }

// Params is what one world is made of. A scenario draws it before the world starts, each field a pick.
// Odds are out of choice.OddsOne; at zero the question is never asked.
type Params struct {
	Scenario string

	Nodes   int
	Clients int
	Callers int // callers of each client
	Ops     int // acquires of each caller
	Keys    []string
	Long    bool // owners and the credential are as long as they may be

	Net  network.Options
	Core demux.Options // Addrs, Credential and Prefix are the world's to fill in

	// Clocks. A node's rate is within DriftPPM of the world's, a client's within ClientPPM.
	DriftPPM  int64
	ClientPPM int64
	TimerLag  clock.Time // a timer fires up to this much late
	// LateOpenOdds is how often a dial that was given up has succeeded, and says so, before it is gone.
	LateOpenOdds uint16
	Instants     int // of each window of time, how many instants are offered; 0: clock.DefaultSteps

	Caller  CallerParams
	Service ServiceParams
	Chaos   ChaosParams

	HealAt    clock.Time // the faults stop; 0: by their budgets alone
	EventsMax int64      // a world that goes on longer is inconclusive
}

// CallerParams is how callers behave.
type CallerParams struct {
	Think      Window
	Hold       Window
	WaitsMax   uint32 // milliseconds; a caller's wait is 0, a part of it, or all
	LeaseMin   uint32 // milliseconds
	LeaseMax   uint32
	CancelOdds uint16 // an acquire is cancelled at some moment within CancelIn
	CancelIn   Window
	// UncancelOdds is how often a release is cancelled.
	UncancelOdds uint16
	DeadlineOdds uint16 // an acquire has a deadline of its own, within its wait
	ForgetOdds   uint16 // a grant is never released
	TwiceOdds    uint16 // a second Release while the first is under way
	JoinsMax     int    // how many such releases, one after the other; 1 to JoinsMax
	AgainOdds    uint16 // a second Release after the first ended
	ShutOdds     uint16 // a caller that would acquire closes its client instead
	LateOdds     uint16 // an acquire is cancelled after it was granted
	ShutAgain    uint16 // a client is closed once more
}

// ServiceParams is how the service behaves.
type ServiceParams struct {
	Work          Window // from one commit of a node to the next
	ProposalsMax  int    // requests that a node holds; more are answered B
	QueueMax      int    // waiters of one key; more are answered B
	LeaseCap      uint32 // milliseconds; a longer lease is shortened to it
	QueueDies     bool   // a queued acquire dies with its connection
	QueueLost     bool   // a new leader starts with an empty queue
	LeaseRestarts bool   // a new leader restarts the leases in full
	MuteOdds      uint16 // a commit after which the answer is lost with its connection
	AuthOdds      uint16 // an H that is refused
	LapseOdds     uint16 // a request after which the credential is no longer good: E auth_failed on a session with work in flight
	SlamOdds      uint16 // a connection that is closed once it was accepted
	SilentOdds    uint16 // one on which nothing is read
	IdleOdds      uint16 // a follower that says not_active instead of naming the leader
	NoticeOdds    uint16 // a follower that says L before M
	StaleOdds     uint16 // a node that does not learn of a new leader until it must
	TimerLag      clock.Time
	Hostile       HostileParams
	FirstToken    uint64 // tokens are greater
	Broken        Broken // the assumption that it breaks; the shipped swarm breaks none
	BrokenOdds    uint16 // of breaking it where it could
}

// HostileParams is how often an answer is not what an honest service sends.
type HostileParams struct {
	Odds      uint16 // of any of the kinds, evenly
	Budget    int    // how many times at most; 0: no bound
	GreetOdds uint16 // an H is followed by a grant that nobody asked for
	// AnswerOdds is how often it is an answer that nobody waits for instead, as far as the service knows.
	AnswerOdds uint16
}

// ChaosParams is what happens to the service as a whole.
type ChaosParams struct {
	Budget      int // how many times at most
	Every       Window
	Election    Window
	Restart     Window
	FallOdds    uint16 // the leader falls
	CrashOdds   uint16 // a node crashes
	CutOdds     uint16 // a connection is reset
	BlockOdds   uint16 // one direction between two hosts is blocked
	NoticeOdds  uint16 // a node says L, true or not
	StrayOdds   uint16 // hostile: a frame nobody asked for
	ShutOdds    uint16 // a client is closed, whatever it has under way
	PauseOdds   uint16 // a node sleeps, most often the leader
	SleepOdds   uint16 // a client sleeps
	JumpOdds    uint16 // the clock of a client is set
	RestartOdds uint16 // a client dies and starts anew
	Nap         Window // how long a sleep is
	TokenGapMax int    // tokens grow by up to this much
}

func window(min, max time.Duration) Window {
	return Window{clock.Time(min), clock.Time(max)}
}

// drawer draws the parameters of one world.
type drawer struct {
	src choice.Source
}

// pick answers one of the options; the first is the calmest.
func pick[T any](d *drawer, name string, options ...T) T {
	return options[d.src.Choose(choice.Label{Stream: choice.Scenario, Name: name}, len(options))]
}

// odds draws how often a fault happens: never in half of the worlds, otherwise rarely, now and then, or often.
func (d *drawer) odds(name string) uint16 {
	return pick[uint16](d, name, 0, 0, 0, choice.OddsOne/64, choice.OddsOne/16, choice.OddsOne/4)
}
