package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// dependents are packages, by their folders, with all packages that their tests depend on.
type dependents []dependent

type dependent struct {
	dir, path string
	on        []string
}

// dependentsOf lists the packages of some patterns.
func dependentsOf(root string, patterns []string) (dependents, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	packages, err := goList(root, append([]string{"-test", "-json=ImportPath,Dir,Deps"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var all dependents
	for _, p := range packages {
		path, isTest := strings.CutSuffix(p.ImportPath, ".test")
		if !isTest {
			continue
		}
		dir, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		all = append(all, dependent{filepath.ToSlash(dir), path, p.Deps})
	}
	return all, nil
}

// on are the folders of those that depend on a package, but for itself.
func (d dependents) on(u *unit) []string {
	var dirs []string
	for _, one := range d {
		depends := slices.ContainsFunc(one.on, func(path string) bool {
			path, _, _ = strings.Cut(path, " ") // packages are compiled anew for a test that changes what they import
			return path == u.path
		})
		if depends && one.path != u.path {
			dirs = append(dirs, one.dir)
		}
	}
	return dirs
}
