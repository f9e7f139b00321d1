package demux

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/wire"
)

func TestNothingIsAllocatedOnceWarm(t *testing.T) {
	b := newBusy(1000)
	for range 2000 {
		b.round()
	}
	require.Zero(t, testing.AllocsPerRun(500, b.round))
	clone := new(Machine)
	clone.CopyFrom(b.m)
	state := clone.AppendState(b.now, nil)
	require.Zero(t, testing.AllocsPerRun(50, func() {
		clone.CopyFrom(b.m)
		state = clone.AppendState(b.now, state[:0])
	}))
}

// Connections that come and go, orphans, ends and shut-downs allocate nothing either.
func TestNothingIsAllocatedByReconnecting(t *testing.T) {
	b := newBusy(10)
	gen := Generation(1)
	cycle := func() {
		b.acquire()
		b.feed(Input{Kind: InputWrote, Gen: gen, N: 0, Failed: true})
		b.feed(Input{Kind: InputClosed, Gen: gen})
		b.now = max(b.now, b.m.gate)
		b.feed(Input{Kind: InputTick})
		gen++
		b.feed(Input{Kind: InputOpened, Gen: gen})
		b.feed(Input{Kind: InputWrote, Gen: gen, N: 1 << 20})
		b.token++
		b.reply = wire.AppendGranted(b.reply[:0], "other-key", b.m.owner(b.m.counter), b.token, 1)
		b.feed(Input{Kind: InputReceived, Gen: gen, Data: b.reply[:7]})
		b.feed(Input{Kind: InputReceived, Gen: gen, Data: b.reply[7:]})
		b.feed(Input{Kind: InputClosed, Gen: gen})
		b.acquire()
		b.now = max(b.now, b.m.gate)
		b.feed(Input{Kind: InputTick})
		gen++
		b.feed(Input{Kind: InputOpened, Gen: gen})
		b.feed(Input{Kind: InputWrote, Gen: gen, N: 1 << 20})
	}
	for range 50 {
		cycle()
	}
	require.Zero(t, testing.AllocsPerRun(100, cycle))
	require.NotZero(t, b.m.Counts()[CountLaneWritten])
}
