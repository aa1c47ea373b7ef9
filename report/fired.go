package report

import (
	"iter"

	"github.com/mangrove-emu/mangrove/faults"
)

// Fired goes through the faults that took effect, in the order of the schedule.
func (rep *Report) Fired() iter.Seq[*faults.Fault] {
	return func(yield func(*faults.Fault) bool) {
		unfired := rep.Unfired // in the same order
		for i := range rep.Faults {
			f := &rep.Faults[i]
			if len(unfired) > 0 && unfired[0] == *f {
				unfired = unfired[1:]
			} else if !yield(f) {
				return
			}
		}
	}
}
