package ulfm_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// notOfMPI are names that a table of MPI's calls does not need: what the emulator adds, and types that calls return.
var notOfMPI = strings.Fields(`
	Agreement BinomialGraph EarlyReturning Flooding Gathering OpenMPI Options Revocation Rounds
	Diary Ended Explain KindName Lost Making NewDiary Note
	AbortError ErrExcluded FailedError Errhandler Comm Group Intercomm Request Comparison Uniform
	Comm.String Communicators MaxRanks Membership Comm.Membership`)

// Whoever ports a program looks up MPI's name. All names of the table exist, and all that exist are in it.
func TestTheTableFromMPIToGoIsComplete(t *testing.T) {
	text, err := os.ReadFile("../../docs/ulfm.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "\n## From MPI to Go\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n## ")
	listed := make(map[string]bool)
	for _, row := range regexp.MustCompile(`(?m)^\| (.*) \| (.*) \|$`).FindAllStringSubmatch(table, -1) {
		for _, name := range regexp.MustCompile("`((?:Comm\\.|Intercomm\\.|Request\\.|Group\\.)?[A-Z][A-Za-z]*)`").FindAllStringSubmatch(row[2], -1) {
			listed[name[1]] = true
		}
	}
	there := exported(t)
	for name := range listed {
		if name != "Now" { // of Proc
			require.True(t, there[name], "the table has %s, which does not exist", name)
		}
	}
	for _, name := range notOfMPI {
		require.True(t, there[name], "%s does not exist", name)
		listed[name] = true
	}
	for name := range there {
		kind, _, _ := strings.Cut(name, ".")
		switch kind {
		case "Diary", "Options", "Agreement", "Revocation", "AbortError", "FailedError", "StatusError", "Comparison":
			continue
		}
		require.True(t, listed[name], "the table has no row for %s", name)
	}
}

// exported are the exported names of the package, those of methods with their types.
func exported(t *testing.T) map[string]bool {
	names := make(map[string]bool)
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			for _, name := range declared(decl) {
				last := name[strings.LastIndex(name, ".")+1:]
				names[name] = names[name] || ast.IsExported(name) && ast.IsExported(last)
			}
		}
	}
	for name, isExported := range names {
		if !isExported {
			delete(names, name)
		}
	}
	return names
}

// declared are the names that a declaration introduces.
func declared(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		of := d.Recv.List[0].Type
		if pointer, ok := of.(*ast.StarExpr); ok {
			of = pointer.X
		}
		return []string{of.(*ast.Ident).Name + "." + d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
