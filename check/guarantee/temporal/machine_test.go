package temporal_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/guarantee/temporal"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// succession has each rank lead when all below it are known to have failed.
var succession = protocols.Program{Main: func(p protocols.Proc) {
	for below := range p.Rank() {
		p.Detector().Watch(below)
	}
	for below := range p.Rank() {
		p.Linger(mailbox.From(below))
	}
	p.Step("lead")
}}

func successionWithin(ticks clock.Time) emutest.Test {
	return emutest.Test{
		Machine:   clock.LogP{Ranks: 3, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 10, Hangs: true},
		Program:   succession,
		Guarantees: []guarantee.Guarantee{
			temporal.Always("one at a time", leader.AtMost(1)),
			temporal.Settles("somebody leads", temporal.AfterLastFailure, ticks, leader.AtLeast(1)),
		},
		Faults: 2, Random: 50, Exact: true,
	}
}

// Tests record the events that these promises need, and find the schedule that breaks one.
func TestPromisesOverTimeInTestsOfPrograms(t *testing.T) {
	emutest.Run(t, successionWithin(11)) // a tick more than it takes to know of a failure, as two notices may come at once

	result, err := emutest.Check(t.Context(), successionWithin(9))
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Equal(t, "crash:0@t0", result.Violations[0].Schedule.String())
	require.Equal(t, "broken: somebody leads: not within 9 ticks of t=0 rank 0 crash: at least 1 rank is leader; it came at t=10", result.Violations[0].Broken[0].String())
	require.NotEmpty(t, result.Violations[0].Broken[0].Marks)
}

// Ranks lead one after the other: whoever is known to lead fails, until the last one does.
func Example() {
	machine, err := emu.New(emu.Config{
		LogP:      clock.LogP{Ranks: 3, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 10},
		Trace:     emu.TraceEvents,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := machine.Run(context.Background(), succession, emu.Options{Faults: faults.MustParse("crash:0@t30,crash:1@t70")})
	if err != nil {
		fmt.Println(err)
		return
	}
	leads := temporal.While("leader", temporal.Step("lead"), temporal.Step("resign"))
	for _, verdict := range guarantee.Check(guarantee.Run{Report: report},
		temporal.Always("one leader at a time", leads.AtMost(1)),
		temporal.Settles("a leader in time", temporal.AfterLastFailure, 10, leads.AtLeast(1)),
		temporal.Always("always a leader", leads.AtLeast(1)),
	) {
		fmt.Println(verdict)
	}
	// Output:
	// held: one leader at a time: at most 1 rank is leader, through 5 changes
	// held: a leader in time: at t=80, 10 ticks after t=70 rank 1 crash
	// broken: always a leader: from t=30 to t=40: no rank is leader
}
