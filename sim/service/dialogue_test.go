package service_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"ticketing/sim/clock"
	"ticketing/sim/service"
)

// The stories under testdata/both are told to a service as a world drives it and as ticketd does, and it must answer both
// alike. Those under testdata/known and testdata/any are of what only one of them can bring about. The commands:
//
//	reset [nodes=N] [conns=N] [queue=N] [waiters=N] [proposals=N] [cap=MS] [dies] [lost] [restarts] [restart=MS]
//	open conn=N [node=N]     a connection
//	say conn=N [hold]        the lines that follow arrive on it; hold: nobody lets the node work
//	cut conn=N               the line that follows arrives on it without its end
//	over conn=N              it has ended
//	at ms=N                  time passes until then
//	late ms=N                time passes until then, and nobody looks
//	expire k=N               the k-th that is due ends
//	lead node=N [quiet]      a leader; quiet: the one before does not learn of it
//	vacate [quiet]           no leader
//	work                     nodes commit what they hold
//	notify node=N leader=N   L
//	yes|no to=QUESTION       how the host answers from here on
//	gap n=N                  how many tokens are left out before each
//	lasts ms=N               how long grants last; 0: their leases
//	waiting                  who waits, and until when
func TestDialogues(t *testing.T) {
	for _, way := range []struct {
		dir   string
		known bool
	}{{"testdata/both", true}, {"testdata/both", false}, {"testdata/known", true}, {"testdata/any", false}} {
		datadriven.Walk(t, way.dir, func(t *testing.T, path string) {
			d := &driver{known: way.known}
			datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
				d.command(t, td)
				return d.heard()
			})
		})
	}
}

var questions = map[string]service.Question{"auth": service.AskAuth, "lapse": service.AskLapse, "idle": service.AskIdle,
	"notice": service.AskNotice, "stay": service.AskStay, "mute": service.AskMute, "overload": service.AskOverload,
	"missing": service.AskMissing, "double": service.AskDouble}

func number(t *testing.T, td *datadriven.TestData, key string, def int) int {
	td.MaybeScanArgs(t, key, &def)
	return def
}

func (d *driver) command(t *testing.T, td *datadriven.TestData) {
	conn := int32(number(t, td, "conn", 0))
	at := clock.Time(number(t, td, "ms", 0)) * clock.Millisecond
	switch td.Cmd {
	case "reset":
		d.resetBy(t, td)
	case "open":
		d.Begin(conn, int16(number(t, td, "node", 0)))
		d.Open(conn)
	case "say":
		d.Receive(d, conn, []byte(td.Input+"\n"))
		if !td.HasArg("hold") {
			d.settle()
		}
	case "cut":
		d.Receive(d, conn, []byte(td.Input))
	case "over":
		d.Over(d, conn)
	case "at":
		require.Greater(t, at, d.now, td.Pos)
		d.advance(at)
	case "late":
		d.now = at
	case "expire":
		due := d.Due(d.now)
		ended := d.Expire(d, d.now, number(t, td, "k", 0))
		d.say("one of %d; a lease: %v; a wait for key %d", due, ended.Lease, ended.Waiter.Key)
	case "lead", "vacate":
		d.change(int16(number(t, td, "node", -1)), td.HasArg("quiet"))
		d.say("the leader is %d, after %d elections", d.Leader, d.Changes)
	case "work":
		d.settle()
	case "notify":
		d.say("%d told", d.Notify(d, int16(number(t, td, "node", 0)), int16(number(t, td, "leader", 0))))
	case "yes", "no":
		var to string
		td.ScanArgs(t, "to", &to)
		require.Contains(t, questions, to, td.Pos)
		d.yes[questions[to]] = td.Cmd == "yes"
	case "gap":
		d.gap = uint64(number(t, td, "n", 0))
	case "lasts":
		d.lasts = at
	case "waiting":
		for v := range d.Waiters() {
			d.say("%s for %s, %dms more", d.owners[v.Owner.N], d.keys[v.Key], (d.Until(v)-d.now)/clock.Millisecond)
		}
	default:
		t.Fatalf("%s: no command %s", td.Pos, td.Cmd)
	}
}

func (d *driver) resetBy(t *testing.T, td *datadriven.TestData) {
	nodes := strings.Fields("n0:1 n1:1 n2:1")[:number(t, td, "nodes", 1)]
	d.reset(service.Options{Addrs: nodes, Credential: "secret", Conns: number(t, td, "conns", 4),
		ProposalsMax: number(t, td, "proposals", 16), QueueMax: number(t, td, "queue", 16), WaitersMax: number(t, td, "waiters", 16),
		LeaseCap: uint32(number(t, td, "cap", 60_000)), WaitRestart: uint32(number(t, td, "restart", 0)),
		QueueDies: td.HasArg("dies"), QueueLost: td.HasArg("lost"), LeaseRestarts: td.HasArg("restarts"), DriftPPM: 10_000},
		[]string{"a", "b", "c"})
	d.change(0, false)
}

// change makes n the leader, or nobody with -1. All know at once, but for a leader of before that is to know nothing.
func (d *driver) change(n int16, quiet bool) {
	old := d.Leader
	if n < 0 {
		d.Vacate()
	} else {
		d.Lead(d, d.now, n)
	}
	for i := range d.Nodes {
		if int16(i) != old {
			d.Nodes[i].Knows = n
		}
	}
	if old >= 0 && !quiet {
		d.Depose(d, old)
	}
}
