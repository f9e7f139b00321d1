package main

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// finding is one kind of failure: all seeds that violate one property in the same kind of event, numbers aside. It keeps
// the cheapest, the one with the fewest events, then the lowest seed.
type finding struct {
	outcome
	count uint64

	kept  string // file of its case; "": there is none
	short int64  // events of the case, if it was shrunk
	how   string // it was shrunk
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
	f.kinds[key] = &finding{outcome: o, count: 1}
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

// sorted returns the findings, the gravest last and of those the shortest, so that what to read first stands at the end of
// the output.
func (f *findings) sorted() []*finding {
	var all []*finding
	for _, k := range f.kinds {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b *finding) int {
		return cmp.Or(
			-cmp.Compare(slices.Index(precedence, a.code), slices.Index(precedence, b.code)),
			-cmp.Compare(a.Events, b.Events),
			cmp.Compare(a.Property, b.Property),
			cmp.Compare(a.Seed, b.Seed),
		)
	})
	return all
}

// fingerprint is what two failures of one kind share: the property, how the last event began, and the fact that
// contradicts; where these are not known, what contradicts as the audits say it. What happens in between differs from
// seed to seed, and so do numbers, names and bytes.
func fingerprint(o *outcome) string {
	lines := lastEvent(o.Tail)
	if len(lines) == 0 {
		lines = o.Facts
	}
	kind := o.verdict + "\n" + o.Property
	for _, l := range lines {
		kind += "\n" + normal(l)
	}
	return kind
}

// lastEvent is the first and the last line of the last event, without its number and instant. Where the event is longer
// than the tail, the first is not known.
func lastEvent(tail []string) []string {
	var lines []string
	event := ""
	for i := len(tail) - 1; i >= 0; i-- {
		fields := strings.Fields(tail[i])
		if len(fields) < 3 || event != "" && fields[0] != event {
			break
		}
		event = fields[0]
		lines = append(lines, strings.Join(fields[2:], " "))
	}
	switch n := len(lines); {
	case n <= 1:
		return lines
	case n == len(tail):
		return lines[:1]
	default:
		return []string{lines[n-1], lines[0]}
	}
}

// ownerName is an owner in a line of the log: the prefix of its client, and its number.
var ownerName = regexp.MustCompile(`\bc[0-9]+[a-z]*-[0-9]+\b`)

// normal is a line without what differs from seed to seed: numbers, bytes in quotes, the names of keys and owners.
func normal(line string) string {
	parts := strings.Split(withoutNumbers(ownerName.ReplaceAllString(line, "owner")), `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = ""
	}
	words := strings.Fields(strings.Join(parts, `"`))
	for i, w := range words {
		if len(w) == 1 && w >= "a" && w <= "z" {
			words[i] = "*"
		}
	}
	return strings.Join(words, " ")
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
