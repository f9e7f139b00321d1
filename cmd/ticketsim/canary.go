package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"ticketing/checker"
)

// A chunk of a sweep is so many seeds. Beside each, one canary: a world with a planted fault, on a seed that is nobody
// else's. Most are noticed within a few worlds that end early: all of them together take less than a hundredth of a sweep.
const chunkSeeds = 512

// reservedSeeds are for canaries.
const reservedSeeds = 1 << 32

// canaries tries planted faults. It is not safe for concurrent use.
type canaries interface {
	Try(number, seed uint64) checker.Song
}

// chorus is what a sweep's canaries came to.
type chorus struct {
	tried, worlds uint64
	missed        []miss
}

// miss is a canary that nobody noticed.
type miss struct {
	chunk uint64 // the first that missed it
	name  string
	judge string
	text  string
	count uint64
}

// canary tries the canary of the chunk that begins with this seed, if one does.
func (s *sweep) canary(c canaries, seed uint64) {
	index := seed - s.seeds.from
	if c == nil || index%chunkSeeds != 0 {
		return
	}
	chunk := index / chunkSeeds
	song := c.Try(s.seeds.from/chunkSeeds+chunk, s.seeds.reserved(chunk))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tally.chorus.add(chunk, &song)
}

// reserved is the first seed of a chunk's canary, none of those that the sweep gets to: of the last of all, or of the first
// where the sweep is among the last. One of all seeds would take a million years to get there.
func (r seedRange) reserved(chunk uint64) uint64 {
	const last = math.MaxUint64 - reservedSeeds + 1
	at := chunk * checker.CanaryTries % reservedSeeds
	if r.to > last && r.size() < 1<<62 {
		return at
	}
	return last + at
}

func (c *chorus) add(chunk uint64, song *checker.Song) {
	c.tried++
	c.worlds += uint64(song.Worlds)
	if song.Heard {
		return
	}
	at := slices.IndexFunc(c.missed, func(m miss) bool { return m.name == song.Canary.Name })
	if at < 0 {
		at = len(c.missed)
		c.missed = append(c.missed, miss{chunk: math.MaxUint64, name: song.Canary.Name, judge: song.Canary.Judge})
	}
	m := &c.missed[at]
	m.count++
	if chunk < m.chunk {
		m.chunk, m.text = chunk, song.Because
	}
	slices.SortFunc(c.missed, func(a, b miss) int { return cmp.Compare(a.name, b.name) })
}

// names of the canaries that were missed.
func (c *chorus) names() []string {
	names := []string{}
	for _, m := range c.missed {
		names = append(names, m.name)
	}
	return names
}

func (c *chorus) print(w io.Writer) {
	if c.tried > 0 {
		fmt.Fprintf(w, "canaries: %s planted faults beside these seeds, %s worlds, %d kinds missed\n", grouped(c.tried), grouped(c.worlds), len(c.missed))
	}
	for _, m := range c.missed {
		fmt.Fprintf(w, "canary %s was missed %s times, and %s should notice it: %s\n", m.name, grouped(m.count), m.judge, m.text)
	}
}
