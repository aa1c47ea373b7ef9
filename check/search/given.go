package search

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// What is given ([ExploreOptions].Given) happens in every run, as far as it still can: the first of a rank's failures counts, so one
// that is explored may come before a given one and take its place. It comes first in each schedule. Given failures end lives like
// others, and what a rank had come to before is explored, too.

// give works out what is given to runs of this seed.
func (x *explorer) give() (err error) {
	x.given, err = x.options.Given.Expand(x.subject.Machine.Ranks, x.subject.Seed, x.subject.Roots...)
	return err
}

// whole is a schedule of the exploration with what is given.
func (x *explorer) whole(s faults.Schedule) faults.Schedule {
	if len(x.given) == 0 {
		return s
	}
	return slices.Concat(x.given, s)
}

// byClock reports whether anything of what is given happens at an instant that has nothing to do with those of the programs.
func (x *explorer) byClock() bool {
	return slices.ContainsFunc(x.given, func(f faults.Fault) bool {
		return f.At.Anchor == faults.AtTime && (f.At.Time > 0 || !f.Kind.Stops())
	})
}

// lastGiven is the last instant at which something of what is given happens by the clock.
func (x *explorer) lastGiven() (last clock.Time) {
	for i := range x.given {
		f := &x.given[i]
		if last = max(last, f.Until); f.At.Anchor == faults.AtTime {
			last = max(last, f.At.Time)
		}
	}
	return last
}
