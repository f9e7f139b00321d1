package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"ticketing/checker/blackbox"
	"ticketing/client"
	"ticketing/client/demux"
	"ticketing/cmd/ticketd/proxy"
	"ticketing/model"
)

// liveCmd aims callers and the black-box judges at a service that runs.
type liveCmd struct {
	Addr           []string      `required:"" placeholder:"HOST:PORT" help:"The nodes of the service, as they name each other."`
	CredentialFile string        `placeholder:"FILE" help:"File whose first line is the credential; else the variable TICKETSIM_CREDENTIAL."`
	TLS            bool          `name:"tls" help:"Connect by TLS, and trust whom the system trusts."`
	CA             string        `name:"ca" placeholder:"FILE" help:"Connect by TLS, and trust the certificates in FILE."`
	For            time.Duration `default:"10s" help:"How long callers go on."`
	Callers        int           `default:"16" help:"Callers at a time, over two clients."`
	Keys           int           `default:"4" help:"Keys that they contend for."`
	Ops            int           `default:"1000000" help:"End early after so many operations: they are kept in memory, 64 bytes each."`
	Seed           uint64        `help:"What callers do."`
	DriftPPM       uint32        `name:"drift-ppm" default:"1000" help:"Bound of the drift between the service's clocks and this machine's, in parts per million."`
	Proxy          bool          `help:"Put a proxy before each node that delays, splits, resets and goes deaf."`
	Out            string        `placeholder:"DIR" help:"Write the history to DIR/history.txt, which must not be there yet."`
	JSON           bool          `name:"json" help:"Print one JSON object."`
}

// Bounds of a live run.
const (
	liveCallersMax = 1024
	liveKeysMax    = 1024
	liveOpsMax     = 10_000_000
	liveForMax     = 24 * time.Hour

	liveCredentialMax = 4096 // bytes of the file that are read: a credential is shorter
	liveClients       = 2    // that exclude each other, each with a connection
)

func (c *liveCmd) run(t *tool) (exit, error) {
	if err := c.check(); err != nil {
		return exitUsage, err
	}
	credential, err := c.credential()
	if err != nil {
		return exitUsage, err
	}
	secured, err := c.tls()
	if err != nil {
		return exitUsage, err
	}
	out := liveOut(c.Out)
	if err := out.check(); err != nil {
		return exitUsage, err
	}
	i := listen()
	defer i.stop()
	before := held()
	r := newLiveRun(c.Seed, c.names(), c.Ops)
	o := client.Options{Addrs: c.Addr, Credential: credential, TLS: secured,
		MaxAcquires: c.Callers, MaxReleases: c.Callers, Logger: r.why.logger()}
	stop := func() {}
	if c.Proxy {
		if o.Dial, stop, err = c.proxies(); err != nil {
			return t.complain(exitInternal, err), nil
		}
	}
	err = r.run(o, c.Callers, c.For, func() bool { return i.exit() != exitOK })
	stop()
	if err != nil {
		return exitUsage, err
	}
	r.left = leftOver(before, settleMax)
	h := r.history(c.DriftPPM)
	kept := exitOK
	if err := out.write(h); err != nil {
		kept = t.complain(exitUsage, err) // the verdict is told all the same
	}
	code, err := c.report(t.stdout, r, h)
	switch {
	case err != nil:
		t.complain(code, err)
	case code == exitNothing:
		t.complain(code, fmt.Errorf("live: nothing was granted: there was nothing to judge%s", &r.why))
	}
	return worst(code, kept, i.exit()), nil
}

func (c *liveCmd) check() error {
	switch {
	case c.For <= 0 || c.For > liveForMax:
		return fmt.Errorf("--for: %v is not in 1ns..%v", c.For, liveForMax)
	case c.Callers < 1 || c.Callers > liveCallersMax:
		return fmt.Errorf("--callers: %d is not in 1..%d", c.Callers, liveCallersMax)
	case c.Keys < 1 || c.Keys > liveKeysMax:
		return fmt.Errorf("--keys: %d is not in 1..%d", c.Keys, liveKeysMax)
	case c.Ops < 1 || c.Ops > liveOpsMax:
		return fmt.Errorf("--ops: %d is not in 1..%d", c.Ops, liveOpsMax)
	case c.DriftPPM > model.DriftPPMMax:
		return fmt.Errorf("--drift-ppm: %d is not in 0..%d", c.DriftPPM, model.DriftPPMMax)
	}
	return checkAddrs(c.Addr)
}

// credential must not be an argument, which every user of the machine can read.
func (c *liveCmd) credential() (string, error) {
	if c.CredentialFile == "" {
		if s := os.Getenv("TICKETSIM_CREDENTIAL"); s != "" {
			return s, nil
		}
		return "", errors.New("live: no --credential-file, and TICKETSIM_CREDENTIAL is empty")
	}
	f, err := os.Open(c.CredentialFile)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, liveCredentialMax))
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSuffix(line, "\r"), nil
}

// names are keys that no other run uses: who holds a lock of theirs, the history knows.
func (c *liveCmd) names() []string {
	run := time.Now().UnixNano()
	keys := make([]string, c.Keys)
	for i := range keys {
		keys[i] = fmt.Sprintf("live-%x-%d", run, i)
	}
	return keys
}

// proxies puts a proxy before each node. Clients still know the nodes by their own names.
func (c *liveCmd) proxies() (dial func(ctx context.Context, addr string) (net.Conn, error), stop func(), err error) {
	var all []*proxy.Proxy
	by := map[string]string{}
	stop = func() {
		for _, p := range all {
			p.Close()
		}
	}
	for i, a := range c.Addr {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			stop()
			return nil, nil, err
		}
		by[a] = l.Addr().String()
		all = append(all, proxy.New(proxy.Options{Seed: c.Seed + uint64(i), DelayMax: 5 * time.Millisecond,
			Split: 200, Reset: 3, HalfOpen: 1, BlackHole: 1}, l, a))
	}
	return func(ctx context.Context, addr string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", by[addr])
	}, stop, nil
}

// lived is the result of a live run as JSON.
type lived struct {
	judged
	Seconds  float64           `json:"seconds"`
	Full     bool              `json:"full"` // ended early: --ops
	Outcomes map[string]uint64 `json:"outcomes"`
	Latency  []latency         `json:"latency"`
	Dials    uint64            `json:"dials"`
	// Stamps are of one monotonic clock, so that only the drift of the service's clocks from it is unknown.
	DriftPPM uint32   `json:"drift_ppm"`
	Left     holdings `json:"left"` // after the clients were closed: nothing, or shut-down is violated
}

func (c *liveCmd) report(w io.Writer, r *liveRun, h *model.History) (exit, error) {
	v := blackbox.NewJudge().Check(h)
	if v.Result == blackbox.Invalid {
		return exitSelf, fmt.Errorf("live: what was recorded is no history: %s", v.Facts[0])
	}
	name := "live"
	if c.Out != "" {
		name = liveOut(c.Out).file()
	}
	l := lived{judged: newJudged(name, &v), Seconds: r.took.Seconds(), Full: r.full(), Outcomes: map[string]uint64{},
		Latency: latencies(h), Dials: r.dials, DriftPPM: c.DriftPPM, Left: r.left}
	l.Type = "live"
	for i, n := range r.outcomes {
		if o := demux.Outcome(i); n > 0 && o != demux.Closed {
			l.Outcomes[o.String()] = n
		}
	}
	code := exitOfResult(v.Result)
	if code == exitOK && v.Grants == 0 {
		code, l.Verdict = exitNothing, "nothing ran" // what nobody could judge is no pass
	}
	if l.Left != (holdings{}) {
		if v.Result == blackbox.Legal {
			l.Verdict, l.Property = verdictOf(blackbox.Illegal), "shut-down"
		}
		code = worst(code, exitViolation)
	}
	var err error
	if c.JSON {
		err = newEncoder(w).Encode(&l)
	} else {
		err = printLived(w, &l, &v, c)
	}
	if err != nil {
		return worst(code, exitInternal), fmt.Errorf("cannot write the results: %w", err)
	}
	return code, nil
}

func printLived(w io.Writer, l *lived, v *blackbox.Verdict, c *liveCmd) error {
	b := new(strings.Builder)
	fmt.Fprintf(b, "%s: %s: %d ops in %.1f s, %d grants, %d of them with a window shorter than their lease; %d dials\n",
		l.File, l.Verdict, l.Ops, l.Seconds, l.Grants, l.ShortGrants, l.Dials)
	for o := demux.Granted; o < demux.Closed; o++ {
		if n := l.Outcomes[o.String()]; n > 0 {
			fmt.Fprintf(b, "  %-14s %d\n", o, n)
		}
	}
	for _, q := range l.Latency {
		fmt.Fprintf(b, "  %-14s p50 %v, p90 %v, p99 %v, longest %v\n", q.Op,
			time.Duration(q.P50), time.Duration(q.P90), time.Duration(q.P99), time.Duration(q.Max))
	}
	fmt.Fprintf(b, "  all stamps are of one monotonic clock; the service's may drift from it by %d ppm\n", c.DriftPPM)
	if l.Left == (holdings{}) {
		fmt.Fprintf(b, "  nothing was left after the clients were closed\n")
	} else {
		fmt.Fprintf(b, "violation of shut-down: %d goroutines and %d sockets were left after the clients were closed\n",
			l.Left.Goroutines, l.Left.Sockets)
	}
	if l.Full {
		fmt.Fprintf(b, "  ended early: %d operations were recorded\n", c.Ops)
	}
	if v.Result == blackbox.Illegal {
		fmt.Fprintf(b, "violation of %s on key %s at %s\n", v.Property, v.Key, time.Duration(v.At))
	}
	for _, f := range v.Facts {
		fmt.Fprintf(b, "    %s\n", f)
	}
	if c.Out != "" {
		fmt.Fprintf(b, "go run ./cmd/ticketsim check %s\n", quoted(l.File))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
