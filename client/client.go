package client

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"ticketing/client/demux"
)

// Client is a client of one Ticketing service. It is safe for concurrent use. Make one with New, for the
// life of the process, and end it with Close.
type Client struct {
	shell   *shell
	closing sync.Once
	calls   sync.Pool // of *call
}

// String says that it is a client, and nothing of it: what is inside changes while it is printed.
func (c *Client) String() string { return "client.Client" }

// Format is String with every verb: some of package fmt's show what a pointer points to.
func (c *Client) Format(f fmt.State, _ rune) { io.WriteString(f, c.String()) }

// New returns a Client, or an error that names the option that is wrong. It connects when the first request asks for
// it. The client owns a goroutine until it is closed, and two more for each connection.
func New(o Options) (*Client, error) {
	core, err := o.core()
	if err != nil {
		return nil, err
	}
	m, err := demux.New(core)
	if err != nil {
		return nil, err
	}
	core.Credential = "" // the machine has it; where it is not, nothing can print it
	c := &Client{shell: newShell(&o, core, m)}
	c.calls.New = func() any { return &call{done: make(chan struct{}, 1)} }
	go c.shell.run()
	return c, nil
}

// Close ends the client: requests that wait for an answer end at once, NotSent (ErrClosed) or Indeterminate, and so do later
// ones. Grants that are held are not released: their holders do that before, or their leases end.
//
// It returns nil once no connection and no goroutine of the client is left, after Options.CloseGrace at the
// latest if Options.Dial keeps its promise; or the cause of ctx if that is done first: the client still ends. More
// calls wait for the same end.
func (c *Client) Close(ctx context.Context) error {
	c.closing.Do(func() {
		c.shell.post(event{kind: callMade, call: &call{in: demux.Input{Kind: demux.InputClose}, done: make(chan struct{}, 1)}})
	})
	select {
	case <-c.shell.ended:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// run has an operation done. The end of ctx cancels it, and may come too late. Of what is not sent it tells why the last dial
// failed, if it did.
func (c *Client) run(ctx context.Context, in demux.Input) (result demux.Effect, unreached error) {
	k := c.calls.Get().(*call)
	k.in, k.cancelled = in, false
	if !c.shell.post(event{kind: callMade, call: k}) {
		return closedResult, nil
	}
	select {
	case <-k.done:
	case <-ctx.Done():
		k.cancelled = true
		c.shell.post(event{kind: callCancel, call: k})
		if !c.shell.await(k) {
			return closedResult, nil
		}
	case <-c.shell.ended:
		if !c.shell.await(k) {
			return closedResult, nil
		}
	}
	result, unreached = k.result, k.unreached
	if !k.cancelled {
		c.calls.Put(k)
	}
	return result, unreached
}

// closedResult is that of a call that came after the end of the loop.
var closedResult = demux.Effect{Kind: demux.EffectComplete, Outcome: demux.NotSent, Cause: demux.CauseClosed}

// Stats returns what the client does right now and has done so far. It costs about as much as a request
// that waits for no network. After Close it returns the last ones.
func (c *Client) Stats() Stats {
	answer := make(chan Stats, 1)
	if c.shell.post(event{kind: statsAsked, stats: answer}) {
		select {
		case s := <-answer:
			return s
		case <-c.shell.ended:
		}
	}
	<-c.shell.ended
	return c.shell.stats
}

// deadline is that of ctx on the machine's clock, or 0.
func (s *shell) deadline(ctx context.Context) demux.Time {
	if d, ok := ctx.Deadline(); ok {
		return s.at(d)
	}
	return 0
}

// milliseconds renders a span for the wire, where it is a whole number of them. What does not fit comes out as what the
// machine refuses.
func milliseconds(d time.Duration) uint32 {
	const tooMuch = 1<<32 - 1
	if ms := d / time.Millisecond; d >= 0 && ms < tooMuch {
		return uint32(ms)
	}
	return tooMuch
}
