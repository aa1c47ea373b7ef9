//go:build !bug

package raft

import (
	"flag"
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// Every single crash or hang of one of three, at every point of the run, with everything that its storage may have kept. Who has failed is back soon.
func TestEverySingleFailureWithRejoin(t *testing.T) {
	emutest.Run(t, emutest.Test{
		Machine: machine(3),
		Disk:    disk,
		New:     instances(3, plan(3)),
		Given:   everybodyComesBack(3, 60, 500),
		Faults:  1,
		Exact:   true,
	})
}

// everybodyComesBack has each rank that has failed begin again at the next of these instants.
func everybodyComesBack(ranks int, every, until clock.Time) (all faults.Schedule) {
	for t := every; t < until; t += every {
		for rank := range ranks {
			all = append(all, faults.MustParse(fmt.Sprintf("rejoin:%d@t%d", rank, t))...)
		}
	}
	return all
}

func TestRandomSchedulesAtThree(t *testing.T) { emutest.Run(t, usual(plan(3))) }

var schedules = flag.Int("schedules", 500, "how many random schedules are run at five ranks")

// everything is all that can happen to a rank, its messages and its links.
var everything = []faults.Kind{faults.Crash, faults.Hang, faults.Slow, faults.Rejoin, faults.Late, faults.Lose, faults.Twice, faults.Cut, faults.Mend}

func TestRandomSchedulesAtFive(t *testing.T) {
	emutest.Run(t, emutest.Test{
		Machine:      machine(5),
		Disk:         disk,
		New:          instances(5, plan(5)),
		Random:       *schedules,
		RandomFaults: 6,
		Rejoins:      []clock.Time{20, 200},
		Kinds:        everything,
	})
}

// Rank 3 joins the group, and rank 0 leaves it, which may be its leader.
func TestMembersComeAndGo(t *testing.T) {
	for _, prudent := range []bool{false, true} {
		t.Run(map[bool]string{false: "as in the paper", true: "with PreVote and CheckQuorum"}[prudent], func(t *testing.T) {
			plan := plan(3)
			plan.PreVote, plan.CheckQuorum = prudent, prudent
			plan.Groups = []Group{{From: 200, Ranks: []int{0, 1, 2, 3}}, {From: 300, Ranks: []int{1, 2, 3}}}
			plan.Until = 900
			emutest.Run(t, emutest.Test{
				Machine:      machine(4),
				Disk:         disk,
				New:          instances(4, plan),
				Random:       200,
				RandomFaults: 4,
				Rejoins:      []clock.Time{20, 200},
				Kinds:        everything,
			})
		})
	}
}
