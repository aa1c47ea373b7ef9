package search

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// cuts lists the cuts of an exploration, which are the same in every run. Nobody notices one
// before its instant is over, for messages take time.
func (x *explorer) cuts() []candidate {
	var all []candidate
	for _, set := range x.options.CutSets {
		for _, t := range x.options.Cuts {
			all = append(all, candidate{faults.CutBetween(set, faults.Others, t), t, 1})
		}
	}
	return all
}

// orderCuts fills in who is cut off if nothing is said about it: every rank that is not
// spared, alone. It makes each cut count once, and refuses those that make no sense.
func (x *explorer) orderCuts() error {
	o, ranks := &x.options, x.subject.Machine.Ranks
	if len(o.Cuts) == 0 {
		if len(o.CutSets) > 0 {
			return fmt.Errorf("search: %s to be cut off, but never, want Cuts", o.CutSets[0])
		}
		return nil
	}
	if len(o.CutSets) == 0 {
		o.CutSets = x.eachAlone()
	}
	o.Cuts = slices.Compact(slices.Sorted(slices.Values(o.Cuts)))
	o.CutSets = slices.Compact(slices.Sorted(slices.Values(o.CutSets)))
	for _, c := range x.cuts() {
		if err := (faults.Schedule{c.fault}).Validate(ranks); err != nil {
			return fmt.Errorf("search: cannot explore a cut: %s", problems.Of(err))
		}
	}
	return nil
}

// eachAlone are the ranks that may fail, one by one.
func (x *explorer) eachAlone() []faults.Group {
	var all []faults.Group
	for rank := range x.subject.Machine.Ranks {
		if !x.spared[rank] {
			all = append(all, faults.GroupOf(rank))
		}
	}
	return all
}
