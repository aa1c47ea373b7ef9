package election

import (
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/guarantee/temporal"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
)

var machine = clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}

// detection takes longer than any message: what a leader has said before it failed is there before others know that it has.
var detection = emu.Detection{Delay: 10, Hangs: true}

// Whoever crashes or hangs, at the end the highest rank that lives leads all who live, if messages are in time.
func TestTheHighestRankThatLivesLeads(t *testing.T) {
	emutest.Run(t, emutest.Test{
		Machine:   machine,
		Detection: detection,
		New:       bully(),
		Faults:    2,
		Random:    1000,
		Exact:     true,
	})
}

// bully makes instances of the algorithm, which must elect wherever it stands what happens.
func bully(stands ...guarantee.Premise) func() emutest.Instance {
	return func() emutest.Instance {
		leaders := make([]int, machine.Ranks)
		return emutest.Instance{
			Program: Bully(leaders),
			Prepare: func() { forget(leaders) },
			Guarantees: []guarantee.Guarantee{
				guarantee.Promise{Guarantee: highestLeads(leaders), Stands: stands},
				oneLeadsInTime,
			},
		}
	}
}

// leads is what a rank is from when it says so until it stands again or follows another one.
var leads = temporal.While("leader", temporal.Step("lead"), temporal.Step("stand").Or(temporal.Step("follow")))

// soon is time for a rank to wait in vain for one that has answered and failed, to stand again, and for messages.
const soon = reign + answer + 10

// oneLeadsInTime holds if soon after the last failure one rank leads, and goes on to do so.
var oneLeadsInTime = guarantee.When(guarantee.InTime, guarantee.When(guarantee.NobodySlow,
	temporal.Settles("one leads soon after the last failure", temporal.AfterLastFailure, soon, leads.Exactly(1))))

// highestLeads holds if all who live take the highest of them for their leader, when all is over.
func highestLeads(leaders []int) guarantee.Guarantee {
	return guarantee.Func("the highest rank that lives leads all", false, func(run guarantee.Run) (bool, string) {
		highest := Nobody
		for rank := range run.Report.Live() {
			highest = max(highest, rank)
		}
		for rank := range run.Report.Live() {
			if leaders[rank] != highest {
				return false, fmt.Sprintf("rank %d lives, but the leaders are %v", highest, leaders)
			}
		}
		return true, fmt.Sprintf("rank %d leads", highest)
	})
}
