package main

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
)

// finding is one broken rule at one place.
type finding struct {
	file string // relative to the root
	line int
	msg  string
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.msg) }

// report collects findings, each once: one line that breaks one rule twice is one thing to mend.
type report struct {
	root string
	seen map[finding]bool
}

func (r *report) add(pos token.Position, format string, args ...any) {
	name := pos.Filename
	if rel, err := filepath.Rel(r.root, name); err == nil {
		name = filepath.ToSlash(rel)
	}
	r.seen[finding{name, max(pos.Line, 1), fmt.Sprintf(format, args...)}] = true
}

func (r *report) sorted() []finding {
	var all []finding
	for f := range r.seen {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.msg, b.msg))
	})
	return all
}
