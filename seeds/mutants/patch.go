package mutants

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// MaxSource bounds a file that is patched, in bytes.
const MaxSource = 4 << 20

// Replacement is a file as a mutant has it.
type Replacement struct {
	Path string // from the root of the module
	Text []byte
}

// filePatch is what a patch does to one file.
type filePatch struct {
	path  string
	hunks []hunk
}

// hunk is one run of lines to be replaced. Lines have their newlines.
type hunk struct {
	line     int // in the patch, for complaints
	at       int // in the file, from 1
	old, new []string
}

// Apply returns the files that the mutant changes, changed. fsys is the root of the module. A hunk applies where its
// header says, or at the only other place where its lines stand; anything else is an error that names the patch, the
// line in it, and the file.
func (m *Mutant) Apply(fsys fs.FS) ([]Replacement, error) {
	var all []Replacement
	for i := range m.patches {
		p := &m.patches[i]
		text, err := readFile(fsys, p.path, MaxSource)
		if err != nil {
			return nil, fmt.Errorf("mutants: %s: %w", m.File, err)
		}
		lines := strings.SplitAfter(string(text), "\n")
		moved := 0 // how many lines the hunks before added
		for j := range p.hunks {
			h := &p.hunks[j]
			at, ok := h.place(lines, h.at-1+moved)
			if !ok {
				return nil, fmt.Errorf("mutants: %s:%d: does not apply any more to %s, line %d", m.File, h.line, p.path, h.at)
			}
			lines = slices.Replace(lines, at, at+len(h.old), h.new...)
			moved += len(h.new) - len(h.old)
		}
		all = append(all, Replacement{p.path, []byte(strings.Join(lines, ""))})
	}
	return all, nil
}

// place finds the lines that the hunk replaces.
func (h *hunk) place(lines []string, want int) (at int, ok bool) {
	stands := func(at int) bool {
		return at >= 0 && at+len(h.old) <= len(lines) && slices.Equal(lines[at:at+len(h.old)], h.old)
	}
	if stands(want) {
		return want, true
	}
	found := 0
	for i := range lines {
		if stands(i) {
			at = i
			found++
		}
	}
	return at, found == 1
}

// reader takes the lines of a patch.
type reader struct {
	name string
	rest string
	line int // of the line taken last, from 1
}

// peek is the next line without its newline, or "" at the end.
func (r *reader) peek() string {
	line, _, _ := strings.Cut(r.rest, "\n")
	return line
}

func (r *reader) next() string {
	line, rest, _ := strings.Cut(r.rest, "\n")
	r.rest = rest
	r.line++
	return line
}

func (r *reader) fail(format string, args ...any) error {
	return fmt.Errorf("mutants: %s:%d: %s", r.name, max(r.line, 1), fmt.Sprintf(format, args...))
}

// patches takes the diff: all that is left.
func (r *reader) patches(m *Mutant) error {
	for r.rest != "" {
		from, ok := strings.CutPrefix(r.next(), "--- a/")
		if !ok {
			return r.fail("want --- a/FILE")
		}
		if to, ok := strings.CutPrefix(r.next(), "+++ b/"); !ok || to != from {
			return r.fail("want +++ b/%s", from)
		}
		if !fs.ValidPath(from) {
			return r.fail("%q is no path below the root of the module", from)
		}
		p := filePatch{path: from}
		for strings.HasPrefix(r.peek(), "@@ ") {
			h, err := r.hunk()
			if err != nil {
				return err
			}
			p.hunks = append(p.hunks, h)
		}
		if len(p.hunks) == 0 {
			return r.fail("%s: nothing is changed", from)
		}
		m.patches = append(m.patches, p)
	}
	if len(m.patches) == 0 {
		return r.fail("no patch follows the header")
	}
	return nil
}

// hunk takes "@@ -A,B +C,D @@" and its lines.
func (r *reader) hunk() (h hunk, err error) {
	fields := strings.Fields(r.next())
	h.line = r.line
	if len(fields) < 4 || fields[3] != "@@" {
		return h, r.fail("want @@ -A,B +C,D @@")
	}
	at, olds, ok := span(fields[1], "-")
	_, news, ok2 := span(fields[2], "+")
	if !ok || !ok2 {
		return h, r.fail("want @@ -A,B +C,D @@")
	}
	h.at = at
	for len(h.old) < olds || len(h.new) < news {
		line := r.next()
		switch {
		case strings.HasPrefix(line, " "):
			h.old, h.new = append(h.old, line[1:]+"\n"), append(h.new, line[1:]+"\n")
		case strings.HasPrefix(line, "-"):
			h.old = append(h.old, line[1:]+"\n")
		case strings.HasPrefix(line, "+"):
			h.new = append(h.new, line[1:]+"\n")
		default:
			return h, r.fail("a line of a hunk begins with ' ', '-' or '+'")
		}
	}
	if len(h.old) != olds || len(h.new) != news || olds == 0 || slices.Equal(h.old, h.new) {
		return h, r.fail("the hunk is not of the size that its head says, or changes nothing")
	}
	return h, nil
}

// span reads "-A,B" or "-A".
func span(s, sign string) (at, n int, ok bool) {
	s, ok = strings.CutPrefix(s, sign)
	from, size, both := strings.Cut(s, ",")
	if !both {
		size = "1"
	}
	at, err := strconv.Atoi(from)
	n, err2 := strconv.Atoi(size)
	return at, n, ok && err == nil && err2 == nil && at >= 0 && n >= 0
}
