package main

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ticketing/checker"
)

// sweepFake runs a sweep of the faked engine and returns it.
func sweepFake(t *testing.T, scenario string, seeds seedRange, jobs, limit int) *sweep {
	t.Helper()
	e := faked()
	var stderr bytes.Buffer
	s := &sweep{engine: &e, scenario: scenario, seeds: seeds, start: time.Now(), tally: tally{findings: newFindings(limit)}}
	return s.run(&tool{stderr: &stderr, engine: e}, jobs)
}

// TestSweepOrder: how many workers there are, and which of them runs a seed, does not show in the sums.
func TestSweepOrder(t *testing.T) {
	one := sweepFake(t, "violation", seedRange{0, 3000}, 1, 10)
	many := sweepFake(t, "violation", seedRange{0, 3000}, 7, 10)
	a, b := one.summary(), many.summary()
	a.Seconds, b.Seconds = 0, 0
	require.Equal(t, a, b)
	require.Equal(t, uint64(3000), a.Seeds)
	require.Equal(t, uint64(300), a.Violations)
	require.Equal(t, one.tally.findings.sorted(), many.tally.findings.sorted())

	other := sweepFake(t, "violation", seedRange{1, 3001}, 1, 10)
	require.NotEqual(t, a.Hash, other.summary().Hash)
}

// TestMixIsNoPlainSum: two worlds that swapped their logs are not the same sweep.
func TestMixIsNoPlainSum(t *testing.T) {
	require.NotEqual(t, mix(1, 10)+mix(2, 20), mix(1, 20)+mix(2, 10))
	require.NotEqual(t, mix(0, 0), uint64(0))
}

func TestFindingsKeepTheCheapest(t *testing.T) {
	f := newFindings(2)
	at := func(seed uint64, events int64, fact string) outcome {
		return outcome{Result: checker.Result{Seed: seed, Events: events, Property: "match", Facts: []string{fact}},
			verdict: "violation", code: exitViolation}
	}
	require.True(t, f.add(at(9, 50, "token 7 went to 12")))
	require.False(t, f.add(at(4, 50, "token 123 went to 4")))
	require.False(t, f.add(at(8, 49, "token 1 went to 1")))
	require.False(t, f.add(at(1, 60, "token 1 went to 1")))
	require.False(t, f.enough())
	require.True(t, f.add(at(2, 1, "token seven went to 1")))
	require.True(t, f.enough())
	require.False(t, f.add(at(3, 1, "a third kind")))
	require.Equal(t, uint64(1), f.dropped)

	all := f.sorted()
	require.Len(t, all, 2)
	require.Equal(t, uint64(8), all[0].Seed)
	require.Equal(t, uint64(4), all[0].count)
	require.Equal(t, uint64(2), all[1].Seed, "the shortest is the last to be told")
}

// TestUndecidedDoesNotEndASweep: kinds that are only undecided are bounded apart, and never enough.
func TestUndecidedDoesNotEndASweep(t *testing.T) {
	f := newFindings(1)
	for i, fact := range []string{"one", "two", "two", "one"} {
		f.add(outcome{Result: checker.Result{Seed: uint64(i), Facts: []string{fact}}, verdict: "inconclusive", code: exitInconclusive})
	}
	require.False(t, f.enough())
	require.Len(t, f.sorted(), 1)
	require.Equal(t, uint64(2), f.dropped)
	f.add(outcome{verdict: "violation", code: exitViolation})
	require.True(t, f.enough())
	require.Equal(t, exitViolation, f.sorted()[1].code)
}

// TestFingerprintOfAFinding: one property and one last event are one kind, whatever led there and whoever it met.
func TestFingerprintOfAFinding(t *testing.T) {
	of := func(property string, tail ...string) string {
		return fingerprint(&outcome{verdict: "violation", Result: checker.Result{Property: property, Facts: []string{property}, Tail: tail}})
	}
	one := of("match", "   7     0.1  client 0 timer", `   8     0.2  client 0 conn 12 receives "B a c0-7\n"`, "   8     0.2  client 0 caller 1 acquire is told busy")
	require.Equal(t, one, of("match", "   8     0.1  client 0 is closed", `   9     0.2  client 2 conn 1 receives "B bb c2-1\nA"`, "   9     0.2  client 2 conn 1 reads B bb c2-1",
		"   9     0.2  client 2 caller 11 acquire is told busy",
		"   9     0.2  client 2 caller 12 acquire is told busy"))
	require.NotEqual(t, one, of("definite", `   8     0.2  client 0 conn 12 receives ""`, "   8     0.2  client 0 caller 1 acquire is told busy"))
	require.NotEqual(t, one, of("match", "   7     0.1  client 0 timer", "   8     0.2  client 0 timer", "   8     0.2  client 0 caller 1 acquire is told busy"))
	whole := of("match", "   8     0.2  client 0 caller 1 acquire is told busy")
	require.Equal(t, whole, of("match", "   8     0.2  client 0 timer", "   8     0.2  client 0 caller 2 acquire is told busy"), "how it began is not known")
	require.Equal(t, "A * owner # # hands over", normal(`A a c2b-31 1000 12 hands  over`))
	require.Equal(t, of("match"), of("match", "broken"))
}

func TestWithoutNumbers(t *testing.T) {
	require.Equal(t, "token # at #.#s, p-#", withoutNumbers("token 12 at 3.25s, p-7"))
	require.Equal(t, "", withoutNumbers(""))
	require.Equal(t, "#", withoutNumbers("18446744073709551615"))
}

func TestSampleIsFreeOfOrder(t *testing.T) {
	var up, down sample
	const n = 3*sampleMax + 17
	for i := range uint64(n) {
		up.add(i, int64(i))
		down.add(n-1-i, int64(n-1-i))
	}
	require.Equal(t, up.quantiles(), down.quantiles())
	require.LessOrEqual(t, len(up.sizes), sampleMax)
	q := up.quantiles()
	require.Equal(t, int64(n-1), q.Max)
	require.InDelta(t, n/2, q.P50, 8)
	require.InDelta(t, n*99/100, q.P99, 8)
	require.Zero(t, new(sample).quantiles())
}

func TestSeedRange(t *testing.T) {
	for text, want := range map[string]seedRange{
		"0..20000":                {0, 20000},
		"5..5":                    {5, 5},
		"7..18446744073709551615": {7, math.MaxUint64},
	} {
		var r seedRange
		require.NoError(t, r.UnmarshalText([]byte(text)), text)
		require.Equal(t, want, r)
	}
	for _, text := range []string{"", "5", "5..", "..5", "a..b", "5..3", "-1..3", "0..18446744073709551616", "1...3", "1.. 3"} {
		require.Error(t, new(seedRange).UnmarshalText([]byte(text)), text)
	}
}

// TestProgress reads the line that tells how far a sweep is, on both kinds of output.
func TestProgress(t *testing.T) {
	s := &sweep{seeds: seedRange{0, 10_000}, tally: tally{seeds: 2500, findings: newFindings(1)}}
	require.Equal(t, "10s  2,500/10,000 seeds  250/s  0 findings  ETA 30s", s.state(10*time.Second))
	s.limit = time.Minute
	require.Equal(t, "10s  2,500 seeds  250/s  0 findings  ETA 50s", s.state(10*time.Second))
	s.tally.seeds, s.limit = 0, 0
	require.Equal(t, "0s  0/10,000 seeds  0/s  0 findings  ETA -", s.state(0))

	e := faked()
	var stderr bytes.Buffer
	s = &sweep{engine: &e, scenario: "slow", seeds: seedRange{0, 25}, start: time.Now(), tally: tally{findings: newFindings(1)}}
	s.run(&tool{stderr: &stderr, terminal: true, engine: e}, 1)
	require.Regexp(t, `\r\x1b\[K[0-9]+s  `, stderr.String())
	require.NotContains(t, stderr.String(), "\n")
	require.True(t, strings.HasSuffix(stderr.String(), "\r\x1b[K"))
}

func TestGrouped(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		require.Equal(t, want, grouped(n))
	}
}

// TestPanicPlace: of a stack, the frame below the panic that is ours, not the one that recovered.
func TestPanicPlace(t *testing.T) {
	e := faked()
	o := e.try(e.newRunner(), 3, checker.Config{Scenario: "panic"})
	require.Equal(t, exitInternal, o.code)
	require.True(t, o.broken())
	require.Len(t, o.Facts, 2)
	require.Equal(t, "index 3 out of range", o.Facts[0])
	require.Regexp(t, `^at .*cmd/ticketsim/script_test\.go:\d+$`, o.Facts[1])
	require.Equal(t, "at an unknown place", panicPlace(nil))
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// TestCannotWrite: results that nobody got are not a pass.
func TestCannotWrite(t *testing.T) {
	for _, args := range [][]string{{"sweep", "--seeds", "0..3"}, {"sweep", "--seeds", "0..3", "--json"}, {"run", "1"}, {"run", "1", "--json"}} {
		var stderr bytes.Buffer
		tl := &tool{stdout: brokenWriter{}, stderr: &stderr, engine: faked()}
		require.Equal(t, exitInternal, tl.main(args), args)
		require.Contains(t, stderr.String(), "ticketsim: cannot write the results: disk full\n")
	}
}
