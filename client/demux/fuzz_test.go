package demux

import (
	"fmt"
	"testing"

	"ticketing/client/wire"
)

// FuzzSteps drives a machine by bytes: each is the answer to one question of the random driver. What must
// hold is checked there.
func FuzzSteps(f *testing.F) {
	for seed := range uint64(8) {
		choose := splitmix(seed)
		script := make([]byte, 600)
		for i := range script {
			script[i] = byte(choose(256))
		}
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		at := 0
		choose := func(n int) int {
			v := 0
			for m := n; m > 1 && at < len(script); m = (m + 255) >> 8 { // a byte, or two for a place in a write
				v = v<<8 | int(script[at])
				at++
			}
			return v % n
		}
		d := newDriver(t, oddOptions(uint64(choose(60))), choose)
		for at < len(script) && !d.ended {
			d.step()
		}
		d.finish()
	})
}

// FuzzStream feeds any bytes at all to an open connection, in two pieces, and the machine must come to the
// same end as with one.
func FuzzStream(f *testing.F) {
	f.Add([]byte("A k me-1 7 9\nT k me-2\n"), 5)
	f.Add([]byte("L n2:1\nA k me-2 1 1\nE x y\nB k me-1\n"), 12)
	f.Add([]byte("A k me-1 7 9\nA k me-1 7 9\n"), 13)
	f.Fuzz(func(t *testing.T, data []byte, at int) {
		at = max(0, min(at, len(data)))
		var ends [2]string
		for i, cut := range []int{0, at} {
			h := newHarness(t, Options{})
			h.connect()
			h.acquire(1, "k", 100)
			h.acquire(2, "k", 100)
			h.all(1)
			h.recv(1, string(data[:cut]))
			h.recv(1, string(data[cut:]))
			ends[i] = fmt.Sprintf("%q %x", h.got, h.m.AppendState(h.now, nil))
		}
		if ends[0] != ends[1] {
			t.Fatalf("whole: %s\nsplit at %d: %s", ends[0], at, ends[1])
		}
	})
}

// busy is a machine with n acquires sent on a proven connection, and what it takes to go round once more:
// an acquire, its write, its grant, its release, the answer.
type busy struct {
	m     *Machine
	now   Time
	in    Input
	reply []byte
	op    OpID
	token uint64
}

func newBusy(n int) *busy {
	m, err := New(Options{Addrs: []string{"n1:1"}, Credential: "c", Prefix: "0123456789abcdef", MaxAcquires: n + 8})
	if err != nil {
		panic(err)
	}
	b := &busy{m: m, now: 1}
	b.acquire()
	b.feed(Input{Kind: InputOpened, Gen: 1})
	b.wrote()
	b.grant()
	for range n {
		b.acquire()
		b.wrote()
	}
	return b
}

func (b *busy) feed(in Input) {
	b.in = in
	b.now += 1000
	b.m.Step(b.now, &b.in)
}

func (b *busy) acquire() {
	b.op++
	b.feed(Input{Kind: InputAcquire, Op: b.op, Key: "some-key", Wait: 1 << 30, Lease: 30000})
}

func (b *busy) wrote() { b.feed(Input{Kind: InputWrote, Gen: 1, N: 1 << 20}) }

func (b *busy) grant() {
	b.token++
	b.reply = wire.AppendGranted(b.reply[:0], "some-key", b.m.owner(b.m.counter), b.token, 30000)
	b.feed(Input{Kind: InputReceived, Gen: 1, Data: b.reply})
}

func (b *busy) release() {
	b.op++
	b.feed(Input{Kind: InputRelease, Op: b.op, Key: "some-key", Token: b.token})
	b.wrote()
	b.reply = wire.AppendReleased(b.reply[:0], "some-key", b.token)
	b.feed(Input{Kind: InputReceived, Gen: 1, Data: b.reply})
}

func (b *busy) round() {
	b.acquire()
	b.wrote()
	b.grant()
	b.release()
}

func BenchmarkRoundOfSixSteps(b *testing.B) {
	for _, n := range []int{1, 1000, 100000} {
		b.Run(fmt.Sprint(n, "-pending"), func(b *testing.B) {
			m := newBusy(n)
			b.ReportAllocs()
			for b.Loop() {
				m.round()
			}
		})
	}
}

func BenchmarkCopyFrom(b *testing.B) {
	for _, n := range []int{3, 1000} {
		b.Run(fmt.Sprint(n, "-pending"), func(b *testing.B) {
			m, clone := newBusy(n), new(Machine)
			b.ReportAllocs()
			for b.Loop() {
				clone.CopyFrom(m.m)
			}
		})
	}
}

func BenchmarkAppendState(b *testing.B) {
	m := newBusy(3)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = m.m.AppendState(m.now, dst[:0])
	}
	b.ReportMetric(float64(len(dst)), "bytes")
}
