// Package mutants reads planted bugs: small patches of this project's own sources, each of which something here must
// notice. A judge that never met a bug proves nothing; these are the bugs.
//
// It only reads, checks and applies patches, in memory. Building what comes out, running it and saying whether it was
// caught is the tool's (ticketsim mutants). The tree is never touched, and the shipping code carries no hook.
//
// # A mutant
//
// A mutant is a header and then a unified diff, in a file with the ending ".patch" whose name is its id:
//
//	# id: drop-owner
//	# kind: sweep
//	# breaks: match
//	# public: H9 apache/cassandra-python-driver#1114
//	# hurts: a late answer to somebody else's acquire is taken for one's own
//	# scenario: hostile-server
//	--- a/client/demux/receive.go
//	+++ b/client/demux/receive.go
//	@@ -94,3 +94,3 @@
//	…
//
// kind says who must notice: a sweep of worlds, or, for the judges themselves, the tests of some packages.
// breaks is the rule, the pinned detail, the assumption or the property that no longer holds; several are split by
// commas. public is the report, or reports, that it is modelled on, or "-". scenario, of a sweep, is where to look
// first; packages, of a test, are those whose tests must fail, split by spaces.
package mutants

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Dir is where the planted bugs are, from the root of the module.
const Dir = "seeds/mutants"

// Bounds of what is read.
const (
	MaxPatch   = 64 << 10 // bytes of a patch
	MaxMutants = 4096
)

// Kind says who must notice.
type Kind string

// The kinds.
const (
	Sweep Kind = "sweep" // a sweep of worlds
	Test  Kind = "test"  // the tests of Packages
)

// Mutant is one planted bug.
type Mutant struct {
	ID       string
	Kind     Kind
	Breaks   []string
	Public   string
	Hurts    string
	Scenario string   // of a Sweep, where to look first; or empty
	Packages []string // of a Test
	File     string   // from the root of the module

	patches []filePatch
}

// Rule is what the mutant breaks, in one word or a few.
func (m *Mutant) Rule() string { return strings.Join(m.Breaks, ",") }

// Load reads the mutants whose id matches a pattern of path.Match, in the order of their ids. fsys is the root of the
// module. Errors name the file, and the line where there is one.
func Load(fsys fs.FS, pattern string) ([]*Mutant, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("mutants: pattern %q: %w", pattern, err)
	}
	names, err := fs.Glob(fsys, Dir+"/*.patch")
	switch {
	case err != nil:
		return nil, fmt.Errorf("mutants: %w", err)
	case len(names) > MaxMutants:
		return nil, fmt.Errorf("mutants: %s: more than %d patches", Dir, MaxMutants)
	}
	var all []*Mutant
	for _, name := range names {
		if ok, _ := path.Match(pattern, idOf(name)); !ok {
			continue
		}
		text, err := readFile(fsys, name, MaxPatch)
		if err != nil {
			return nil, fmt.Errorf("mutants: %w", err)
		}
		m, err := Parse(name, text)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func idOf(name string) string { return strings.TrimSuffix(path.Base(name), ".patch") }

// Parse reads one mutant from the text of the file of that name.
func Parse(name string, text []byte) (*Mutant, error) {
	r := &reader{name: name, rest: string(text)}
	m := &Mutant{File: name}
	seen := map[string]bool{}
	for strings.HasPrefix(r.peek(), "#") {
		field, value, ok := strings.Cut(strings.TrimPrefix(r.next(), "# "), ": ")
		switch {
		case !ok || value == "":
			return nil, r.fail("want a header line, # FIELD: VALUE")
		case seen[field]:
			return nil, r.fail("%s is given twice", field)
		}
		seen[field] = true
		if err := m.set(field, value); err != nil {
			return nil, r.fail("%v", err)
		}
	}
	if err := m.check(); err != nil {
		return nil, r.fail("%v", err)
	}
	return m, r.patches(m)
}

func (m *Mutant) set(field, value string) error {
	switch field {
	case "id":
		m.ID = value
	case "kind":
		m.Kind = Kind(value)
	case "breaks":
		m.Breaks = strings.Split(value, ", ")
	case "public":
		m.Public = value
	case "hurts":
		m.Hurts = value
	case "scenario":
		m.Scenario = value
	case "packages":
		m.Packages = strings.Fields(value)
	default:
		return fmt.Errorf("unknown field %q", field)
	}
	return nil
}

// check holds a header to what it must say.
func (m *Mutant) check() error {
	switch {
	case m.ID != idOf(m.File):
		return fmt.Errorf("id %q is not the name of the file", m.ID)
	case len(m.Breaks) == 0, m.Public == "", m.Hurts == "":
		return errors.New("the header lacks one of: breaks, public, hurts")
	case m.Kind == Sweep && m.Packages != nil:
		return errors.New("packages belong to kind test")
	case m.Kind == Test && m.Scenario != "":
		return errors.New("a scenario belongs to kind sweep")
	case m.Kind == Test && m.Packages == nil:
		return errors.New("kind test lacks packages")
	case slices.ContainsFunc(m.Packages, func(p string) bool { return !strings.HasPrefix(p, "./") }):
		return errors.New("packages are paths from the root of the module and begin with ./ themselves")
	case m.Kind != Sweep && m.Kind != Test:
		return fmt.Errorf("kind %q is neither sweep nor test", m.Kind)
	}
	return nil
}

// readFile reads a file of at most limit bytes.
func readFile(fsys fs.FS, name string, limit int64) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s: more than %d bytes", name, limit)
	}
	text, err := fs.ReadFile(fsys, name)
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), err
}
