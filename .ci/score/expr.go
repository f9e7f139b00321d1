package main

import (
	"go/ast"
	"go/token"
)

// others are the operators that stand in for one.
var others = map[token.Token][]string{
	token.LSS: {"<="}, token.LEQ: {"<"}, token.GTR: {">="}, token.GEQ: {">"}, token.EQL: {"!="}, token.NEQ: {"=="},
	token.ADD: {"-"}, token.SUB: {"+"}, token.MUL: {"/"}, token.QUO: {"*"}, token.REM: {"/"},
	token.AND: {"|"}, token.OR: {"&"}, token.XOR: {"|"}, token.SHL: {">>"}, token.SHR: {"<<"},
	token.LAND: {"||"}, token.LOR: {"&&"},
}

// inside lists the mutants of all expressions in a node.
func (w *walker) inside(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			w.expr(e)
			return false
		}
		return true
	})
}

// expr lists the mutants of an expression.
func (w *walker) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		w.binary(e)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			w.swap(e, w.src(e.X))
		}
		w.expr(e.X)
	case *ast.ParenExpr:
		w.expr(e.X)
	case *ast.BasicLit:
		if more, less, ok := plusOne(e.Value); ok && e.Kind == token.INT {
			w.swap(e, more)
			w.swap(e, less)
		}
	case *ast.CallExpr:
		w.call(e)
	case *ast.IndexExpr:
		w.expr(e.X)
		w.expr(e.Index)
	case *ast.SliceExpr:
		w.expr(e.X)
		for _, i := range []ast.Expr{e.Low, e.High} {
			if i != nil {
				w.expr(i)
			}
		}
	case *ast.CompositeLit:
		w.fields(e)
	case *ast.SelectorExpr:
		w.expr(e.X)
	case *ast.FuncLit:
		w.block(e.Body.List)
	}
}

func (w *walker) binary(e *ast.BinaryExpr) {
	for _, o := range others[e.Op] {
		w.swap(e, w.src(e.X)+" "+o+" "+w.src(e.Y))
	}
	switch e.Op {
	case token.SUB, token.QUO, token.REM:
		w.swap(e, w.src(e.Y)+" "+e.Op.String()+" ("+w.src(e.X)+")")
	case token.LAND, token.LOR:
		w.swap(e, w.src(e.X))
		w.swap(e, w.src(e.Y))
	}
	w.expr(e.X)
	w.expr(e.Y)
}

// call changes the least into the greatest, and what is handed over. Capacities are no behaviour.
func (w *walker) call(e *ast.CallExpr) {
	f, _ := e.Fun.(*ast.Ident)
	if f != nil {
		other := map[string]string{"min": "max", "max": "min"}[f.Name]
		if other != "" {
			w.swap(f, other)
		}
		if f.Name == "panic" || f.Name == "make" {
			return
		}
	} else {
		w.expr(e.Fun)
	}
	for _, a := range e.Args {
		w.expr(a)
	}
}

// fields removes each named field of a literal.
func (w *walker) fields(e *ast.CompositeLit) {
	for i, x := range e.Elts {
		kv, ok := x.(*ast.KeyValueExpr)
		if !ok {
			w.expr(x)
			continue
		}
		w.swap(e, w.src(e.Type)+"{"+w.without(e.Elts, i)+"}")
		w.expr(kv.Value)
	}
}
