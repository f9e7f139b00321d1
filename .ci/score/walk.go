package main

import (
	"go/ast"
	"go/token"
	"strings"
)

// walker finds the places of a function that can be changed.
type walker struct {
	text []byte
	at   func(token.Pos) int
	add  func(*mutant)
}

func (w *walker) src(n ast.Node) string { return string(w.text[w.at(n.Pos()):w.at(n.End())]) }

// swap replaces a node.
func (w *walker) swap(n ast.Node, text string) {
	w.add(&mutant{from: w.at(n.Pos()), to: w.at(n.End()), text: text})
}

func (w *walker) block(list []ast.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

// counts says whether a statement does nothing but count a branch, or refuse a mistake.
func counts(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		switch f := call.Fun.(type) {
		case *ast.SelectorExpr:
			return strings.HasPrefix(f.Sel.Name, "count") || f.Sel.Name == "mustBeNew"
		case *ast.Ident:
			return f.Name == "panic" || f.Name == "mustBe"
		}
	case *ast.BlockStmt:
		for _, in := range s.List {
			if !counts(in) {
				return false
			}
		}
		return true
	case *ast.IfStmt:
		return counts(s.Body) && (s.Else == nil || counts(s.Else))
	}
	return false
}

// stmt lists the mutants of one statement and of what is in it.
func (w *walker) stmt(s ast.Stmt) {
	if s == nil || counts(s) {
		return
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		w.block(s.List)
	case *ast.ExprStmt:
		w.swap(s, "")
		w.expr(s.X)
	case *ast.DeferStmt:
		w.swap(s, "")
	case *ast.BranchStmt:
		w.swap(s, "")
	case *ast.IncDecStmt:
		w.swap(s, "")
		w.swap(s, w.src(s.X)+map[token.Token]string{token.INC: "--", token.DEC: "++"}[s.Tok])
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.DeclStmt:
		w.inside(s)
	case *ast.ReturnStmt:
		w.result(s)
	case *ast.IfStmt:
		w.ifs(s)
	case *ast.ForStmt:
		w.stmt(s.Init)
		w.cond(s.Cond)
		w.block(s.Body.List)
		if _, plain := s.Post.(*ast.IncDecStmt); !plain {
			w.stmt(s.Post)
		}
	case *ast.RangeStmt:
		w.expr(s.X)
		w.block(s.Body.List)
	case *ast.SwitchStmt:
		w.stmt(s.Init)
		w.expr(s.Tag)
		w.clauses(s)
	}
}

func (w *walker) ifs(s *ast.IfStmt) {
	w.swap(s, "")
	w.stmt(s.Init)
	w.cond(s.Cond)
	w.block(s.Body.List)
	w.stmt(s.Else)
}

func (w *walker) clauses(s *ast.SwitchStmt) {
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		for _, e := range c.List {
			if s.Tag == nil {
				w.cond(e)
			}
		}
		if len(c.Body) > 0 && !counts(&ast.BlockStmt{List: c.Body}) && len(c.List) > 0 {
			w.add(&mutant{from: w.at(c.Pos()), to: w.at(c.End()), text: ""})
		}
		w.block(c.Body)
	}
}

// assign removes each target of an assignment in turn.
func (w *walker) assign(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE {
		if len(s.Lhs) == 1 || len(s.Lhs) != len(s.Rhs) {
			w.swap(s, "")
		} else {
			for i := range s.Lhs {
				w.swap(s, w.without(s.Lhs, i)+" "+s.Tok.String()+" "+w.without(s.Rhs, i))
			}
		}
	}
	if other := map[token.Token]string{token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.MUL_ASSIGN: "/="}[s.Tok]; other != "" {
		w.swap(s, w.src(s.Lhs[0])+" "+other+" "+w.src(s.Rhs[0]))
	}
	for _, e := range s.Lhs {
		w.expr(e)
	}
	for _, e := range s.Rhs {
		w.expr(e)
	}
}

// without joins all of a list but one.
func (w *walker) without(list []ast.Expr, i int) string {
	var kept []string
	for j, e := range list {
		if j != i {
			kept = append(kept, w.src(e))
		}
	}
	return strings.Join(kept, ", ")
}

// result changes what is returned.
func (w *walker) result(s *ast.ReturnStmt) {
	if len(s.Results) == 0 {
		w.swap(s, "")
	}
	for _, e := range s.Results {
		w.value(e)
		w.expr(e)
	}
}

// value offers what else an expression could be: those that do not fit its type fall out when types are checked.
func (w *walker) value(e ast.Expr) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return
	case *ast.Ident:
		switch e.Name {
		case "true":
			w.swap(e, "false")
			return
		case "false":
			w.swap(e, "true")
			return
		case "nil":
			return
		}
	}
	w.swap(e, "!("+w.src(e)+")")
	w.swap(e, "("+w.src(e)+") + 1")
	w.swap(e, "nil")
}

// cond negates a condition.
func (w *walker) cond(e ast.Expr) {
	if e == nil {
		return
	}
	if b, ok := e.(*ast.BinaryExpr); !ok || (b.Op != token.EQL && b.Op != token.NEQ) {
		w.swap(e, "!("+w.src(e)+")")
	}
	w.expr(e)
}
