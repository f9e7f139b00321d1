package audit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/wire"
	"ticketing/sim"
	"ticketing/sim/clock"
)

func leads(node int16) sim.Fact { return sim.Fact{Kind: sim.FactLeader, Node: node} }

func asksA(owner uint64) sim.Fact {
	return sim.Fact{Kind: sim.FactFrame, Verb: wire.OpAcquire, Owner: sim.Owner{N: owner}, Lease: lease}
}

func asksR(token uint64) sim.Fact {
	return sim.Fact{Kind: sim.FactFrame, Verb: wire.OpRelease, Token: token}
}

func grants(owner, token uint64) sim.Fact {
	return sim.Fact{Kind: sim.FactGrant, Owner: sim.Owner{N: owner}, Token: token, Lease: lease}
}

func denies(owner uint64, verb wire.Op) sim.Fact {
	return sim.Fact{Kind: sim.FactDeny, Owner: sim.Owner{N: owner}, Verb: verb}
}

func frees(token uint64, released bool) sim.Fact {
	return sim.Fact{Kind: sim.FactFree, Token: token, Flag: released}
}

func misses(token uint64) sim.Fact { return sim.Fact{Kind: sim.FactMissing, Token: token} }

func at(t clock.Time, f sim.Fact) sim.Fact {
	f.At, f.Local = t, t
	return f
}

func by(node int16, f sim.Fact) sim.Fact {
	f.Node = node
	return f
}

const over = clock.Time(lease) * clock.Millisecond // the end of a lease granted as the world begins

func judgeService(p *sim.Params, facts []sim.Fact) *sim.Failure {
	s := &Service{}
	s.Reset(p)
	for i := range facts {
		s.Observe(&facts[i])
	}
	return s.Failure()
}

func TestHonestServicePasses(t *testing.T) {
	p := testParams()
	p.DriftPPM = 1000
	for name, facts := range map[string][]sim.Fact{
		"released":                        {leads(0), asksA(1), grants(1, 5), asksR(5), frees(5, true), asksA(2), grants(2, 6), asksR(6), frees(6, true), {Kind: sim.FactEnded}},
		"its lease over":                  {leads(0), asksA(1), grants(1, 5), at(over, frees(5, false)), at(over, sim.Fact{Kind: sim.FactEnded})},
		"over on the fastest clock":       {leads(0), asksA(1), grants(1, 5), at(over-over/1001, frees(5, false))},
		"over on the slowest clock":       {leads(0), asksA(1), grants(1, 5), at(over+over/999, frees(5, false))},
		"begun anew under a leader":       {leads(0), asksA(1), grants(1, 5), at(over-1, leads(1)), at(2*over-1, frees(5, false))},
		"not over while nobody leads":     {leads(0), asksA(1), grants(1, 5), leads(-1), at(9*over, leads(1)), at(9*over, frees(5, false))},
		"not over while its leader rests": {leads(0), asksA(1), grants(1, 5), {Kind: sim.FactSleep, Client: sim.NoClient}, at(9*over, sim.Fact{Kind: sim.FactWake, Client: sim.NoClient}), at(9*over, frees(5, false))},
		"N after a release":               {leads(0), asksA(1), grants(1, 5), asksR(5), frees(5, true), asksR(5), misses(5)},
		"N for another token":             {leads(0), asksA(1), grants(1, 5), asksR(4), misses(4)},
		"an R that came before its grant": {leads(0), asksR(5), asksA(1), grants(1, 5), frees(5, true)},
		"denied":                          {leads(0), asksA(1), denies(1, wire.OpTimedOut), asksA(2), denies(2, wire.OpBusy)},
		"an owner sent twice":             {leads(0), asksA(1), asksA(1), grants(1, 5), asksR(5), frees(5, true), grants(1, 6)},
	} {
		t.Run(name, func(t *testing.T) { require.Nil(t, judgeService(p, facts)) })
	}
}

func TestBrokenAssumptionsShow(t *testing.T) {
	p := testParams()
	p.DriftPPM = 1000
	for _, tc := range []struct {
		name, property string
		facts          []sim.Fact
	}{
		{"a token twice", TokenGrows, []sim.Fact{leads(0), asksA(1), grants(1, 5), asksR(5), frees(5, true), asksA(2), grants(2, 5)}},
		{"a lower token on another key", TokenGrows, []sim.Fact{leads(0), asksA(1), grants(1, 5), asksA(2), {Kind: sim.FactGrant, Key: 1, Owner: sim.Owner{N: 2}, Token: 4}}},
		{"two leases of a key", LeaseHolds, []sim.Fact{leads(0), asksA(1), grants(1, 5), asksA(2), grants(2, 6)}},
		{"a grant by a node that does not lead", LeaseHolds, []sim.Fact{leads(0), asksA(1), by(1, grants(1, 5))}},
		{"a lease that ends early", LeaseHolds, []sim.Fact{leads(0), asksA(1), grants(1, 5), at(over-over/999, frees(5, false))}},
		{"a lease that ends late", LeaseHolds, []sim.Fact{leads(0), asksA(1), grants(1, 5), at(over+over/300, frees(5, false))}},
		{"a lease that never ends", LeaseHolds, []sim.Fact{leads(0), asksA(1), grants(1, 5), {Kind: sim.FactEnded}}},
		{"freed by a release that nobody asked for", LeaseHolds, []sim.Fact{leads(0), asksA(1), grants(1, 5), frees(5, true)}},
		{"freed by a release of another token", LeaseHolds, []sim.Fact{leads(0), asksA(1), grants(1, 5), asksR(4), frees(5, true)}},
		{"freed and not held", LeaseHolds, []sim.Fact{leads(0), frees(5, false)}},
		{"granted after T", Final, []sim.Fact{leads(0), asksA(1), denies(1, wire.OpTimedOut), grants(1, 5)}},
		{"granted after B", Final, []sim.Fact{leads(0), asksA(1), denies(1, wire.OpBusy), grants(1, 5)}},
		{"T after a grant", Final, []sim.Fact{leads(0), asksA(1), grants(1, 5), denies(1, wire.OpTimedOut)}},
		{"T by a node that does not lead", Final, []sim.Fact{leads(0), asksA(1), by(1, denies(1, wire.OpTimedOut))}},
		{"N by a node that does not lead", Final, []sim.Fact{leads(0), asksR(5), by(1, misses(5))}},
		{"N while held", Final, []sim.Fact{leads(0), asksA(1), grants(1, 5), asksR(5), misses(5)}},
		{"a line without an end", LineWhole, []sim.Fact{leads(0), {Kind: sim.FactFrame, Verb: wire.OpRelease, Flag: true}}},
		{"granted and not asked", LineWhole, []sim.Fact{leads(0), grants(1, 5)}},
		{"granted twice", LineWhole, []sim.Fact{leads(0), asksA(1), grants(1, 5), asksR(5), frees(5, true), grants(1, 6)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := judgeService(p, tc.facts)
			require.NotNil(t, f)
			require.Equal(t, tc.property, f.Property, "%q", f.Facts)
			require.Nil(t, observeAll(tc.facts, Except("service")), "another audit sees it as well")
		})
	}
}
