package network

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// script answers each question from its own list, and 0 when that is empty.
type script map[string][]int

func (s script) Choose(label choice.Label, n int) int {
	answers := s[label.Name]
	if len(answers) == 0 || n == 1 {
		return 0
	}
	s[label.Name] = answers[1:]
	if answers[0] >= n {
		panic(label.Name + " has fewer answers than the script wants")
	}
	return answers[0]
}

// dialogue is one connection from host 0 to host 1, and what the two were told, in order.
type dialogue struct {
	t   *testing.T
	n   Net
	q   clock.Queue
	src script
}

func newDialogue(t *testing.T, o Options, s script) *dialogue {
	d := &dialogue{t: t, src: s}
	o.Faults = allFaults(1)
	d.n.Reset(o, 0)
	d.q.Reset(d.n.Slots())
	d.n.SetListening(1, true)
	return d
}

// opened begins a dialogue whose connection is up.
func opened(t *testing.T, o Options, s script) *dialogue {
	d := newDialogue(t, o, script{})
	d.dial()
	d.want("acceptor: accepted", "dialer: opened")
	d.src = s
	return d
}

func (d *dialogue) dial() {
	c, ok := d.n.Dial(&d.q, d.src, 0, 1)
	require.True(d.t, ok)
	require.Equal(d.t, Conn(0), c)
}

func (d *dialogue) write(s Side, data string) { d.n.Write(&d.q, d.src, 0, s, []byte(data)) }
func (d *dialogue) close(s Side)              { d.n.Close(&d.q, d.src, 0, s) }

// next takes until there is something to tell, for at most limit.
func (d *dialogue) next(limit clock.Time) string {
	end := d.q.Now() + limit
	for {
		if !d.due(end) {
			return "silence"
		}
		slot, _ := d.q.Take(d.src)
		if e := d.n.Take(&d.q, d.src, slot); e.Kind != EventNone {
			return tell(e)
		}
	}
}

func (d *dialogue) due(end clock.Time) bool {
	for slot := range d.q.Len() {
		if d.q.Armed(slot) {
			if earliest, _ := d.q.Window(slot); earliest <= end {
				return true
			}
		}
	}
	return false
}

func tell(e *Event) string {
	var b strings.Builder
	b.WriteString([2]string{"dialer: ", "acceptor: "}[e.Side])
	b.WriteString(e.Kind.String())
	switch e.Kind {
	case EventReceived:
		b.WriteString(" " + string(e.Data))
	case EventWrote:
		b.WriteString(" " + strconv.Itoa(e.N))
	}
	if e.Failed {
		b.WriteString(" failed")
	}
	if e.Reset {
		b.WriteString(" reset")
	}
	return b.String()
}

// want expects these events within a moment, and the last may be "silence".
func (d *dialogue) want(events ...string) {
	d.t.Helper()
	for _, want := range events {
		require.Equal(d.t, want, d.next(20*clock.Millisecond))
	}
}

// later expects an event that stalls, and is due only after everything else.
func (d *dialogue) later(want string) {
	d.t.Helper()
	require.Equal(d.t, "silence", d.next(20*clock.Millisecond))
	require.Equal(d.t, want, d.next(clock.Never/2))
}

func (d *dialogue) counted(f Count, times int) {
	d.t.Helper()
	require.EqualValues(d.t, times, d.n.Counts()[f], f)
}

func TestCalm(t *testing.T) {
	d := opened(t, Options{}, script{})
	d.write(Dialer, "ask")
	d.want("dialer: wrote 3", "acceptor: received ask", "silence")
	d.write(Acceptor, "reply")
	d.want("dialer: received reply", "silence")
	d.write(Dialer, "again")
	d.close(Dialer)
	d.want("dialer: wrote 5", "dialer: closed", "acceptor: received again", "acceptor: closed", "silence")
	require.Equal(t, Counts{CountStale: 1}, *d.n.Counts())
	require.True(t, d.n.conns[0].free())
}

func TestDialEnds(t *testing.T) {
	for name, c := range map[string]struct {
		answers script
		down    bool
		want    []string
		count   Count
	}{
		"down":    {down: true, want: []string{"dialer: closed failed", "silence"}, count: CountRefused},
		"refused": {answers: script{"net.refuse": {1}}, want: []string{"dialer: closed failed", "silence"}, count: Count(FaultRefuse)},
		"hole":    {answers: script{"net.dial-hole": {1}}, want: []string{"silence"}, count: Count(FaultDialHole)},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDialogue(t, Options{}, c.answers)
			d.n.SetListening(1, !c.down)
			d.dial()
			d.want(c.want...)
			d.counted(c.count, 1)
			if name == "hole" {
				d.n.Heal(&d.q)
				d.want("silence")
				d.close(Dialer)
				d.want("dialer: closed", "silence")
			}
			require.True(t, d.n.conns[0].free())
		})
	}
}

func TestCloseWhileDialling(t *testing.T) {
	d := newDialogue(t, Options{}, script{})
	d.dial()
	d.close(Dialer)
	d.want("dialer: closed", "silence")

	d.dial()
	d.want("acceptor: accepted")
	d.write(Acceptor, "hello")
	d.close(Dialer)
	d.want("dialer: closed", "acceptor: closed", "silence")
}

func TestWriteFaults(t *testing.T) {
	for name, c := range map[string]struct {
		answers script
		want    []string
		count   Fault
	}{
		"short":          {script{"net.short-write": {3}}, []string{"dialer: wrote 2", "acceptor: received as", "silence"}, FaultShortWrite},
		"short of all":   {script{"net.short-write": {1}}, []string{"dialer: wrote 0", "silence"}, FaultShortWrite},
		"error":          {script{"net.write-error": {2}}, []string{"dialer: wrote 1 failed", "acceptor: received a", "silence"}, FaultWriteError},
		"error at once":  {script{"net.write-error": {1}}, []string{"dialer: wrote 0 failed", "silence"}, FaultWriteError},
		"error but all":  {script{"net.write-error": {4}}, []string{"dialer: wrote 3 failed", "acceptor: received ask", "silence"}, FaultWriteError},
		"split":          {script{"net.split": {1, 1}}, []string{"dialer: wrote 3", "acceptor: received a", "acceptor: received s", "acceptor: received k", "silence"}, FaultSplit},
		"trickle":        {script{"net.trickle": {1}}, []string{"dialer: wrote 3", "acceptor: received a", "acceptor: received s", "acceptor: received k", "silence"}, FaultTrickle},
		"black hole":     {script{"net.black-hole": {1}}, []string{"dialer: wrote 3", "silence"}, FaultBlackHole},
		"half-open":      {script{"net.half-open": {1}}, []string{"dialer: wrote 3", "acceptor: closed reset", "silence"}, FaultHalfOpen},
		"reset at write": {script{"net.reset": {1}}, []string{"dialer: wrote 3", "acceptor: closed reset", "dialer: closed reset", "silence"}, FaultReset},
		"reset under way": {script{"net.reset": {0, 1}}, []string{"dialer: wrote 3", "acceptor: closed reset", "dialer: closed reset", "silence"},
			FaultReset},
		"reset after delivery": {script{"net.reset": {2}}, []string{"dialer: wrote 3", "acceptor: received ask", "acceptor: closed reset", "dialer: closed reset", "silence"},
			FaultReset},
	} {
		t.Run(name, func(t *testing.T) {
			d := opened(t, Options{}, c.answers)
			d.write(Dialer, "ask")
			d.want(c.want...)
			require.NotZero(t, d.n.Counts()[c.count])
		})
	}
}

func TestStall(t *testing.T) {
	d := opened(t, Options{}, script{"net.stall": {1}})
	d.write(Dialer, "ask")
	d.want("dialer: wrote 3")
	d.later("acceptor: received ask")

	d = opened(t, Options{}, script{"net.stall": {1}})
	d.write(Dialer, "ask")
	d.want("dialer: wrote 3", "silence")
	d.n.Heal(&d.q)
	d.want("acceptor: received ask")
}

func TestReplyBeforeTheWriteIsTold(t *testing.T) {
	d := opened(t, Options{}, script{"net.stall-wrote": {1}})
	d.write(Dialer, "ask")
	d.want("acceptor: received ask")
	d.write(Acceptor, "reply")
	d.want("dialer: received reply")
	d.counted(CountEarlyReply, 1)
	d.close(Dialer) // an end does not wait for the stall
	d.want("dialer: wrote 3", "dialer: closed", "acceptor: closed", "silence")
}

func TestEndOfPeerWaitsForTheWrite(t *testing.T) {
	d := opened(t, Options{}, script{"net.zero-window": {2}})
	d.write(Dialer, "ask")
	d.want("acceptor: received a", "silence")
	d.close(Acceptor)
	d.want("dialer: wrote 1 failed", "dialer: closed", "acceptor: closed", "silence")
}

func TestZeroWindow(t *testing.T) {
	d := opened(t, Options{}, script{"net.zero-window": {2}})
	d.write(Dialer, "ask")
	d.want("acceptor: received a", "silence")
	d.n.Heal(&d.q)
	d.want("dialer: wrote 3", "acceptor: received sk", "silence")

	d = opened(t, Options{}, script{"net.zero-window": {1}})
	d.write(Dialer, "ask")
	d.want("silence")
	d.close(Dialer)
	d.want("dialer: wrote 0 failed", "dialer: closed", "acceptor: closed", "silence")
}

func TestWriteWaitsForRoom(t *testing.T) {
	d := opened(t, Options{Buffer: 2}, script{"net.stall": {1}})
	d.write(Dialer, "asked")
	d.later("acceptor: received as")
	d.counted(CountWait, 1)
	d.want("acceptor: received ke", "dialer: wrote 5", "acceptor: received d", "silence")
}

func TestOverflowOfAcceptorResets(t *testing.T) {
	d := opened(t, Options{Buffer: 4}, script{})
	d.write(Acceptor, "abcd")
	d.write(Acceptor, "e")
	d.counted(CountOverflow, 1)
	d.want("acceptor: closed reset", "dialer: closed reset", "silence")
}

func TestChunksJoin(t *testing.T) {
	d := opened(t, Options{}, script{"net.stall": {1}, "net.join": {2}})
	for _, s := range []string{"a", "b", "c", "d"} {
		d.write(Acceptor, s)
	}
	d.later("dialer: received abc")
	d.want("dialer: received d", "silence")

	d = opened(t, Options{Chunks: 2}, script{})
	for _, s := range []string{"a", "b", "c", "d"} {
		d.write(Acceptor, s)
	}
	d.want("dialer: received a", "dialer: received bcd", "silence")
}

func TestLeftOver(t *testing.T) {
	d := opened(t, Options{}, script{"net.left-over": {1}})
	d.write(Dialer, "ask")
	d.close(Dialer)
	d.want("dialer: wrote 3", "dialer: closed")
	c, ok := d.n.Dial(&d.q, d.src, 0, 1) // the dialer is back before its old bytes are there
	require.True(t, ok)
	require.Equal(t, Conn(1), c)
	d.want("acceptor: accepted", "dialer: opened")
	d.later("acceptor: received ask")
	d.want("acceptor: closed", "silence")
	d.counted(CountStale, 1)
}

func TestCloseReset(t *testing.T) {
	d := opened(t, Options{}, script{"net.close-reset": {1}})
	d.write(Dialer, "ask")
	d.close(Dialer)
	d.want("dialer: wrote 3", "dialer: closed", "acceptor: closed reset", "silence")
}

func TestPartition(t *testing.T) {
	d := newDialogue(t, Options{}, script{})
	d.n.Block(&d.q, 0, 1, true)
	d.dial()
	d.want("silence")
	d.n.Block(&d.q, 0, 1, false)
	d.want("acceptor: accepted", "dialer: opened")
	d.n.Block(&d.q, 1, 0, true) // the other way only
	d.write(Dialer, "ask")
	d.want("dialer: wrote 3", "acceptor: received ask")
	d.write(Acceptor, "reply")
	d.close(Acceptor)
	d.want("acceptor: closed", "silence")
	d.n.Heal(&d.q)
	d.want("dialer: received reply", "dialer: closed", "silence")
}

func TestCrash(t *testing.T) {
	for name, c := range map[string]struct {
		answers script
		want    []string
	}{
		"reset":  {script{}, []string{"dialer: received reply", "dialer: closed reset", "silence"}},
		"loss":   {script{"net.crash-loss": {1}}, []string{"dialer: closed reset", "silence"}},
		"hush":   {script{"net.crash-hush": {1}}, []string{"dialer: received reply", "silence"}},
		"nobody": {script{"net.crash-hush": {1}, "net.crash-loss": {1}}, []string{"silence"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := opened(t, Options{}, c.answers)
			d.write(Acceptor, "reply")
			d.n.Crash(&d.q, d.src, 1)
			d.want(c.want...)
			d.counted(CountCrash, 1)
			d.close(Dialer)
			d.next(clock.Second)
			d.n.Dial(&d.q, d.src, 0, 1)
			d.want("dialer: closed failed")
		})
	}
}

func TestCrashOfDialerIsFoundOut(t *testing.T) {
	d := opened(t, Options{}, script{"net.crash-hush": {1}})
	d.write(Dialer, "ask")
	d.n.Crash(&d.q, d.src, 0)
	d.want("acceptor: received ask")
	d.later("acceptor: closed reset")
	require.GreaterOrEqual(t, d.q.Now(), 60*clock.Second)
}

func TestCut(t *testing.T) {
	for keep, survives := range [][]string{nil, {"acceptor: received ask"}, {"dialer: received reply"}} {
		d := opened(t, Options{DelayMin: clock.Millisecond}, script{"net.cut-loss": {keep}})
		d.write(Dialer, "ask")
		d.want("dialer: wrote 3")
		d.write(Acceptor, "reply")
		d.n.Cut(&d.q, d.src, 0)
		d.counted(CountCut, 1)
		var got []string
		for e := d.next(clock.Second); e != "silence"; e = d.next(clock.Second) {
			got = append(got, e)
		}
		require.ElementsMatch(t, append(survives, "acceptor: closed reset", "dialer: closed reset"), got)
	}
}

func TestHalfOpenStaysDeadUntilClosed(t *testing.T) {
	d := opened(t, Options{}, script{"net.half-open": {1}})
	d.write(Dialer, "ask")
	d.want("dialer: wrote 3", "acceptor: closed reset", "silence")
	d.n.Heal(&d.q)
	d.write(Dialer, "more")
	d.want("dialer: wrote 4", "silence")
	d.close(Dialer)
	d.want("dialer: closed", "silence")
	require.True(t, d.n.conns[0].free())
}

func TestLateWriteIsRefused(t *testing.T) {
	d := opened(t, Options{}, script{})
	d.close(Dialer)
	d.write(Dialer, "ask")
	d.want("dialer: wrote 0 failed", "dialer: closed", "acceptor: closed", "silence")
	require.Panics(t, func() { d.write(Dialer, "ask") })
}

func TestMisusePanics(t *testing.T) {
	d := newDialogue(t, Options{Conns: 1}, script{"net.zero-window": {1}})
	d.dial()
	require.Panics(t, func() { d.write(Dialer, "early") })
	require.Panics(t, func() { d.n.Take(&d.q, d.src, slotWrote) })
	_, ok := d.n.Dial(&d.q, d.src, 0, 1)
	require.False(t, ok)
	d.want("acceptor: accepted", "dialer: opened")
	d.write(Dialer, "ask")
	require.Panics(t, func() { d.write(Dialer, "twice") })
}

func TestCutsSpread(t *testing.T) {
	for _, c := range []struct {
		cuts, total int
		want        []int
	}{
		{0, 3, []int{0, 1, 2}}, {5, 3, []int{0, 1, 2}}, {3, 101, []int{0, 50, 100}}, {1, 9, []int{0}}, {2, 9, []int{0, 8}}, {3, 0, nil},
	} {
		n := Net{o: Options{Cuts: c.cuts}}
		var got []int
		for way := 1; way <= n.places(c.total); way++ {
			got = append(got, n.place(way, c.total))
		}
		require.Equal(t, c.want, got)
	}
}

func TestOptions(t *testing.T) {
	o, err := Options{}.WithDefaults()
	require.NoError(t, err)
	require.Equal(t, 65536, o.Buffer)
	for want, o := range map[string]Options{
		"network: option Hosts is 65, not in 1..64":                    {Hosts: 65},
		"network: option Conns is -1, not in 1..204":                   {Conns: -1},
		"network: option StallMax is -1ns, not in 0..24h":              {StallMax: -1},
		"network: option DelayMax or StallMax is below its Min":        {DelayMin: 5, DelayMax: 4},
		"network: odds of net.split are 32769, more than 32768":        {Faults: Faults{FaultSplit: 32769}},
		"network: option Buffer is 16777217, not in 1..16777216":       {Buffer: MaxBuffer + 1},
		"network: option KeepAlive is 86400000000001ns, not in 0..24h": {KeepAlive: MaxTime + 1},
		"network: option Cuts is -2, not in 0..16777216":               {Cuts: -2},
		"network: option Chunks is 4097, not in 1..4096":               {Chunks: MaxChunks + 1},
	} {
		_, err := o.WithDefaults()
		require.EqualError(t, err, want)
	}
	require.Panics(t, func() { new(Net).Reset(Options{Hosts: 65}, 0) })
}
