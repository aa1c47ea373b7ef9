package search

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// Exploration is what an exploration has found. It can be stored as JSON and resumed.
type Exploration struct {
	// Covered is how many schedules the runs stand for: sets of up to so many faults, each at a
	// point that is reached. It ends at math.MaxInt64.
	Covered    int64           `json:"covered"`
	Runs       int64           `json:"runs"`
	Distinct   int64           `json:"distinct"`        // runs that ended and in which something else happened
	Tally      guarantee.Tally `json:"judged,omitzero"` // states of earlier versions have none
	Violations []Violation     `json:"violations"`
	Hashes     []report.Hash   `json:"hashes"` // of the runs, sorted
	// Cases are those of runs in which something may happen to messages: what each rank takes, and which of its deadlines pass, in
	// which order. Numbers for them, sorted.
	Cases []report.Hash `json:"cases,omitempty"`
	// Pending are the runs that are left to make, of an exploration of orders.
	Pending []faults.Schedule `json:"pending,omitempty"`
	// Limit is up to how many ticks messages were delayed at most, where no delay is too long to make a difference; 0 if there is no such place.
	Limit clock.Time `json:"limit,omitempty"`

	// Seeds is how many seeds there are, and Seed how many of them are done with; states of earlier versions have one.
	Seeds int `json:"seeds,omitempty"`
	Seed  int `json:"seed,omitempty"`

	// Done says which faults of the run without faults are done with, together with all that
	// can follow them, and Open how many followers are done of those that are not.
	Done []bool      `json:"done"`
	Open map[int]int `json:"open,omitempty"`

	longest clock.Time // delay that was tried
	hashes  map[report.Hash]struct{}
	cases   map[report.Hash]struct{}
	lost    []Violation // of runs that were interrupted and will be made again
}

// Violation is a class of schedules that break the same guarantees.
type Violation struct {
	Broken   []guarantee.Verdict `json:"broken"`   // by the smallest schedule
	Schedule faults.Schedule     `json:"schedule"` // the smallest
	Seed     uint64              `json:"seed"`     // of its run
	Count    int64               `json:"count"`    // runs that broke them
	// Others are more schedules that a random search has found to break the same, a few of the smallest: one of them may become smaller than this one.
	Others []Found `json:"others,omitempty"`
}

// Found is a schedule, and the seed of the run in which it broke something.
type Found struct {
	Schedule faults.Schedule `json:"schedule"`
	Seed     uint64          `json:"seed"`

	Run int64 `json:"run"` // the number of that run
}

// mostOthers is how many of these are kept.
const mostOthers = 3

// name lists the guarantees that are broken.
func (v *Violation) name() string {
	var names []string
	for _, b := range v.Broken {
		names = append(names, Class(b))
	}
	return strings.Join(names, "; ")
}

// Class is the name of a broken guarantee. One that is broken beyond what an algorithm claims to stand is another one:
// the small schedules that do so must not hide those that break a promise.
func Class(v guarantee.Verdict) string {
	if v.Beyond != "" {
		return v.Name + ", beyond what is claimed"
	}
	return v.Name
}

func newExploration(seeds int) *Exploration {
	return &Exploration{Seeds: seeds, Open: make(map[int]int), hashes: make(map[report.Hash]struct{}), cases: make(map[report.Hash]struct{})}
}

// Complete reports whether nothing is left to do.
func (x *Exploration) Complete() bool {
	return x.Seed+1 >= x.seeds() && x.Done != nil && !slices.Contains(x.Done, false)
}

func (x *Exploration) seeds() int { return max(1, x.Seeds) }

// nextSeed begins with the next seed.
func (x *Exploration) nextSeed() {
	x.Seed++
	x.Done = nil
	clear(x.Open)
}

// Seen returns the violations together with those of runs that do not count, because they
// were interrupted and will be made again.
func (x *Exploration) Seen() []Violation {
	all := &Exploration{Violations: slices.Clone(x.Violations)}
	for _, v := range x.lost {
		all.violate(v)
	}
	return all.Violations
}

// add notes a run, which stands for so many schedules.
func (x *Exploration) add(s faults.Schedule, seed uint64, broken []guarantee.Verdict, schedules int64) {
	x.Runs++
	x.Covered = plus(x.Covered, schedules)
	if len(broken) > 0 {
		x.violate(Violation{Broken: broken, Schedule: slices.Clone(s), Seed: seed, Count: 1})
	}
}

// saw notes what happened in a run that ended.
func (x *Exploration) saw(hash report.Hash) { x.hashes[hash] = struct{}{} }

// violate adds a violation to its class.
func (x *Exploration) violate(v Violation) {
	i := slices.IndexFunc(x.Violations, func(old Violation) bool { return old.name() == v.name() })
	if i < 0 {
		x.Violations = append(x.Violations, v)
		return
	}
	old := &x.Violations[i]
	v.Count += old.Count
	if cmp.Or(compareSize(v.Schedule, old.Schedule), cmp.Compare(v.Seed, old.Seed)) < 0 {
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
	x.Runs += part.Runs
	x.Covered = plus(x.Covered, part.Covered)
	x.Tally.Merge(part.Tally)
	maps.Copy(x.hashes, part.hashes)
	maps.Copy(x.cases, part.cases)
	x.Limit = max(x.Limit, part.Limit)
	x.longest = max(x.longest, part.longest)
	for _, v := range part.Violations {
		x.violate(v)
	}
}

// restore makes an exploration that was stored one that can go on.
func (x *Exploration) restore() {
	x.lost = nil
	if x.Open == nil {
		x.Open = make(map[int]int)
	}
	if x.hashes != nil {
		return
	}
	x.hashes = setOf(x.Hashes)
	x.cases = setOf(x.Cases)
}

// setOf is a list as a set.
func setOf(list []report.Hash) map[report.Hash]struct{} {
	set := make(map[report.Hash]struct{}, len(list))
	for _, h := range list {
		set[h] = struct{}{}
	}
	return set
}

// finish puts the exploration into a form that does not depend on who did what when, and
// that can be stored.
func (x *Exploration) finish() {
	x.Distinct = int64(len(x.hashes))
	x.Hashes = slices.Sorted(maps.Keys(x.hashes))
	x.Cases = slices.Sorted(maps.Keys(x.cases))
	sortViolations(x.Violations)
}

// sortViolations puts the smallest schedules first.
func sortViolations(all []Violation) {
	slices.SortFunc(all, func(a, b Violation) int {
		return cmp.Or(compareSize(a.Schedule, b.Schedule), strings.Compare(a.name(), b.name()))
	})
}
