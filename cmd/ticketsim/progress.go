package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// How often a sweep says how far it is.
const (
	liveEvery  = 200 * time.Millisecond // on a terminal, in one line that is written over
	plainEvery = 30 * time.Second       // elsewhere, a line each
)

// progress tells how far a sweep is while it runs.
type progress struct {
	stopping chan struct{}
	told     sync.WaitGroup
}

func startProgress(t *tool, s *sweep) *progress {
	p := &progress{stopping: make(chan struct{})}
	p.told.Go(func() { p.tell(t.stderr, t.terminal, s) })
	return p
}

func (p *progress) stop() {
	close(p.stopping)
	p.told.Wait()
}

func (p *progress) tell(w io.Writer, live bool, s *sweep) {
	every, format := plainEvery, "%s\n"
	if live {
		every, format = liveEvery, "\r\x1b[K%s"
		defer fmt.Fprint(w, "\r\x1b[K")
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-p.stopping:
			return
		case <-ticker.C:
			fmt.Fprintf(w, format, s.state(time.Since(s.start)))
		}
	}
}

// state is one line: how long, how far, how fast, what was found, how long yet.
func (s *sweep) state(elapsed time.Duration) string {
	s.mu.Lock()
	done, kinds := s.tally.seeds, len(s.tally.findings.kinds)
	s.mu.Unlock()
	total, left := "", s.limit-elapsed
	if s.limit == 0 {
		total = "/" + grouped(s.seeds.size())
		left = remaining(done, s.seeds.size(), elapsed)
	}
	return fmt.Sprintf("%s  %s%s seeds  %s/s  %d findings  ETA %s", short(elapsed), grouped(done), total,
		grouped(rate(done, elapsed)), kinds, eta(left))
}

func rate(done uint64, elapsed time.Duration) uint64 {
	if elapsed <= 0 {
		return 0
	}
	return uint64(float64(done) / elapsed.Seconds())
}

// remaining is how long the rest takes at the pace so far; -1 where there is none yet.
func remaining(done, total uint64, elapsed time.Duration) time.Duration {
	if done == 0 {
		return -1
	}
	left := float64(elapsed) / float64(done) * float64(total-done)
	if left > float64(1<<62) {
		return -1
	}
	return time.Duration(left)
}

func eta(d time.Duration) string {
	if d < 0 {
		return "-"
	}
	return short(d)
}

func short(d time.Duration) string { return d.Round(time.Second).String() }

// grouped writes a number with a comma between thousands.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}
