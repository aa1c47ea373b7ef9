//go:build !bug

package raft

import (
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/guarantee/temporal"
	"github.com/mangrove-emu/mangrove/clock"
)

var leads = temporal.While("leader", temporal.Step("lead"), temporal.Step("follow").Or(temporal.Step("stand")))

// Elections are tied sometimes, and then there is another one, after twice electionTick at most: so much time is enough for four.
const soon = 4 * 2 * electionTick * Tick

// early is met if nobody fails when there is not as much time left.
func early(until clock.Time) guarantee.Premise {
	return guarantee.Premise{Says: fmt.Sprintf("nobody fails after t=%d", until-soon), Unmet: func(run guarantee.Run) string {
		for _, f := range run.Report.Failed {
			if f.Time > until-soon {
				return f.String()
			}
		}
		return ""
	}}
}

// Whoever crashes or hangs and stays away, soon somebody leads.
func TestThereIsALeaderSoon(t *testing.T) {
	plan := plan(3)
	plan.Until = 1100
	emutest.Run(t, emutest.Test{
		Machine: machine(3),
		Disk:    disk,
		New:     instances(3, plan),
		Guarantees: []guarantee.Guarantee{
			guarantee.When(early(plan.Until), temporal.Eventually("a leader soon after the last failure", temporal.AfterLastFailure, soon, leads.AtLeast(1))),
		},
		Faults:      1,
		OnePerClass: true,
		Exact:       true,
	})
}
