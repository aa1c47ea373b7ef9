package temporal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/guarantee/temporal"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// allCrash is the end of all ranks, from rank 0 at this instant on.
func allCrash(at clock.Time) (all []report.Event) {
	for rank := range 4 {
		all = append(all, event(at+clock.Time(rank), rank, report.EventCrash))
	}
	return all
}

// Who was alive when the time was over is not excused by what became of it later.
func TestWhatWasMissedIsBrokenEvenIfAllRanksFailLater(t *testing.T) {
	decides := temporal.Eventually("decides", temporal.Start, 10, temporal.Step("decide"))
	marks := requireVerdict(t, decides, traced(append(allCrash(100), step(50, 1, "decide"))...), "broken: decides: not within 10 ticks of the start: step decide; it came at t=50")
	require.Len(t, marks, 4)
	require.Equal(t, guarantee.Mark{Rank: 0, From: 0, To: 10, Text: "not step decide", Guilty: true}, marks[0])
	marks = requireVerdict(t, decides, traced(allCrash(8)...), "broken: decides: not within 10 ticks of the start: step decide; all was over at t=11")
	require.Equal(t, []guarantee.Mark{{Rank: 3, From: 0, To: 10, Text: "not step decide", Guilty: true}}, marks)
	requireVerdict(t, decides, traced(allCrash(7)...), "not claimed: decides: no rank is left")

	settles := temporal.Settles("settles", temporal.Start, 10, leader.AtMost(0))
	requireVerdict(t, settles, traced(append(allCrash(100), step(5, 3, "lead"))...), "broken: settles: not within 10 ticks of the start: at most 0 ranks are leader; it came at t=103")
	stays := temporal.Settles("stays", temporal.Start, 10, leader.AtLeast(1))
	requireVerdict(t, stays, traced(append(allCrash(100), step(5, 3, "lead"))...), "not claimed: stays: no rank is left")
}

// A message that is late is a disturbance until it is there, and one that comes twice until it is there again.
func TestAMessageDisturbsUntilItArrives(t *testing.T) {
	const latency, overhead = 7, 1
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 2, Latency: latency, Overhead: overhead}, Trace: emu.TraceEvents})
	require.NoError(t, err)
	for schedule, last := range map[string]string{
		"late:0@send1+20":                 "t=1 rank 0 late to 1 by 20",
		"twice:0@send1+30":                "t=1 rank 0 twice to 1 by 30",
		"late:0@send1+20,twice:0@send1+5": "t=1 rank 0 twice to 1 by 5",
	} {
		rep, err := machine.Run(t.Context(), protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(1, mailbox.Message{})
				return
			}
			for {
				p.Linger(mailbox.Any)
				p.Step("got")
			}
		}}, emu.Options{Faults: faults.MustParse(schedule)})
		require.NoError(t, err)
		v := temporal.Eventually("got", temporal.AfterLastDisturbance, overhead, temporal.Step("got")).Check(guarantee.Run{Report: rep})
		require.Equal(t, guarantee.Held, v.Value, "%s: %v", schedule, v)
		require.Contains(t, v.Evidence, ", 1 tick after "+last, schedule)
	}
}

// An event that ends a state and begins it, too, begins it anew.
func TestAnEventMayBeginAStateAnew(t *testing.T) {
	fresh := temporal.While("fresh", temporal.Step("lead"), temporal.Step("lead").Or(temporal.Step("follow")))
	requireVerdict(t, temporal.Settles("fresh", temporal.Start, 5, fresh.On(1)), traced(step(5, 1, "lead"), step(9, 1, "lead")), "held: fresh: at t=5, 5 ticks after the start")
}

// Nothing leads to itself, but to the next of its kind it may.
func TestNothingLeadsToItself(t *testing.T) {
	again := temporal.LeadsTo("again", temporal.Step("ask"), 5, temporal.Step("ask"))
	requireVerdict(t, again, traced(step(5, 1, "ask")), "broken: again: not within 5 ticks of t=5 rank 1 step ask: step ask; all was over at t=5")
}

// Of several disturbances at one instant the last one counts.
func TestTheLastDisturbanceOfAnInstant(t *testing.T) {
	leads := temporal.Eventually("leads", temporal.AfterLastDisturbance, 9, temporal.Step("lead"))
	requireVerdict(t, leads, traced(event(4, 1, report.EventCrash), event(4, 2, report.EventCrash), step(6, 0, "lead")), "held: leads: at t=6, 2 ticks after t=4 rank 2 crash")
}
