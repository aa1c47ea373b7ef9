package kv

import (
	"flag"
	"fmt"
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/linearizable"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

const ranks = 6 // three servers and three clients

var (
	schedules = flag.Int("schedules", 1000, "how many random schedules each test has")
	machine   = clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
	disk      = clock.Disk{Write: 1, Sync: 3}
	plan      = Plan{Servers: 3, Until: 800, SnapshotEvery: 8}
	cuts      = []faults.Kind{faults.Cut, faults.Mend}
)

// tally is what was achieved in all runs of a test together.
type tally struct{ runs, busy, returned atomic.Int64 }

// enough is how many operations return in a run that is worth something.
const enough = 10

// instances makes stores with clients.
func instances(plan Plan, sum *tally) func() emutest.Instance {
	return func() emutest.Instance {
		h := NewHistory(ranks)
		return emutest.Instance{
			Program:    Program(plan, h),
			Prepare:    h.Reset,
			Guarantees: []guarantee.Guarantee{linearizable.Check(h, Model), answers(h)},
			Check: func(*report.Report) error {
				n := returned(h)
				sum.runs.Add(1)
				sum.returned.Add(int64(n))
				if n >= enough {
					sum.busy.Add(1)
				}
				return nil
			},
		}
	}
}

// answers holds if, in a run in which nothing happens, each client gets answers to all but the last that it asks for.
func answers(h *History) guarantee.Guarantee {
	return guarantee.When(guarantee.Premise{Says: "nothing happens", Unmet: func(run guarantee.Run) string {
		if run.Report.Calm() {
			return ""
		}
		return "something did"
	}}, guarantee.Func("clients get answers", false, func(guarantee.Run) (bool, string) {
		all, n := len(h.Operations()), returned(h)
		return n >= enough && n >= all-(ranks-plan.Servers), fmt.Sprintf("%d of %d", n, all)
	}))
}

// returned is how many operations have.
func returned(h *History) (n int) {
	for _, o := range h.Operations() {
		if !o.Pending() {
			n++
		}
	}
	return n
}
