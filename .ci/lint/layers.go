package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// layer says what a package may know. The rows are those of the design's layout.
type layer struct {
	path string // in the module; a row holds for what lies below it too, unless a longer row does
	// knows lists the rows that it may import from; its own is always among them.
	knows []string
	// outside lists the modules of others that it may import.
	outside []string
	// io allows the packages of the standard library that reach the world outside.
	io bool
	// forTests marks a package that only tests import, because several packages' tests share it. It reads
	// their files.
	forTests bool
}

var layers = []layer{
	{path: "client/wire"},
	{path: "client/demux", knows: []string{"client/wire"}},
	// The shell takes no decision of the protocol: it cannot even read a frame.
	{path: "client", knows: []string{"client/demux"}, io: true},
	{path: "sim/choice"},
	{path: "sim/clock", knows: []string{"sim/choice"}},
	{path: "network", knows: []string{"sim/choice", "sim/clock"}},
	{path: "model"},
	// The node logic, which ticketd runs as well.
	{path: "sim/service", knows: []string{"client/wire", "sim/choice", "sim/clock"}},
	{path: "sim", knows: world},
	{path: "sim/explore", knows: append([]string{"sim"}, world...)},
	{path: "sim/shrink", knows: append([]string{"sim"}, world...)},
	// A core beside the one that ships must not lean on what it is compared with.
	{path: "sim/reference", knows: []string{"client/wire", "client/demux"}},
	{path: "sim/dialogue", knows: []string{"client/wire", "client/demux", "sim/reference"}, forTests: true,
		outside: []string{"github.com/cockroachdb/datadriven", "github.com/stretchr/testify"}},
	{path: "checker/blackbox", knows: []string{"model"}, outside: []string{"github.com/anishathalye/porcupine"}},
	{path: "checker/audit", knows: append([]string{"sim"}, world...)},
	{path: "checker", knows: append([]string{"sim", "sim/reference", "checker/audit", "checker/blackbox"}, world...)},
	{path: "seeds", knows: append([]string{"client", "checker"}, simulator...)},
	{path: "cmd", knows: append([]string{"client", "checker", "seeds"}, simulator...), io: true,
		outside: []string{"github.com/alecthomas/kong", "golang.org/x/exp", "golang.org/x/term"}},
	{path: ".ci/lint", io: true},
	{path: ".ci/needs", knows: []string{"checker"}, io: true},
	{path: ".ci/paired", knows: []string{"cmd"}, io: true},
	{path: ".ci/score", knows: []string{"checker"}, io: true},
}

// world is what a simulated world is made of.
var world = []string{"client/wire", "client/demux", "sim/choice", "sim/clock", "sim/service", "network", "model"}

// simulator is a world and all that runs or judges one.
var simulator = append([]string{"sim", "sim/explore", "sim/shrink", "sim/reference", "checker/audit", "checker/blackbox"}, world...)

// vocabulary is all that may be named of a package by those who must not know how it works: the world runs
// any core, and must not come to depend on the one that ships.
var vocabulary = []struct {
	of     string
	hidden []string // names of it
	from   []string // who may not use them
}{
	{"client/demux", []string{"New", "Machine", "Counts"}, []string{"sim", "checker/audit"}},
}

// reaching are the packages of the standard library that do I/O, the ones below each included.
var reaching = []string{"net", "os", "syscall", "io/ioutil", "plugin", "log/syslog", "database"}

// topNames are the names that the root may hold besides dot-files and licences.
var topNames = []string{"go.mod", "go.sum", "README.md", "client", "network", "model", "checker", "sim", "seeds", "cmd"}

// checkTop reports names that the root must not hold.
func checkTop(r *report, m *module) error {
	entries, err := os.ReadDir(m.root)
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	for _, e := range entries {
		n := e.Name()
		upper := strings.ToUpper(n)
		licence := strings.HasPrefix(upper, "LICENSE") || strings.HasPrefix(upper, "LICENCE")
		if strings.HasPrefix(n, ".") || licence || slices.Contains(topNames, n) {
			continue
		}
		r.add(token.Position{Filename: filepath.Join(m.root, n)}, "%s does not belong at the top level", n)
	}
	return nil
}

// layerOf returns the row of a package, the longest that holds for it.
func layerOf(local string) *layer {
	var best *layer
	for i := range layers {
		l := &layers[i]
		if under(local, l.path) && (best == nil || len(l.path) > len(best.path)) {
			best = l
		}
	}
	return best
}

func under(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}

func underAny(path string, roots []string) bool {
	return slices.ContainsFunc(roots, func(r string) bool { return under(path, r) })
}

// checkImports holds a package to its row.
func checkImports(r *report, m *module, p *pkg) {
	local := m.local(p.path)
	row := layerOf(local)
	for _, f := range p.files {
		if row == nil {
			r.add(m.fset.Position(f.Package), "package %s has no row in the lint's table of layers", local)
			continue
		}
		for _, imp := range f.Imports {
			path, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				continue // the parser reported it
			}
			if why := row.forbids(m, path); why != "" {
				r.add(m.fset.Position(imp.Pos()), "%s must not import %s: %s", local, path, why)
			}
		}
		checkVocabulary(r, m, p, f)
	}
}

// forbids returns why a package of this row may not import path, or "".
func (l *layer) forbids(m *module, path string) string {
	switch {
	case m.owns(path):
		row := layerOf(m.local(path))
		if row == nil || row.path == l.path || slices.Contains(l.knows, row.path) {
			return "" // one without a row is reported where it is
		}
		if under(l.path, "client") && !under(row.path, "client") {
			return "what ships does not know the simulator"
		}
		return "it is not in its row of the layout"
	case strings.Contains(strings.SplitN(path, "/", 2)[0], "."):
		if underAny(path, l.outside) {
			return ""
		}
		return "the module of others is not in its row of the layout"
	case !l.io && !l.forTests && underAny(path, reaching):
		return "only client and cmd do I/O"
	}
	return ""
}

// checkVocabulary reports uses of names that a package must not know although it may import their package.
func checkVocabulary(r *report, m *module, p *pkg, f *ast.File) {
	local := m.local(p.path)
	for _, v := range vocabulary {
		if !underAny(local, v.from) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			o := p.info.Uses[id]
			if o == nil || o.Pkg() == nil || o.Pkg().Path() != m.path+"/"+v.of || o.Parent() != o.Pkg().Scope() {
				return true
			}
			if slices.Contains(v.hidden, o.Name()) {
				r.add(m.fset.Position(id.Pos()), "%s must not use %s.%s: it runs any core", local, o.Pkg().Name(), o.Name())
			}
			return true
		})
	}
}
