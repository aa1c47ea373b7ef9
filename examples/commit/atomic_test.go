package commit

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

const ranks = 4

var machine = clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}

// coordinatorLives is met if no rank of Test.Roots fails.
var coordinatorLives = guarantee.Premise{Says: "the coordinator lives", Unmet: guarantee.RootsLive.Unmet}

// votes are who can commit, as the tests have it.
var votes = []struct {
	name string
	can  []bool
}{
	{"all can", []bool{true, true, true, true}},
	{"rank 0 cannot", []bool{false, true, true, true}},
	{"rank 2 cannot", []bool{true, true, false, true}},
}

// instances makes instances of a protocol, which must be atomic wherever its algorithm stands what happens.
func instances(protocol func(can []bool, decided []Outcome) protocols.Program, can []bool, stands ...guarantee.Premise) func() emutest.Instance {
	return func() emutest.Instance {
		decided := make([]Outcome, len(can))
		return emutest.Instance{
			Program:    protocol(can, decided),
			Prepare:    func() { clear(decided) },
			Guarantees: []guarantee.Guarantee{guarantee.Promise{Guarantee: atomic(can, decided), Stands: stands}, decisive(decided)},
		}
	}
}

// atomic holds if nobody aborts where another commits, nobody commits unless all can, and nobody aborts if all can and nothing is in the way. What a rank has
// decided counts even if it fails later.
func atomic(can []bool, decided []Outcome) guarantee.Guarantee {
	return guarantee.Func("atomicity", false, func(run guarantee.Run) (bool, string) {
		commits, aborts := slices.Contains(decided, Committed), slices.Contains(decided, Aborted)
		allCan := !slices.Contains(can, false)
		held := !(commits && aborts) && (allCan || !commits) && (!allCan || !aborts || !run.Report.Calm())
		return held, fmt.Sprintf("the ranks have %v", decided)
	})
}

// decisive holds if whoever returns has decided.
func decisive(decided []Outcome) guarantee.Guarantee {
	return guarantee.Func("who returns has decided", false, func(run guarantee.Run) (bool, string) {
		for rank := range run.Report.Live() {
			if run.Report.ResultOf(rank).Outcome == report.Finished && decided[rank] == Undecided {
				return false, fmt.Sprintf("rank %d has not", rank)
			}
		}
		return true, "all have"
	})
}
