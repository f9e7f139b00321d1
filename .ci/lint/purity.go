package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// deterministic says whether a package must run alike everywhere and every time.
func deterministic(local string) bool {
	return underAny(local, []string{"client/wire", "client/demux", "network", "model", "sim"})
}

// impure are the imports that such a package must do without, what lies below each included.
var impure = []struct{ path, why string }{
	{"sync", "nothing there runs at once with anything"},
	{"context", "it starts goroutines and reads the clock"},
	{"log", "it does not log"},
	{"math/rand", "every decision is asked of a choice.Source"},
	{"crypto/rand", "every decision is asked of a choice.Source"},
	{"os", "it does no I/O"},
	{"net", "it does no I/O"},
	{"runtime", "it must not see the machine that it runs on"},
	{"unsafe", "its state is plain data"},
	{"hash/maphash", "its seeds differ from process to process"},
	{"unique", "its handles differ from process to process"},
	{"weak", "it must not see the collector"},
}

// timeless are the names of package time that are only numbers.
var timeless = map[string]bool{
	"Duration": true, "Nanosecond": true, "Microsecond": true, "Millisecond": true,
	"Second": true, "Minute": true, "Hour": true, "ParseDuration": true,
}

// sortedMark on the line above, with a reason, allows ranging over a map whose order cannot show.
const sortedMark = "//lint:sorted"

// purity is the walk over one file of a deterministic package.
type purity struct {
	r      *report
	m      *module
	p      *pkg
	marks  map[int]bool           // lines on which a sortedMark with a reason ends
	sorted map[*ast.CallExpr]bool // calls whose result goes straight into a sort
}

func checkPurity(r *report, m *module, p *pkg) {
	for _, name := range p.excluded {
		r.add(token.Position{Filename: name}, "a build constraint leaves this file out: the package must be the same everywhere")
	}
	for _, f := range p.files {
		w := purity{r: r, m: m, p: p, marks: map[int]bool{}, sorted: map[*ast.CallExpr]bool{}}
		w.readMarks(f)
		for _, imp := range f.Imports {
			w.importSpec(imp)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			w.node(n)
			return true
		})
	}
}

func (w *purity) add(at ast.Node, format string, args ...any) {
	w.r.add(w.m.fset.Position(at.Pos()), format, args...)
}

func (w *purity) readMarks(f *ast.File) {
	for _, g := range f.Comments {
		for _, c := range g.List {
			reason, ok := strings.CutPrefix(c.Text, sortedMark)
			switch {
			case !ok:
			case strings.TrimSpace(reason) == "":
				w.add(c, "%s needs a reason", sortedMark)
			default:
				w.marks[w.m.fset.Position(c.Pos()).Line] = true
			}
		}
	}
}

func (w *purity) importSpec(imp *ast.ImportSpec) {
	path, err := strconv.Unquote(imp.Path.Value)
	if err != nil {
		return // the parser reported it
	}
	if path == "C" {
		w.add(imp, "imports C: only Go runs alike everywhere")
	}
	reads := layerOf(w.m.local(w.p.path)).forTests && underAny(path, reaching)
	for _, i := range impure {
		if under(path, i.path) && !reads {
			w.add(imp, "imports %s: %s", path, i.why)
		}
	}
}

func (w *purity) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt:
		w.add(n, "starts a goroutine")
	case *ast.SelectStmt:
		w.add(n, "uses select")
	case *ast.ChanType:
		w.add(n, "uses a channel")
	case *ast.RangeStmt:
		w.rangeStmt(n)
	case *ast.CallExpr:
		w.call(n)
	case *ast.Ident:
		w.ident(n)
	}
	if e, ok := n.(ast.Expr); ok {
		w.expr(e)
	}
}

// rangeStmt reports a map whose order can show, and a channel.
func (w *purity) rangeStmt(n *ast.RangeStmt) {
	switch w.under(n.X).(type) {
	case *types.Map:
		if line := w.m.fset.Position(n.Pos()).Line; !w.marks[line-1] {
			w.add(n, "ranges over a map: sort first, or say on the line above why the order cannot show (%s reason)", sortedMark)
		}
	case *types.Chan:
		w.add(n, "uses a channel")
	}
}

// call reports an iterator over a map that does not go straight into a sort.
func (w *purity) call(n *ast.CallExpr) {
	o := w.callee(n)
	switch {
	case o == nil || o.Pkg() == nil:
	case o.Pkg().Path() == "slices" && strings.HasPrefix(o.Name(), "Sorted"):
		for _, a := range n.Args {
			if inner, ok := ast.Unparen(a).(*ast.CallExpr); ok {
				w.sorted[inner] = true
			}
		}
	case o.Pkg().Path() == "maps" && (o.Name() == "Keys" || o.Name() == "Values" || o.Name() == "All"):
		if line := w.m.fset.Position(n.Pos()).Line; !w.sorted[n] && !w.marks[line-1] {
			w.add(n, "maps.%s yields in no order: give it to slices.Sorted at once", o.Name())
		}
	case o.Pkg().Path() == "iter" && strings.HasPrefix(o.Name(), "Pull"):
		w.add(n, "iter.%s keeps a coroutine", o.Name())
	}
}

func (w *purity) callee(n *ast.CallExpr) types.Object {
	fun := ast.Unparen(n.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := fun.(type) {
	case *ast.SelectorExpr:
		return w.p.info.Uses[x.Sel]
	case *ast.Ident:
		return w.p.info.Uses[x]
	}
	return nil
}

// ident reports what reads a clock, under whatever name package time was imported.
func (w *purity) ident(n *ast.Ident) {
	o := w.p.info.Uses[n]
	if o == nil || o.Pkg() == nil || o.Pkg().Path() != "time" || o.Parent() != o.Pkg().Scope() {
		return
	}
	if !timeless[o.Name()] {
		w.add(n, "uses time.%s: now is an argument there, and a deadline a result", o.Name())
	}
}

// expr reports values whose type is not the same number everywhere, or that carry a channel made elsewhere.
func (w *purity) expr(e ast.Expr) {
	switch t := w.under(e).(type) {
	case *types.Basic:
		if t.Info()&(types.IsFloat|types.IsComplex) != 0 && t.Info()&types.IsUntyped == 0 {
			w.add(e, "uses %s: only integers are the same everywhere", t.Name())
		}
	case *types.Chan:
		w.add(e, "uses a channel")
	}
}

func (w *purity) under(e ast.Expr) types.Type {
	if t := w.p.info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}
