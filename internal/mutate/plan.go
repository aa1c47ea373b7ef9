package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// planned are the mistakes of a package.
type planned struct {
	unit     *unit
	possible int
	chosen   []mutant
	dirs     []string // folders of packages whose tests look at them: its own, then the others
}

// plan draws the mistakes of each package.
func plan(o options) ([]planned, error) {
	list, err := readKnown(filepath.Join(o.root, o.knownFile))
	if err != nil {
		return nil, err
	}
	units, err := load(o.root, o.packages)
	if err != nil {
		return nil, err
	}
	dependents, err := dependentsOf(o.root, o.also)
	if err != nil {
		return nil, err
	}
	var plans []planned
	var stale []known
	for _, u := range units {
		if slices.Contains(o.except, u.dir) {
			continue
		}
		all, err := u.mutants(o.root)
		if err != nil {
			return nil, err
		}
		rest, gone := without(all, list, u.files)
		stale = append(stale, gone...)
		rest = slices.DeleteFunc(rest, func(m mutant) bool { return !strings.Contains(m.file, o.within) })
		if len(rest) > 0 {
			plans = append(plans, planned{u, len(rest), u.sample(rest, o.perPackage, o.seed), append([]string{u.dir}, dependents.on(u)...)})
		}
	}
	if len(stale) > 0 {
		return nil, fmt.Errorf("%s lists mistakes that are no longer there: %+v", o.knownFile, stale)
	}
	return plans, nil
}
