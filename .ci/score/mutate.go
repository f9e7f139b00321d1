package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mutant is one small change of one function.
type mutant struct {
	id   int    // from 1; what the built tool is told
	file string // in the module
	line int
	fn   string // with its receiver: "Machine.dial"
	what string // "old -> new", on one line
	nth  int    // of those in the function that read the same, from 1

	from, to int // what is replaced, in bytes of the file
	text     string
}

// name tells a mutant from all others, whatever stands on other lines.
func (m *mutant) name() string {
	return fmt.Sprintf("%s %s: %s (%d)", m.file, m.fn, m.what, m.nth)
}

// leftOut are the files and functions of which a sweep can or need say nothing: text for people, counters, what those who try
// a machine ask of it, the encoding, which only complete search asks for, what refuses the mistakes of callers and drivers,
// which worlds do not make, and the half of the codec that is the service's: no client calls it.
var leftOut = []string{
	"client/demux/counts.go", "client/demux/dump.go", "client/demux/print.go", "client/demux/sizes.go", "client/demux/leaks.go",
	"client/demux/encode.go", "client/demux/options.go", "client/demux/doc.go", "client/wire/error.go",
	"String", "name", "New", "live", "countMatched", "countTorn", "mustBe", "mustBeNew", "CheckAcquire", "CheckRelease", "ownAddrs",
	"ParseRequest", "AppendGranted", "AppendTimedOut", "AppendBusy", "AppendReleased", "AppendNotFound",
	"AppendMoved", "AppendNotice", "AppendError",
	"CheckName", "CheckAddr", "CheckCredential", "CheckToken", "CheckWait", "CheckLease", "checkWord",
}

// source is one file with the functions that are changed.
type source struct {
	file  string // in the module
	text  []byte
	funcs []*function
}

// function is one with its mutants.
type function struct {
	decl    *ast.FuncDecl
	from    int // of the declaration, without its comment
	to      int
	body    int // after the opening brace
	at      int // of the name
	mutants []*mutant
}

// read parses the files of a package and lists the mutants of each, numbered from first.
func read(root, dir string, first int) (sources []*source, err error) {
	names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		file := dir + "/" + filepath.Base(name)
		if strings.HasSuffix(name, "_test.go") || slices.Contains(leftOut, file) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := list(file, text)
		if err != nil {
			return nil, err
		}
		for _, f := range s.funcs {
			for _, m := range f.mutants {
				m.id = first
				first++
			}
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// list finds the mutants of a file.
func list(file string, text []byte) (*source, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{file: file, text: text}
	for _, d := range parsed.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil || slices.Contains(leftOut, decl.Name.Name) {
			continue
		}
		at := func(p token.Pos) int { return set.Position(p).Offset }
		f := &function{decl: decl, from: at(decl.Type.Func), to: at(decl.End()), body: at(decl.Body.Lbrace) + 1, at: at(decl.Name.Pos())}
		w := &walker{text: text, at: at, add: func(m *mutant) {
			m.file, m.fn = file, receiver(decl)+decl.Name.Name
			m.line = 1 + strings.Count(string(text[:m.from]), "\n")
			m.what = oneLine(string(text[m.from:m.to])) + " -> " + oneLine(m.text)
			m.nth = 1
			for _, o := range f.mutants {
				if o.from == m.from && o.to == m.to && o.text == m.text {
					return // two ways to the same
				}
				if o.what == m.what {
					m.nth++
				}
			}
			f.mutants = append(f.mutants, m)
		}}
		w.block(decl.Body.List)
		if len(f.mutants) > 0 {
			s.funcs = append(s.funcs, f)
		}
	}
	return s, nil
}

// receiver is the name of the receiver's type and a dot, or "".
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	return t.(*ast.Ident).Name + "."
}

// wide is how much of a text is shown.
const wide = 70

// oneLine is a text on one line, its middle left out if it is long.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		return "nothing"
	}
	if len(s) > wide {
		s = s[:wide/2] + "..." + s[len(s)-wide/2:]
	}
	return s
}

// plusOne are the numbers beside a literal.
func plusOne(lit string) (more, less string, ok bool) {
	v, err := strconv.ParseInt(lit, 0, 64)
	if err != nil {
		return "", "", false
	}
	return strconv.FormatInt(v+1, 10), strconv.FormatInt(v-1, 10), true
}
