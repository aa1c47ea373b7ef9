package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// finder finds what can be mistaken in a file.
type finder struct {
	fset    *token.FileSet
	info    *types.Info
	name    string // of the file, from the root of the module
	source  []byte
	leftOut map[ast.Node]bool // nodes in which nothing is mistaken
	kind    string
	found   []mutant
}

// find returns all mistakes of a file, in the order of its text. Some may not compile.
func (f *finder) find(file *ast.File) []mutant {
	f.leftOut = make(map[ast.Node]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || f.leftOut[n] {
			return false
		}
		f.leaveOut(n)
		if f.leftOut[n] {
			return false
		}
		for _, k := range kinds {
			f.kind = k.name
			k.find(f, n)
		}
		return true
	})
	return f.found
}

// leaveOut marks what matters to readers of a text or to speed only, and what guards against the impossible.
func (f *finder) leaveOut(n ast.Node) {
	switch n := n.(type) {
	case *ast.GenDecl:
		f.leftOut[n] = n.Tok == token.IMPORT
	case *ast.FuncDecl:
		f.leftOut[n] = n.Recv != nil && (n.Name.Name == "String" || n.Name.Name == "Error" || n.Name.Name == "GoString")
	case *ast.IfStmt:
		if f.onlyPanics(n.Body.List) {
			f.leftOut[n.Cond], f.leftOut[n.Body] = true, true
			f.leftOut[n] = n.Else == nil
		}
	case *ast.CaseClause:
		f.leftOut[n] = f.onlyPanics(n.Body)
	case *ast.ExprStmt:
		f.leftOut[n] = f.onlyPanics([]ast.Stmt{n})
	case *ast.ReturnStmt:
		if last := len(n.Results) - 1; last > 0 && f.refuses(n.Results[last]) {
			f.mark(n.Results[:last])
		}
	case *ast.CallExpr:
		f.leaveOutArguments(n)
	}
}

// refuses says whether the last result is an error or false; nobody looks at what is beside it.
func (f *finder) refuses(result ast.Expr) bool {
	is := f.info.Types[result]
	if is.Value != nil && is.Value.Kind() == constant.Bool {
		return !constant.BoolVal(is.Value)
	}
	return !is.IsNil() && types.Identical(is.Type, types.Universe.Lookup("error").Type())
}

// onlyPanics says whether statements are a panic and nothing else.
func (f *finder) onlyPanics(list []ast.Stmt) bool {
	if len(list) != 1 {
		return false
	}
	s, ok := list[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := s.X.(*ast.CallExpr)
	return ok && f.builtin(call) == "panic"
}

// leaveOutArguments marks arguments that are printed, and sizes that only reserve memory.
func (f *finder) leaveOutArguments(call *ast.CallExpr) {
	switch f.builtin(call) {
	case "make":
		if _, isMap := f.info.TypeOf(call).Underlying().(*types.Map); isMap {
			f.mark(call.Args[1:])
		}
		f.mark(call.Args[min(2, len(call.Args)):])
	case "":
		if f.prints(call) {
			f.mark(call.Args[min(f.info.TypeOf(call.Fun).(*types.Signature).Params().Len()-1, len(call.Args)):])
		}
	}
}

// prints says whether a call takes any number of values of any type, as those do that have a format.
func (f *finder) prints(call *ast.CallExpr) bool {
	signature, ok := f.info.TypeOf(call.Fun).(*types.Signature)
	if !ok || !signature.Variadic() {
		return false
	}
	last := signature.Params().At(signature.Params().Len() - 1).Type()
	return types.Identical(last, types.NewSlice(types.Universe.Lookup("any").Type()))
}

func (f *finder) mark(list []ast.Expr) {
	for _, n := range list {
		f.leftOut[n] = true
	}
}

// builtin is the name of the function of the language that is called; empty if it is another one.
func (f *finder) builtin(call *ast.CallExpr) string {
	name, ok := call.Fun.(*ast.Ident)
	if !ok {
		return ""
	}
	if _, ok := f.info.Uses[name].(*types.Builtin); !ok {
		return ""
	}
	return name.Name
}

func (f *finder) replace(n ast.Node, text string) {
	if s, ok := n.(ast.Stmt); ok && f.onlyPanics([]ast.Stmt{s}) {
		return
	}
	if c, ok := n.(*ast.CaseClause); ok && f.onlyPanics(c.Body) {
		return
	}
	f.add(n.Pos(), n.End(), text)
}

func (f *finder) add(from, to token.Pos, text string) {
	f.found = append(f.found, mutant{f.name, f.source, f.offset(from), f.offset(to), text, f.kind})
}

func (f *finder) offset(at token.Pos) int { return f.fset.Position(at).Offset }

func (f *finder) textOf(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}
