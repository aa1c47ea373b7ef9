package scenarios

import (
	"strconv"

	"github.com/mangrove-emu/mangrove/check/search"
)

// Subject returns what the line asks to be run as something to search for failures in. The
// line's own faults have no part in it, but can be given to an exploration ([search.ExploreOptions].Given). A search checks what [Run.Execute] checks: guarantees
// that need events are left out unless these are recorded ([Run.RecordsEvents]), here also by setting Events.
func (r *Run) Subject() *search.Subject {
	return &search.Subject{
		Machine:  r.config,
		Seed:     r.Settings().Seed(),
		Roots:    r.experiment.Roots,
		Events:   r.RecordsEvents(),
		NewTrial: r.trial,
		WithSeed: r.otherSeed(),
	}
}

// withSeed is the same line with that seed.
func (r *Run) withSeed(seed uint64) *Run {
	if seed == r.Settings().Seed() {
		return r
	}
	return r.WithSetting("seed", strconv.FormatUint(seed, 10))
}

// otherSeed is how a subject gets another seed, if it takes more than that of the machine; nil if it does not.
func (r *Run) otherSeed() func(uint64) (*search.Subject, error) {
	if !r.experiment.Seeded {
		return nil
	}
	return func(seed uint64) (*search.Subject, error) { return r.withSeed(seed).Subject(), nil }
}

// trial makes the experiment anew: trials run at the same time, and keep their results apart.
func (r *Run) trial() (search.Trial, error) {
	e, err := r.protocol.Build(r.Settings())
	if err != nil {
		return search.Trial{}, err
	}
	return search.Trial{Program: e.Program, Prepare: e.reset, Judge: r.protocol.judging(&e).check}, nil
}
