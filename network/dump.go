package network

import (
	"fmt"
	"io"

	"ticketing/sim/clock"
)

// Dump writes the state for a person: a line a connection that is not free, each indented by two spaces, and none of the
// bytes. An error of w is not reported.
func (n *Net) Dump(w io.Writer, now clock.Time) {
	fmt.Fprintf(w, "  healed=%v listening=%b\n", n.healed, n.listening)
	for from, to := range n.blocked {
		if to != 0 {
			fmt.Fprintf(w, "  blocked: from host %d to hosts %b\n", from, to)
		}
	}
	for i := range n.conns {
		k := &n.conns[i]
		if k.free() {
			continue
		}
		fmt.Fprintf(w, "  link %d host %d %s, host %d %s%s\n", i, k.host[Dialer], phases[k.phase[Dialer]], k.host[Acceptor],
			phases[k.phase[Acceptor]], answers[k.answer])
		if k.write.pending {
			fmt.Fprintf(w, "    write: %d bytes accepted, %d held, failed=%v, halted=%v\n", k.write.n, len(k.write.held), k.write.failed, k.write.halted)
		}
		for s, name := range [...]string{"to the acceptor", "to the dialer"} {
			k.pipe[s].dump(w, name, now)
		}
	}
}

func (p *pipe) dump(w io.Writer, name string, now clock.Time) {
	if !p.hasBytes() && p.end == endNone && !p.hole {
		return
	}
	fmt.Fprintf(w, "    %s: %d bytes in flight, hole=%v", name, p.size(), p.hole)
	for _, c := range p.live() {
		fmt.Fprintf(w, " [%d bytes %s]", c.size, c.at.text(now))
	}
	if p.end != endNone {
		fmt.Fprintf(w, " [%s %s]", endings[p.end], p.endAt.text(now))
	}
	fmt.Fprintln(w)
}

func (w window) text(now clock.Time) string {
	return fmt.Sprintf("%+d..%+dus", (w.earliest-now)/clock.Microsecond, (w.latest-now)/clock.Microsecond)
}

var (
	phases  = [...]string{"gone", "coming", "open", "closing"}
	answers = [...]string{"", ", an answer is under way", ", a refusal is under way"}
	endings = [...]string{"", "end", "reset"}
)
