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
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// unit is a package in which mistakes are planted.
type unit struct {
	path  string   // of its import
	dir   string   // from the root of the module
	files []string // that are compiled here, without tests, from the root of the module

	fset     *token.FileSet
	parsed   []*ast.File
	importer types.Importer
}

// summary is what go list says of a package.
type summary struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly, Standard       bool
	Deps                    []string
}

// goList runs go list, from the root of the module, and returns what it says of each package.
func goList(root string, args ...string) ([]summary, error) {
	command := exec.Command("go", append([]string{"list"}, args...)...)
	command.Dir = root
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []summary
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var one summary
		switch err := decoder.Decode(&one); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, one)
	}
}

// load reads the packages of some patterns.
func load(root string, patterns []string) ([]*unit, error) {
	args := append([]string{"-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,DepOnly"}, patterns...)
	packages, err := goList(root, args...)
	if err != nil {
		return nil, err
	}
	compiled := make(map[string]string)
	for _, p := range packages {
		compiled[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(compiled[path]) })
	var units []*unit
	for _, p := range packages {
		if p.DepOnly {
			continue
		}
		u := &unit{path: p.ImportPath, fset: fset, importer: imports}
		if err := u.read(root, p); err != nil {
			return nil, err
		}
		units = append(units, u)
	}
	slices.SortFunc(units, func(a, b *unit) int { return strings.Compare(a.dir, b.dir) })
	return units, nil
}

// read parses the files of a package.
func (u *unit) read(root string, p summary) error {
	dir, err := filepath.Rel(root, p.Dir)
	if err != nil {
		return err
	}
	u.dir = filepath.ToSlash(dir)
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(u.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		u.files = append(u.files, u.dir+"/"+name)
		u.parsed = append(u.parsed, file)
	}
	return nil
}

// mutants are all mistakes that can be planted in the package, file by file.
func (u *unit) mutants(root string) ([]mutant, error) {
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object)}
	if err := u.check(u.parsed, info); err != nil {
		return nil, err
	}
	var all []mutant
	for i, name := range u.files {
		source, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		f := finder{fset: u.fset, info: info, name: name, source: source}
		all = append(all, f.find(u.parsed[i])...)
	}
	return all, nil
}

// compiles says whether the compiler takes a mistake.
func (u *unit) compiles(m mutant) bool {
	file, err := parser.ParseFile(u.fset, m.file, m.mutated(), parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	parsed := slices.Clone(u.parsed)
	parsed[slices.Index(u.files, m.file)] = file
	return u.check(parsed, nil) == nil
}

func (u *unit) check(files []*ast.File, info *types.Info) error {
	config := types.Config{Importer: u.importer}
	_, err := config.Check(u.path, u.fset, files, info)
	return err
}
