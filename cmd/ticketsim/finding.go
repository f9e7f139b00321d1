package main

import (
	"cmp"
	"slices"
	"strings"
)

// finding is one kind of failure: all seeds whose failures differ in numbers alone. It keeps the cheapest,
// the one with the fewest events, then the lowest seed.
type finding struct {
	outcome
	count uint64
}

// findings merges failures. At most limit kinds are kept, of those that end a sweep and of the others; more
// of the others are only counted.
type findings struct {
	limit   int
	kinds   map[string]*finding
	failing int    // kinds that end a sweep once there are limit of them
	dropped uint64 // outcomes of further kinds
}

func newFindings(limit int) *findings {
	return &findings{limit: limit, kinds: map[string]*finding{}}
}

// add takes an outcome that did not pass and says whether it is the first of its kind.
func (f *findings) add(o outcome) bool {
	key := fingerprint(&o)
	o.Facts = slices.Clone(o.Facts) // the runner may use its own again
	if k := f.kinds[key]; k != nil {
		k.count++
		if cheaper(&o, &k.outcome) {
			k.outcome = o
		}
		return false
	}
	if f.full(o.code) {
		f.dropped++
		return false
	}
	if fails(o.code) {
		f.failing++
	}
	f.kinds[key] = &finding{o, 1}
	return true
}

// fails says whether an outcome counts towards the kinds that end a sweep: a world that is only undecided
// should not end a night's work.
func fails(code exit) bool { return code != exitInconclusive }

func (f *findings) full(code exit) bool {
	if fails(code) {
		return f.failing >= f.limit
	}
	return len(f.kinds)-f.failing >= f.limit
}

// enough says whether a sweep should stop.
func (f *findings) enough() bool { return f.failing >= f.limit }

func cheaper(a, b *outcome) bool {
	return cmp.Or(cmp.Compare(a.Events, b.Events), cmp.Compare(a.Seed, b.Seed)) < 0
}

// sorted returns the findings, the gravest last, so that what matters most stands at the end of the output.
func (f *findings) sorted() []*finding {
	var all []*finding
	for _, k := range f.kinds {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b *finding) int {
		return cmp.Or(
			-cmp.Compare(slices.Index(precedence, a.code), slices.Index(precedence, b.code)),
			cmp.Compare(a.Property, b.Property),
			cmp.Compare(a.Seed, b.Seed),
		)
	})
	return all
}

// fingerprint is what two failures of one kind share: the property, and the facts without their numbers.
func fingerprint(o *outcome) string {
	return o.verdict + "\n" + o.Property + "\n" + withoutNumbers(strings.Join(o.Facts, "\n"))
}

func withoutNumbers(s string) string {
	var b strings.Builder
	digits := false
	for _, r := range s {
		if r >= '0' && r <= '9' {
			digits = true
			continue
		}
		if digits {
			b.WriteByte('#')
		}
		digits = false
		b.WriteRune(r)
	}
	if digits {
		b.WriteByte('#')
	}
	return b.String()
}
