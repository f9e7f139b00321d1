package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// variable tells the built tool which mutant it is.
const variable = "TICKETING_MUTANT"

// switchFile goes into each package. It is read once: a world sees one behaviour.
const switchFile = `package %s

import (
	"os"
	"strconv"
)

var activeMutant = func() int {
	n, _ := strconv.Atoi(os.Getenv(%q))
	return n
}()
`

// span is where a mutant's copy of its function stands in a written file.
type span struct {
	from, to int
	m        *mutant
}

// write renders a source with a copy of its function for each mutant that is not out, and a switch at the start of each
// function that goes there.
func (s *source) write(out map[*mutant]bool) (text []byte, spans []span) {
	var b, copies bytes.Buffer
	last := 0
	for _, f := range s.funcs {
		b.Write(s.text[last:f.body])
		last = f.body
		b.WriteString(f.dispatch(out))
	}
	b.Write(s.text[last:])
	for _, f := range s.funcs {
		for _, m := range f.mutants {
			if out[m] {
				continue
			}
			from := b.Len() + copies.Len()
			end := f.at + len(f.decl.Name.Name)
			fmt.Fprintf(&copies, "\n%s_m%d%s%s%s\n", s.text[f.from:end], m.id, s.text[end:m.from], m.text, s.text[m.to:f.to])
			spans = append(spans, span{from, b.Len() + copies.Len(), m})
		}
	}
	b.Write(copies.Bytes())
	return b.Bytes(), spans
}

// dispatch is the switch of a function.
func (f *function) dispatch(out map[*mutant]bool) string {
	var b strings.Builder
	lo, hi := 0, 0
	for _, m := range f.mutants {
		if out[m] {
			continue
		}
		if lo == 0 {
			lo = m.id
		}
		hi = m.id
		fmt.Fprintf(&b, "case %d: ", m.id)
		call := f.call(m.id)
		if f.decl.Type.Results == nil {
			fmt.Fprintf(&b, "%s; return\n", call)
		} else {
			fmt.Fprintf(&b, "return %s\n", call)
		}
	}
	if lo == 0 {
		return ""
	}
	return fmt.Sprintf("\nif %d <= activeMutant && activeMutant <= %d {\nswitch activeMutant {\n%s}\n}\n", lo, hi, b.String())
}

// call is the call of a copy with the function's own arguments.
func (f *function) call(id int) string {
	name := fmt.Sprintf("%s_m%d", f.decl.Name.Name, id)
	if f.decl.Recv != nil {
		name = f.decl.Recv.List[0].Names[0].Name + "." + name
	}
	var args []string
	for _, p := range f.decl.Type.Params.List {
		for _, n := range p.Names {
			arg := n.Name
			if _, many := p.Type.(*ast.Ellipsis); many {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// check finds the mutants of a package that do not compile.
func check(root, dir string, sources []*source, imp types.Importer, set *token.FileSet) (map[*mutant]bool, error) {
	var files []*ast.File
	spans := map[string][]span{}
	add := func(name string, text any) error {
		f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		files = append(files, f)
		return err
	}
	replaced := map[string]bool{}
	for _, s := range sources {
		text, at := s.write(nil)
		name := filepath.Join(root, s.file)
		spans[name], replaced[name] = at, true
		if err := add(name, text); err != nil {
			return nil, err
		}
	}
	names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !replaced[name] && !strings.HasSuffix(name, "_test.go") {
			if err := add(name, nil); err != nil {
				return nil, err
			}
		}
	}
	if err := add("mutant.go", fmt.Sprintf(switchFile, filepath.Base(dir), variable)); err != nil {
		return nil, err
	}
	return compile(dir, files, spans, imp, set)
}

// compile checks types, and blames the copies.
func compile(dir string, files []*ast.File, spans map[string][]span, imp types.Importer, set *token.FileSet) (map[*mutant]bool, error) {
	bad := map[*mutant]bool{}
	var other error
	conf := types.Config{Importer: imp, Error: func(err error) {
		var e types.Error
		if !errors.As(err, &e) {
			return
		}
		p := set.Position(e.Pos)
		for _, s := range spans[p.Filename] {
			if s.from <= p.Offset && p.Offset < s.to {
				bad[s.m] = true
				return
			}
		}
		other = err
	}}
	_, _ = conf.Check("ticketing/"+dir, set, files, nil) // Error was given each of its errors
	return bad, other
}

// build makes the tool that holds every mutant that compiles, and returns them.
func build(root, work string) (tool string, all []*mutant, err error) {
	replace := map[string]string{}
	put := func(path string, text []byte) error {
		name := filepath.Join(work, fmt.Sprintf("%d.go", len(replace)))
		replace[filepath.Join(root, path)] = name
		return os.WriteFile(name, text, 0o600)
	}
	set := token.NewFileSet()
	imp := importer.ForCompiler(set, "source", nil)
	first := 1
	for _, dir := range []string{"client/demux", "client/wire"} {
		sources, err := read(root, dir, first)
		if err != nil {
			return "", nil, err
		}
		bad, err := check(root, dir, sources, imp, set)
		if err != nil {
			return "", nil, err
		}
		for _, s := range sources {
			for _, f := range s.funcs {
				for _, m := range f.mutants {
					first++
					if !bad[m] {
						all = append(all, m)
					}
				}
			}
			text, _ := s.write(bad)
			if err := put(s.file, text); err != nil {
				return "", nil, err
			}
		}
		if err := put(dir+"/mutant.go", fmt.Appendf(nil, switchFile, filepath.Base(dir), variable)); err != nil {
			return "", nil, err
		}
	}
	tool = filepath.Join(work, "ticketsim")
	return tool, all, compileTool(root, work, tool, replace)
}

func compileTool(root, work, tool string, replace map[string]string) error {
	text, err := json.Marshal(struct{ Replace map[string]string }{replace})
	if err != nil {
		return err
	}
	overlay := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return err
	}
	p := exec.Command("go", "build", "-buildvcs=false", "-overlay", overlay, "-o", tool, "./cmd/ticketsim")
	p.Dir = root
	if out, err := p.CombinedOutput(); err != nil {
		return fmt.Errorf("the mutants do not build: %s", out[:min(len(out), 2000)])
	}
	return nil
}
