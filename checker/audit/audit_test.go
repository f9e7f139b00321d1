package audit

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/sim"
)

// The tests tell an audit facts by hand: first a run in which all is well, then the same run with one fact changed, added
// or missing. Each must be rejected, under its property.

const (
	opA   = demux.OpID(1) // the acquire of caller 0
	opR   = demux.OpID(2) // its release
	opR2  = demux.OpID(3) // its second release
	lease = uint32(1008)  // the low bits say caller 0
)

func acquireFact() sim.Fact {
	return sim.Fact{Kind: sim.FactAcquire, Op: opA, Wait: 500, Lease: lease}
}

func frameA(kind sim.FactKind, gen demux.Generation) sim.Fact {
	return sim.Fact{Kind: kind, Gen: gen, Verb: wire.OpAcquire, Owner: sim.Owner{N: 1}, Wait: 400, Lease: lease}
}

func frameR(kind sim.FactKind, gen demux.Generation) sim.Fact {
	return sim.Fact{Kind: kind, Gen: gen, Verb: wire.OpRelease, Token: 7}
}

func frameH(kind sim.FactKind, gen demux.Generation) sim.Fact {
	return sim.Fact{Kind: kind, Gen: gen, Verb: wire.OpHello, Key: -1}
}

func on(kind sim.FactKind, gen demux.Generation) sim.Fact { return sim.Fact{Kind: kind, Gen: gen} }

func stepped() sim.Fact { return sim.Fact{Kind: sim.FactStepped} }

func granted() sim.Fact {
	return sim.Fact{Kind: sim.FactGrant, Owner: sim.Owner{N: 1}, Token: 7, Lease: lease}
}

func replyA(gen demux.Generation) sim.Fact {
	return sim.Fact{Kind: sim.FactReply, Gen: gen, Verb: wire.OpGranted, Flag: true, Owner: sim.Owner{N: 1}, Token: 7, Lease: lease}
}

func replyOf(verb wire.Op, gen demux.Generation) sim.Fact {
	return sim.Fact{Kind: sim.FactReply, Gen: gen, Verb: verb, Token: 7}
}

func told(op demux.OpID, out demux.Outcome) sim.Fact {
	f := sim.Fact{Kind: sim.FactComplete, Op: op, Outcome: out}
	if out == demux.Granted {
		f.Token, f.Lease = 7, lease
	}
	return f
}

func closes1(why demux.Reason) sim.Fact {
	return sim.Fact{Kind: sim.FactClose, Gen: 1, Reason: why}
}

func release1(op demux.OpID) sim.Fact { return sim.Fact{Kind: sim.FactRelease, Op: op, Token: 7} }

// The parts of a run in which all is well. Each ends with a step.
func sentRun() []sim.Fact {
	return []sim.Fact{
		acquireFact(), on(sim.FactDial, 1), stepped(),
		on(sim.FactOpened, 1), frameH(sim.FactHanded, 1), frameA(sim.FactHanded, 1), stepped(),
		frameH(sim.FactAccepted, 1), frameA(sim.FactAccepted, 1), stepped(),
	}
}

func heldRun() []sim.Fact {
	return append(sentRun(), granted(), replyA(1), told(opA, demux.Granted), stepped())
}

func releasingRun() []sim.Fact {
	return append(heldRun(), release1(opR), frameR(sim.FactHanded, 1), stepped(), frameR(sim.FactAccepted, 1), stepped())
}

func lostRun() []sim.Fact {
	return append(sentRun(), on(sim.FactClosed, 1), told(opA, demux.Indeterminate), stepped())
}

func shutDown(gone ...demux.Generation) []sim.Fact {
	facts := []sim.Fact{{Kind: sim.FactShut, Op: 99}, stepped()}
	for _, gen := range gone {
		facts = append(facts, on(sim.FactClosed, gen))
	}
	return append(facts, told(99, demux.Closed), stepped(), sim.Fact{Kind: sim.FactEnded})
}

func with(facts []sim.Fact, more ...sim.Fact) []sim.Fact { return append(slices.Clone(facts), more...) }

// testParams are those of the worlds that are told here: their options are the defaults, but for small tables.
func testParams() *sim.Params {
	p := &sim.Params{Clients: 2, Callers: 4, Keys: []string{"a", "b"}, Nodes: 2}
	p.Service.QueueMax = 4
	p.Core = demux.Options{Addrs: []string{"n0:1", "n1:1", "n2:1"}, Credential: "sesame", MaxAcquires: 2, MaxReleases: 2, MaxLane: 2}
	return p
}

// conduct names the audits whose runs have to be whole, with every write and instant. Those runs are in conduct_test.go.
var conduct = []string{"dials", "causes", "deadlines", "writes", "lane", "bounds", "shut-down", "wake", "reach"}

// observe tells what happens to the audits that need no whole run.
func observe(facts []sim.Fact) *sim.Failure { return observeAll(served(facts), Except(conduct...)) }

// served adds what the service does: it has a leader, reads at once what is handed over, and frees what it says is released.
func served(facts []sim.Fact) []sim.Fact {
	told := []sim.Fact{{Kind: sim.FactLeader}}
	asked := false
	for _, f := range facts {
		asked = asked || f.Kind == sim.FactHanded && f.Verb == wire.OpRelease
		if asked && f.Kind == sim.FactReply && f.Verb == wire.OpReleased {
			told = append(told, sim.Fact{Kind: sim.FactFree, Key: f.Key, Token: f.Token, Flag: true})
		}
		told = append(told, f)
		if f.Kind == sim.FactHanded {
			f.Kind = sim.FactFrame
			told = append(told, f)
		}
	}
	return told
}

func observeAll(facts []sim.Fact, audits []sim.Audit) *sim.Failure {
	for _, a := range audits {
		a.Reset(testParams())
	}
	for i := range facts {
		facts[i].Event = int64(i)
		for _, a := range audits {
			a.Observe(&facts[i])
		}
		for _, a := range audits {
			if f := a.Failure(); f != nil {
				return f
			}
		}
	}
	return nil
}

func TestGoodRunsPass(t *testing.T) {
	for name, facts := range map[string][]sim.Fact{
		"released": with(with(releasingRun(), replyOf(wire.OpReleased, 1), told(opR, demux.Released), stepped()), shutDown(1)...),
		"lost":     with(lostRun(), shutDown()...),
		"two releases share one R": with(releasingRun(), release1(opR2), stepped(),
			replyOf(wire.OpReleased, 1), told(opR, demux.Released), told(opR2, demux.Released), stepped()),
		"reply before the transport's word": with(sentRun()[:7], granted(), replyA(1), told(opA, demux.Granted), stepped(),
			frameH(sim.FactAccepted, 1), frameA(sim.FactAccepted, 1), stepped()),
		"refused and moved": with(sentRun()[:7], frameH(sim.FactAccepted, 1), frameA(sim.FactRefused, 1), closes1(demux.ReasonTorn), stepped(),
			on(sim.FactClosed, 1), stepped(), on(sim.FactDial, 2), stepped(), frameH(sim.FactHanded, 2), frameA(sim.FactHanded, 2), stepped()),
		"cancelled": with(sentRun(), sim.Fact{Kind: sim.FactCancel, Op: opA}, told(opA, demux.Indeterminate), closes1(demux.ReasonCancel), stepped()),
		"orphan released": with(lostRun(), on(sim.FactDial, 2), stepped(), frameH(sim.FactHanded, 2), stepped(),
			replyA(2), sim.Fact{Kind: sim.FactClose, Gen: 2, Reason: demux.ReasonUnmatched}, stepped(), on(sim.FactClosed, 2), stepped(),
			on(sim.FactDial, 3), stepped(), frameH(sim.FactHanded, 3), frameR(sim.FactHanded, 3), stepped(), frameR(sim.FactAccepted, 3), stepped(),
			replyOf(wire.OpNotFound, 3), stepped()),
		"not found after two tries": with(releasingRun(), on(sim.FactClosed, 1), stepped(), on(sim.FactDial, 2), stepped(),
			frameH(sim.FactHanded, 2), frameR(sim.FactHanded, 2), stepped(), frameR(sim.FactAccepted, 2), stepped(),
			replyOf(wire.OpNotFound, 2), sim.Fact{Kind: sim.FactComplete, Op: opR, Outcome: demux.NotFound, Flag: true, N: 2}, stepped()),
		"a lie is not the client's": with(sentRun(), sim.Fact{Kind: sim.FactForged, Owner: sim.Owner{N: 1}}, replyOf2(wire.OpBusy), told(opA, demux.Busy), stepped()),
	} {
		t.Run(name, func(t *testing.T) { require.Nil(t, observe(facts)) })
	}
}

func replyOf2(verb wire.Op) sim.Fact {
	return sim.Fact{Kind: sim.FactReply, Gen: 1, Verb: verb, Owner: sim.Owner{N: 1}}
}

func TestBadRunsFail(t *testing.T) {
	otherOwner, otherKey, otherToken := replyA(1), replyA(1), told(opA, demux.Granted)
	otherOwner.Owner.N, otherKey.Key, otherToken.Token = 2, 1, 8
	longWait, wrongOwner := frameA(sim.FactHanded, 1), frameA(sim.FactHanded, 1)
	longWait.Wait, wrongOwner.Owner.Client = 501, 1
	for _, tc := range []struct {
		name, property string
		facts          []sim.Fact
	}{
		{"told twice", SettleOnce, with(heldRun(), told(opA, demux.Granted))},
		{"never called", SettleOnce, []sim.Fact{told(opA, demux.NotSent)}},
		{"never told", SettleOnce, with(sentRun(), sim.Fact{Kind: sim.FactEnded})},
		{"closed with work left", SettleOnce, with(sentRun(), sim.Fact{Kind: sim.FactShut, Op: 99}, stepped(), told(99, demux.Closed))},
		{"granted without a reply", Match, with(sentRun(), granted(), told(opA, demux.Granted))},
		{"granted by the reply of another owner", Match, with(sentRun(), granted(), otherOwner, told(opA, demux.Granted))},
		{"granted by the reply for another key", Match, with(sentRun(), granted(), otherKey, told(opA, demux.Granted))},
		{"granted by a reply on an older connection", Match, with(sentRun()[:3],
			frameH(sim.FactHanded, 1), stepped(), closes1(demux.ReasonCancel), stepped(), on(sim.FactDial, 2), stepped(),
			frameH(sim.FactHanded, 2), frameA(sim.FactHanded, 2), stepped(), frameA(sim.FactAccepted, 2), stepped(), granted(), replyA(1), told(opA, demux.Granted))},
		{"released by a reply to an R that is not sent", Match, with(heldRun(), release1(opR), stepped(), replyOf(wire.OpReleased, 1), told(opR, demux.Released))},
		{"told another token", Definite, with(sentRun(), granted(), replyA(1), otherToken)},
		{"told nothing", Definite, with(sentRun(), granted(), replyA(1), stepped())},
		{"told indeterminate after its reply", Definite, with(sentRun(), granted(), replyA(1), told(opA, demux.Indeterminate))},
		{"told busy by a T", Definite, with(sentRun(), sim.Fact{Kind: sim.FactDeny, Owner: sim.Owner{N: 1}, Verb: wire.OpTimedOut}, replyOf2(wire.OpTimedOut), told(opA, demux.Busy))},
		{"one of two releases told nothing", Definite, with(releasingRun(), release1(opR2), stepped(), replyOf(wire.OpReleased, 1), told(opR, demux.Released), stepped())},
		{"not-sent after a byte", NotSent, with(sentRun(), told(opA, demux.NotSent))},
		{"not-sent while writing", NotSent, with(sentRun()[:7], told(opA, demux.NotSent))},
		{"not-sent after a byte on an earlier connection", NotSent, with(releasingRun(), on(sim.FactClosed, 1), told(opR, demux.NotSent))},
		{"indeterminate before a byte", Indeterminate, with(sentRun()[:3], told(opA, demux.Indeterminate))},
		{"indeterminate while writing", Indeterminate, with(sentRun()[:7], told(opA, demux.Indeterminate))},
		{"indeterminate without an end", Indeterminate, with(sentRun(), told(opA, demux.Indeterminate), stepped())},
		{"an owner sent twice", OwnerOnce, with(sentRun()[:9], frameA(sim.FactHanded, 2))},
		{"another lease", Frame, with(sentRun()[:5], sim.Fact{Kind: sim.FactHanded, Gen: 1, Verb: wire.OpAcquire, Owner: sim.Owner{N: 1}, Lease: lease + 16})},
		{"a longer wait", Frame, with(sentRun()[:5], longWait)},
		{"another client's owner", Frame, with(sentRun()[:5], wrongOwner)},
		{"handed over twice", Frame, with(sentRun()[:6], frameA(sim.FactHanded, 1))},
		{"before H", Frame, with(sentRun()[:4], frameA(sim.FactHanded, 1))},
		{"H twice", Frame, with(sentRun()[:7], frameH(sim.FactHanded, 1))},
		{"a broken frame", Frame, with(sentRun()[:5], sim.Fact{Kind: sim.FactHanded, Gen: 1})},
		{"after a close", Frame, with(sentRun()[:5], closes1(demux.ReasonCancel), frameA(sim.FactHanded, 1))},
		{"open after M", MustClose, with(sentRun(), replyOf(wire.OpMoved, 1), stepped())},
		{"open after an unmatched reply", MustClose, with(sentRun(), otherOwner, stepped())},
		{"open after a broken frame", MustClose, with(sentRun(), sim.Fact{Kind: sim.FactReply, Gen: 1}, stepped())},
		{"closed for another reason", MustClose, with(sentRun(), replyOf(wire.OpMoved, 1), closes1(demux.ReasonCancel))},
		{"no_leader taken for another code", CloseCause, with(sentRun(), sim.Fact{Kind: sim.FactReply, Gen: 1, Verb: wire.OpError, Data: []byte("no_leader")}, closes1(demux.ReasonFatal))},
		{"closed by L", CloseCause, with(sentRun(), replyOf(wire.OpNotice, 1), closes1(demux.ReasonMoved))},
		{"closed by its own reply", CloseCause, with(sentRun(), granted(), replyA(1), told(opA, demux.Granted), closes1(demux.ReasonUnmatched))},
		{"closed twice", CloseCause, with(sentRun(), closes1(demux.ReasonCancel), closes1(demux.ReasonCancel))},
		{"a held grant released", StrayRelease, with(heldRun(), frameR(sim.FactHanded, 1))},
		{"a doubled grant released while held", StrayRelease, with(heldRun(), replyA(1), closes1(demux.ReasonUnmatched), stepped(), on(sim.FactClosed, 1),
			on(sim.FactDial, 2), frameH(sim.FactHanded, 2), frameR(sim.FactHanded, 2))},
		{"another client's grant released", StrayRelease, with(sentRun(), sim.Fact{Kind: sim.FactReply, Gen: 1, Verb: wire.OpGranted, Owner: sim.Owner{Client: 1, N: 1}, Token: 7},
			closes1(demux.ReasonUnmatched), stepped(), on(sim.FactDial, 2), frameH(sim.FactHanded, 2), frameR(sim.FactHanded, 2))},
		{"two connections", OneConnection, with(sentRun(), on(sim.FactDial, 2))},
		{"resent after one try", Resent, with(releasingRun(), replyOf(wire.OpNotFound, 1), sim.Fact{Kind: sim.FactComplete, Op: opR, Outcome: demux.NotFound, Flag: true})},
		{"granted and not committed", Truth, with(sentRun(), replyA(1), told(opA, demux.Granted))},
		{"busy and not denied", Truth, with(sentRun(), granted(), replyOf2(wire.OpBusy), told(opA, demux.Busy))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := observe(tc.facts)
			require.NotNil(t, f)
			require.Equal(t, tc.property, f.Property, "%v", f.Facts)
			require.GreaterOrEqual(t, len(f.Facts), 1)
		})
	}
}

func TestCloneAndEncoding(t *testing.T) {
	facts := served(releasingRun())
	for cut := range facts {
		a, b := Except(conduct...), Except(conduct...)
		for i := range a {
			a[i].Reset(testParams())
			for k := range facts[:cut] {
				a[i].Observe(&facts[k])
			}
			b[i].Reset(testParams())
			b[i].CopyFrom(a[i])
			require.Equal(t, a[i].AppendState(0, nil), b[i].AppendState(0, nil))
			for k := range facts[cut:] {
				a[i].Observe(&facts[cut+k])
				b[i].Observe(&facts[cut+k])
				require.Equal(t, a[i].AppendState(0, nil), b[i].AppendState(0, nil))
			}
			require.Nil(t, b[i].Failure())
		}
	}
}
