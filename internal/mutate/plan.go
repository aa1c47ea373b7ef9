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
		stale = append(stale, gone(all, list, u.files)...)
		wanted := func(m mutant) bool {
			return strings.Contains(m.file, o.within) && !slices.ContainsFunc(list, func(k known) bool { return k.is(m) })
		}
		if possible := count(all, wanted); possible > 0 {
			plans = append(plans, planned{u, possible, u.sample(all, wanted, o.perPackage, o.seed), append([]string{u.dir}, dependents.on(u)...)})
		}
	}
	if len(stale) > 0 {
		return nil, fmt.Errorf("%s lists mistakes that are no longer there: %+v", o.knownFile, stale)
	}
	return plans, nil
}

// count is how many mistakes are wanted.
func count(all []mutant, wanted func(mutant) bool) (n int) {
	for _, m := range all {
		if wanted(m) {
			n++
		}
	}
	return n
}
