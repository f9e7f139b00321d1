package main

import "go/ast"

// Bounds of what a reader has to hold at once.
const (
	maxFileLines     = 500
	maxFunctionLines = 70
)

// checkSize reports files and functions that are too long. A function literal counts as part of the function
// around it, and by itself where there is none.
func checkSize(r *report, m *module, p *pkg) {
	for _, f := range p.files {
		if n := m.fset.File(f.FileStart).LineCount(); n > maxFileLines {
			r.add(m.fset.Position(f.Package), "the file has %d lines, at most %d are allowed", n, maxFileLines)
		}
		for _, d := range f.Decls {
			checkLength(r, m, d)
		}
	}
}

func checkLength(r *report, m *module, d ast.Decl) {
	ast.Inspect(d, func(n ast.Node) bool {
		name := "the function literal"
		switch f := n.(type) {
		case *ast.FuncDecl:
			name = "function " + f.Name.Name
		case *ast.FuncLit:
		default:
			return true
		}
		from, to := m.fset.Position(n.Pos()), m.fset.Position(n.End())
		if length := to.Line - from.Line + 1; length > maxFunctionLines {
			r.add(from, "%s has %d lines, at most %d are allowed", name, length, maxFunctionLines)
		}
		return false
	})
}
