package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// kinds are the sorts of mistakes: what people get wrong in one place, and compilers do not see.
var kinds = []struct {
	name string
	find func(*finder, ast.Node)
}{
	{"another operator", (*finder).operators},
	{"one operand only", (*finder).operands},
	{"condition negated", (*finder).conditions},
	{"number one higher", (*finder).numbers},
	{"true and false swapped", (*finder).truths},
	{"min and max swapped", (*finder).extremes},
	{"statement left out", (*finder).statements},
	{"case left out", (*finder).cases},
	{"arguments swapped", (*finder).arguments},
	{"bound of a slice moved", (*finder).bounds},
}

// mistaken is what each operator is taken for.
var mistaken = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.QUO,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND, token.XOR: token.OR,
	token.INC: token.DEC, token.DEC: token.INC,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN,
}

func (f *finder) operators(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.operator(n.OpPos, n.Op)
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
	}
}

func (f *finder) operator(at token.Pos, is token.Token) {
	if other, ok := mistaken[is]; ok {
		f.add(at, at+token.Pos(len(is.String())), other.String())
	}
}

func (f *finder) operands(n ast.Node) {
	if n, ok := n.(*ast.BinaryExpr); ok && (n.Op == token.LAND || n.Op == token.LOR) {
		f.replace(n, f.textOf(n.X))
		f.replace(n, f.textOf(n.Y))
	}
}

func (f *finder) conditions(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.replace(n.Cond, "!("+f.textOf(n.Cond)+")")
	case *ast.ForStmt:
		if n.Cond != nil {
			f.replace(n.Cond, "!("+f.textOf(n.Cond)+")")
		}
	}
}

func (f *finder) numbers(n ast.Node) {
	literal, ok := n.(*ast.BasicLit)
	if !ok || literal.Kind != token.INT {
		return
	}
	if value, err := strconv.ParseUint(literal.Value, 0, 64); err == nil {
		f.replace(literal, strconv.FormatUint(value+1, 10))
	}
}

func (f *finder) truths(n ast.Node) {
	name, ok := n.(*ast.Ident)
	if !ok || f.info.Uses[name] == nil || f.info.Uses[name].Parent() != types.Universe {
		return
	}
	switch name.Name {
	case "true":
		f.replace(name, "false")
	case "false":
		f.replace(name, "true")
	}
}

func (f *finder) extremes(n ast.Node) {
	if call, ok := n.(*ast.CallExpr); ok {
		switch f.builtin(call) {
		case "min":
			f.replace(call.Fun, "max")
		case "max":
			f.replace(call.Fun, "min")
		}
	}
}

func (f *finder) statements(n ast.Node) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		f.leaveOutEach(n.List)
	case *ast.CaseClause:
		f.leaveOutEach(n.Body)
	case *ast.CommClause:
		f.leaveOutEach(n.Body)
	}
}

// leaveOutEach leaves out what does something, one at a time. Blocks stay: their conditions and what is in them are mistaken.
func (f *finder) leaveOutEach(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				f.replace(s, "")
			}
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeferStmt, *ast.ReturnStmt, *ast.BranchStmt:
			f.replace(s, "")
		}
	}
}

func (f *finder) cases(n ast.Node) {
	switch n.(type) {
	case *ast.CaseClause, *ast.CommClause:
		f.replace(n, "")
	}
}

func (f *finder) arguments(n ast.Node) {
	call, ok := n.(*ast.CallExpr)
	if !ok || f.builtin(call) == "min" || f.builtin(call) == "max" || f.prints(call) {
		return
	}
	for i := 1; i < len(call.Args); i++ {
		a, b := call.Args[i-1], call.Args[i]
		if f.leftOut[a] || f.leftOut[b] || !types.Identical(f.info.TypeOf(a), f.info.TypeOf(b)) || f.textOf(a) == f.textOf(b) {
			continue
		}
		between := string(f.source[f.offset(a.End()):f.offset(b.Pos())])
		f.add(a.Pos(), b.End(), f.textOf(b)+between+f.textOf(a))
	}
}

// bounds moves those that are not numbers, which are made one higher anyway.
func (f *finder) bounds(n ast.Node) {
	slice, ok := n.(*ast.SliceExpr)
	if !ok {
		return
	}
	f.move(slice.Low, "+1")
	f.move(slice.High, "-1")
}

func (f *finder) move(bound ast.Expr, by string) {
	if _, number := bound.(*ast.BasicLit); bound != nil && !number {
		f.replace(bound, "("+f.textOf(bound)+")"+by)
	}
}
