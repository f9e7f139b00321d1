package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/cmd/ticketsim/pairs"
)

func TestFloorTakesEventsInOrder(t *testing.T) {
	f := newFloor()
	var last floorEvent
	taken := 0
	f.handle = func(e *floorEvent) {
		require.True(t, last.before(e), "%+v before %+v", last, *e)
		last = *e
		taken++
		require.Len(t, f.heap, floorDepth-1) // one is in hand
	}
	f.run(10_000)
	require.Equal(t, 10_000, taken)

	// Of one instant: in the order in which they were pushed.
	f = &floor{}
	for order := range uint64(9) {
		f.push(floorEvent{at: 7, order: order})
	}
	for order := range uint64(9) {
		require.Equal(t, floorEvent{at: 7, order: order}, f.pop())
	}
	require.Empty(t, f.heap)
}

func TestMustHasBothSides(t *testing.T) {
	require.True(t, atMost(6).holds(6))
	require.False(t, atMost(6).holds(6.01))
	require.True(t, atLeast(8).holds(8))
	require.False(t, atLeast(8).holds(7.99))
	require.False(t, atMost(6).holds(math.NaN()))
	require.False(t, atLeast(8).holds(math.NaN()))
	require.Equal(t, "at least 1,000,000", atLeast(1e6).String())
	require.Equal(t, "at most 1.10", atMost(1.1).String())
}

func TestFigures(t *testing.T) {
	var out bytes.Buffer
	b := &bench{item: "cores", out: newFigures(&out, false)}
	b.tell("two cores, of one", 1.5, "times", atLeast(1.9))
	b.tell("worlds", 1234567.8, "/s")
	require.Equal(t, []string{"cores", "two", "cores,", "of", "one", "1.50", "times", "at", "least", "1.90", "no",
		"cores", "worlds", "1,234,568", "/s"}, strings.Fields(out.String()))
	out.Reset()
	b.out = newFigures(&out, true)
	b.tell("two cores, of one", 2, "times", atLeast(1.9))
	b.tell("worlds", 12, "/s")
	require.Equal(t, `{"type":"figure","item":"cores","name":"two cores, of one","value":2,"unit":"times","must":"at least 1.90","holds":true}
{"type":"figure","item":"cores","name":"worlds","value":12,"unit":"/s"}
`, out.String())
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 7: "7", 12.34: "12.3", 1.234: "1.23", 0.051: "0.05", 0.00123: "0.0012",
		123.4: "123", 1e6: "1,000,000", -2.5: "-2.50"} {
		require.Equal(t, want, number(v))
	}
}

func TestItemsAreChosenByPattern(t *testing.T) {
	all, err := chosenItems("")
	require.NoError(t, err)
	require.Len(t, all, len(benchItems))
	some, err := chosenItems("s[wh]*")
	require.NoError(t, err)
	require.Equal(t, []string{"sweep", "shares"}, []string{some[0].name, some[1].name})
	_, err = chosenItems("swep")
	require.ErrorContains(t, err, `no item is called "swep"; there are sweep, allocs`)
	_, err = chosenItems("[")
	require.ErrorContains(t, err, "no pattern")
}

func TestItemsAreInTheManual(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	for _, i := range benchItems {
		require.Contains(t, string(b), "`"+i.name+"`")
		require.NotEmpty(t, i.doc)
	}
}

func TestSweepOfABenchMustPass(t *testing.T) {
	e := faked()
	b := &bench{engine: &e}
	_, err := b.swept(10, 2)
	require.NoError(t, err)
	e.scenarios = []string{"violation"}
	_, err = b.swept(10, 2)
	require.ErrorContains(t, err, "has status 1")
}

// spin works until somebody has seen it.
func spin(d time.Duration) (sum uint64) {
	for began := pairs.ProcessorTime(); pairs.ProcessorTime()-began < d; {
		for i := range uint64(1000) {
			sum = sum*31 + i
		}
	}
	return sum
}

func TestProfileNamesWhoWorks(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, pprof.StartCPUProfile(&out))
	spin(200 * time.Millisecond)
	pprof.StopCPUProfile()
	p, err := readProfile(out.Bytes())
	require.NoError(t, err)
	found := slices.ContainsFunc(p.samples, func(s profileSample) bool {
		return slices.Contains(p.names(s.stack), "ticketing/cmd/ticketsim.spin") && s.count > 0
	})
	require.True(t, found, "%d samples", len(p.samples))
	by, total := p.shares()
	sum := int64(0)
	for _, name := range shareNames {
		sum += by[name]
	}
	require.Equal(t, total, sum, "a share has no name: %v", by)
}

func TestProfileCutShortIsRefused(t *testing.T) {
	_, err := readProfile([]byte("no profile"))
	require.Error(t, err)
	pack := func(b ...byte) []byte {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		_, err := w.Write(b)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return z.Bytes()
	}
	const packed, plain = 1<<3 | wireBytes, 1<<3 | wireVarint
	good := []byte{profileSamples<<3 | wireBytes, 5, plain, 7, sampleValues<<3 | wireBytes, 1, 3}
	p, err := readProfile(pack(good...))
	require.NoError(t, err)
	require.Equal(t, []profileSample{{[]uint64{7}, 3}}, p.samples)
	for n := 1; n < len(good); n++ {
		_, err := readProfile(pack(good[:n]...))
		require.ErrorIs(t, err, errProfile, "%d bytes", n)
	}
	_, err = readProfile(pack(profileSamples<<3|wireBytes, 3, packed, 1, 7))
	require.ErrorIs(t, err, errProfile, "a sample that counts nothing")
	_, err = readProfile(pack(1<<3 | 3))
	require.ErrorIs(t, err, errProfile, "a way of writing that is none")
}

func TestSharesBelongToTheInnermostOwner(t *testing.T) {
	for want, names := range map[string][]string{
		shareNetwork: {"runtime.memmove", "ticketing/network.(*pipe).push", "ticketing/sim.(*World).write"},
		shareDemux:   {"ticketing/client/wire.ParseReply", "ticketing/client/demux.(*Machine).Step", "ticketing/sim.(*World).feed"},
		shareWorld:   {"ticketing/client/wire.ParseRequest", "ticketing/sim.(*World).readRequests"},
		shareHistory: {"github.com/anishathalye/porcupine.checkSingle", "ticketing/checker/blackbox.(*search).segment"},
		shareQueue:   {"ticketing/sim/clock.(*Queue).Take", "ticketing/sim.(*World).Step"},
		shareTwin:    {"ticketing/sim/reference.(*Machine).Step"},
		shareSweep:   {"main.(*sweep).add", "main.(*sweep).work"},
		shareRuntime: {"runtime.gcDrain", "runtime.gcBgMarkWorker"},
	} {
		require.Equal(t, want, shareOwner(names))
	}
}

func TestBenchJSONIsOneObjectALine(t *testing.T) {
	var out bytes.Buffer
	e := faked()
	tool := &tool{stdout: &out, stderr: &out, engine: e}
	code, err := (&benchCmd{Only: "cores", Pairs: 1, Seeds: 10, JSON: true}).run(tool)
	require.NoError(t, err)
	require.Equal(t, exitOK, code, out.String())
	for dec := json.NewDecoder(&out); dec.More(); {
		var row map[string]any
		require.NoError(t, dec.Decode(&row))
		require.Contains(t, []any{"build", "figure"}, row["type"])
	}
	code, err = (&benchCmd{Seeds: 10}).run(tool)
	require.Equal(t, exitUsage, code)
	require.ErrorContains(t, err, "--pairs: 0")
}

func TestWhatCannotBeMeasuredIsTold(t *testing.T) {
	t.Setenv("PATH", "") // where there is no go, there are no tests
	var out, complaints bytes.Buffer
	e := faked()
	code, err := (&benchCmd{Only: "[sc][yo]*", Pairs: 1, Seeds: 10, JSON: true}).run(&tool{stdout: &out, stderr: &complaints, engine: e})
	require.NoError(t, err)
	require.Equal(t, exitInternal, code)
	require.Contains(t, complaints.String(), "ticketsim: bench: synctest: go test")
	require.Contains(t, out.String(), `"item":"cores"`)
}

func TestMetricsOfABenchmarkAreRead(t *testing.T) {
	const out = `goos: linux
BenchmarkSynctest-2   	       5	      1603 bubble-worlds/s	         8.538 times	 1.25e+04 worlds/s
PASS
`
	require.Equal(t, map[string]float64{"bubble-worlds/s": 1603, "times": 8.538, "worlds/s": 12500}, benchMetrics(out))
	require.Empty(t, benchMetrics("PASS\nok  	x	1.2s\n"))
}

func TestHistoriesOfABenchAreAFifthUnknown(t *testing.T) {
	h, err := history(lossy(20_000))
	require.NoError(t, err)
	require.InDelta(t, 0.2, unknown(h), 0.01)
}

func TestCollectorIsLeftAsItWas(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	restore := relaxCollector()
	require.Equal(t, collectorPercent, debug.SetGCPercent(collectorPercent))
	restore()
	require.Equal(t, 100, debug.SetGCPercent(50)) // and now somebody set it
	relaxCollector()()
	require.Equal(t, 50, debug.SetGCPercent(100))
}
