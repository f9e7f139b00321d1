package main

import (
	"fmt"
	"slices"

	"ticketing/checker"
	"ticketing/sim"
	"ticketing/sim/choice"
	"ticketing/sim/explore"
)

// compared is a scope in three searches, each without more of the reductions, and all that callers came to be told in each.
type compared struct {
	reports  [3]explore.Report // reduced; that takes every event; that follows every state too
	outcomes [3]explore.OutcomeSet
}

// compare searches a scope with and without reductions, and says whether they left anything out.
func (c *exploreCmd) compare(t *tool, s *sim.Scenario, signal *interrupt) (exit, error) {
	p := s.Draw(&choice.Bytes{})
	x := &compared{}
	for i := range x.reports {
		newWorld := func() *sim.World {
			w := t.engine.newWorld()
			w.Watch(&explore.Outcomes{Set: &x.outcomes[i]})
			return w
		}
		r := explore.Run(newWorld, &p, explore.Options{StatesMax: c.MaxStates, DepthMax: c.MaxDepth, Sleepless: i == 1, Unreduced: i == 2,
			Stop: func() bool { return signal.exit() != exitOK }, Panicked: checker.PanicOf})
		x.reports[i] = r
		if r.Limit != explore.LimitNone {
			_, err := fmt.Fprintf(t.stdout, "scope %s: not compared, for it ended early (%s) after %s states\n", s.Name, r.Limit, grouped(r.States))
			return exitInconclusive, err
		}
	}
	return x.print(t, s.Name)
}

func (x *compared) print(t *tool, scope string) (exit, error) {
	differs := x.differs()
	code, said := exitOK, fmt.Sprintf("the same states and %d outcomes", len(x.outcomes[0].All))
	switch {
	case differs != "":
		code, said = exitSelf, "THEY DIFFER: "+differs
	case x.reports[0].Violation != nil:
		v := x.reports[0].Violation
		code, said = exitViolation, fmt.Sprintf("the same violation of %s after %d events", v.Property, v.Events)
	}
	r := &x.reports
	_, err := fmt.Fprintf(t.stdout, "scope %s: %s states by %s events, by %s where no event sleeps, and %s by %s without symmetry: %s\n", scope,
		grouped(r[0].States), grouped(r[0].Steps), grouped(r[1].Steps), grouped(r[2].States), grouped(r[2].Steps), said)
	return code, err
}

// differs says what is not the same that must be, "" if nothing.
func (x *compared) differs() string {
	for i := 1; i < len(x.reports); i++ {
		a, b := &x.reports[0], &x.reports[i]
		switch {
		case (a.Violation == nil) != (b.Violation == nil):
			return "one finds a violation"
		case a.Violation != nil && a.Violation.Events != b.Violation.Events:
			return fmt.Sprintf("%s after %d events, %s after %d", a.Violation.Property, a.Violation.Events, b.Violation.Property, b.Violation.Events)
		case a.Violation != nil:
		case i == 1 && (a.Digest != b.Digest || a.Ends != b.Ends):
			return fmt.Sprintf("%d states of digest %s, %d of %s", a.States, hex(a.Digest), b.States, hex(b.Digest))
		case !slices.Equal(x.outcomes[0].All, x.outcomes[i].All):
			return fmt.Sprintf("%d outcomes and %d", len(x.outcomes[0].All), len(x.outcomes[i].All))
		}
	}
	return ""
}
