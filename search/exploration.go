package search

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/guarantee"
)

// Exploration is what an exploration has found. It can be stored as JSON and resumed.
type Exploration struct {
	Covered    int64       `json:"covered"` // schedules that the runs stand for
	Runs       int64       `json:"runs"`
	Distinct   int64       `json:"distinct"` // runs in which something else happened
	Violations []Violation `json:"violations"`
	Done       []bool      `json:"done"`   // which faults of the run without faults are done with
	Hashes     []emu.Hash  `json:"hashes"` // of the runs, sorted

	hashes map[emu.Hash]struct{}
}

// Violation is a class of schedules that break the same guarantees.
type Violation struct {
	Broken   []guarantee.Verdict `json:"broken"`   // by the smallest schedule
	Schedule faults.Schedule     `json:"schedule"` // the smallest
	Count    int64               `json:"count"`    // runs that broke them
}

// Name lists the guarantees that are broken.
func (v *Violation) Name() string {
	var names []string
	for _, b := range v.Broken {
		names = append(names, b.Name)
	}
	return strings.Join(names, "; ")
}

func newExploration(parts int) *Exploration {
	return &Exploration{Done: make([]bool, parts), hashes: make(map[emu.Hash]struct{})}
}

// Complete reports whether nothing is left to do.
func (x *Exploration) Complete() bool { return !slices.Contains(x.Done, false) }

// add notes a run.
func (x *Exploration) add(s faults.Schedule, broken []guarantee.Verdict, points int64, hash emu.Hash) {
	x.Runs++
	x.Covered += points
	x.hashes[hash] = struct{}{}
	if len(broken) > 0 {
		x.violate(Violation{Broken: broken, Schedule: slices.Clone(s), Count: 1})
	}
}

// violate adds a violation to its class.
func (x *Exploration) violate(v Violation) {
	i := slices.IndexFunc(x.Violations, func(old Violation) bool { return old.Name() == v.Name() })
	if i < 0 {
		x.Violations = append(x.Violations, v)
		return
	}
	old := &x.Violations[i]
	v.Count += old.Count
	if compareSize(v.Schedule, old.Schedule) < 0 {
		*old = v
	}
	old.Count = v.Count
}

// compareSize orders schedules by the number of faults, then by how simple these are.
func compareSize(a, b faults.Schedule) int {
	total := func(s faults.Schedule) (sum int) {
		for _, f := range s {
			sum += complexity(f)
		}
		return sum
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(total(a), total(b)), strings.Compare(a.String(), b.String()))
}

// merge adds what a part has found.
func (x *Exploration) merge(part *Exploration) {
	if x.hashes == nil { // it was stored
		x.hashes = make(map[emu.Hash]struct{}, len(x.Hashes))
		for _, h := range x.Hashes {
			x.hashes[h] = struct{}{}
		}
	}
	x.Runs += part.Runs
	x.Covered += part.Covered
	maps.Copy(x.hashes, part.hashes)
	for _, v := range part.Violations {
		x.violate(v)
	}
	x.Distinct = int64(len(x.hashes))
}

// finish puts the exploration into a form that does not depend on who did what when, and
// that can be stored.
func (x *Exploration) finish() {
	x.merge(&Exploration{})
	x.Hashes = slices.Sorted(maps.Keys(x.hashes))
	slices.SortFunc(x.Violations, func(a, b Violation) int {
		return cmp.Or(compareSize(a.Schedule, b.Schedule), strings.Compare(a.Name(), b.Name()))
	})
}

func (x *Exploration) progress(elapsed time.Duration) Progress {
	done := 0
	for _, d := range x.Done {
		if d {
			done++
		}
	}
	p := Progress{Runs: x.Runs, Covered: x.Covered, Violations: len(x.Violations), Done: 1, Elapsed: elapsed}
	if len(x.Done) > 0 {
		p.Done = float64(done) / float64(len(x.Done))
	}
	return p
}
