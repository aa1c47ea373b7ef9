package election

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report"
)

var ends = []guarantee.Guarantee{guarantee.Promise{Guarantee: guarantee.Termination{}, Stands: []guarantee.Premise{guarantee.NobodyFails}}}

// However late messages are, the ring elects the highest number, and everybody hears of it.
func TestTheHighestNumberOfTheRingLeads(t *testing.T) {
	emutest.Run(t, emutest.Test{Machine: machine, New: ring, Guarantees: ends, NoFailures: true, Random: 1000})
}

// ring makes an instance with numbers that do not come in order. It has no leader but the highest, and whoever has returned knows of it.
func ring() emutest.Instance {
	numbers := []int{20, 40, 10, 30}
	leaders := make([]int, len(numbers))
	return emutest.Instance{
		Program: Ring(numbers, leaders),
		Prepare: func() { forget(leaders) },
		Check: func(rep *report.Report) error {
			for rank, leader := range leaders {
				returned := rep.ResultOf(rank).Outcome == report.Finished
				if leader != slices.Max(numbers) && (leader != Nobody || returned) {
					return fmt.Errorf("leaders %v of %v", leaders, numbers)
				}
			}
			return nil
		},
	}
}

// forget has all ranks know of no leader.
func forget(leaders []int) {
	for rank := range leaders {
		leaders[rank] = Nobody
	}
}
