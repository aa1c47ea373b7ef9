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
}

// What has to stay has to do so for as long as a rank lives; that all failed in the end excuses nobody who lived on without it.
func TestWhatSettlesHasToStayForAsLongAsARankLives(t *testing.T) {
	stays := temporal.Settles("stays", temporal.Start, 10, leader.AtLeast(1))
	missed := "broken: stays: not within 10 ticks of the start: at least 1 rank is leader; all was over at t=103"
	marks := requireVerdict(t, stays, traced(allCrash(100)...), missed)
	require.Len(t, marks, 4)
	requireVerdict(t, stays, traced(append(allCrash(100), step(11, 3, "lead"))...), missed)
	requireVerdict(t, stays, traced(append(allCrash(100), step(5, 3, "lead"), step(90, 3, "follow"))...), missed)
	requireVerdict(t, stays, traced(append(allCrash(100), step(5, 0, "lead"))...), missed) // rank 0 is the first to fail
	requireVerdict(t, stays, traced(append(allCrash(100), step(10, 3, "lead"))...), "not claimed: stays: no rank is left")
	requireVerdict(t, stays, traced(append(allCrash(100), step(5, 0, "lead"), step(100, 3, "lead"))...), "not claimed: stays: no rank is left")

	marks = requireVerdict(t, stays, traced(allCrash(8)...), "broken: stays: not within 10 ticks of the start: at least 1 rank is leader; all was over at t=11")
	require.Equal(t, []guarantee.Mark{{Rank: 3, From: 0, To: 10, Text: "not at least 1 rank is leader", Guilty: true}}, marks)
	requireVerdict(t, stays, traced(allCrash(7)...), "not claimed: stays: no rank is left")

	// What comes when nobody lives any more is no fault of those who failed in time.
	received := report.Event{Time: 30, Rank: 3, Kind: report.EventReceive, Msg: 1}
	dead := traced(append(allCrash(3), received)...)
	requireVerdict(t, temporal.Eventually("received", temporal.Start, 10, temporal.Received(1)), dead, "not claimed: received: no rank is left")
}

// The mailbox of a rank that hangs goes on receiving. That begins nothing, as nobody reads it.
func TestWhoHasFailedOwesNothingAndEntersNoState(t *testing.T) {
	message := func(at clock.Time) report.Event {
		return report.Event{Time: at, Rank: 1, Kind: report.EventReceive, Msg: 1}
	}
	informed := temporal.While("informed", temporal.Received(1), temporal.Step("done"))
	nobody, some := temporal.Always("nobody", informed.AtMost(0)), temporal.Eventually("some", temporal.Start, 9, informed.On(1))
	acts := temporal.LeadsTo("acts", temporal.Received(1), 5, temporal.Step("done"))

	dead := traced(event(1, 1, report.EventHang), message(4))
	requireVerdict(t, nobody, dead, "not claimed: nobody: nothing has happened on which it depends that at most 0 ranks are informed")
	requireVerdict(t, some, dead, "broken: some: not within 9 ticks of the start: rank 1 is informed; all was over at t=4")
	requireVerdict(t, acts, dead, "not claimed: acts: no rank lived to see step done")
	requireVerdict(t, acts, traced(event(1, 1, report.EventHang), message(4), event(50, 1, report.EventRejoin)), "not claimed: acts: no rank lived to see step done")

	back := traced(event(1, 1, report.EventHang), event(3, 1, report.EventRejoin), message(4))
	requireVerdict(t, nobody, back, "broken: nobody: from t=4 on: rank 1 is informed")
	requireVerdict(t, some, back, "held: some: at t=4, 4 ticks after the start")
	requireVerdict(t, acts, back, "broken: acts: not within 5 ticks of t=4 rank 1 receive from 0 kind=1 epoch=0 a=0: step done; all was over at t=4")

	// Nor is what reaches such a mailbox an effect.
	answered := temporal.LeadsTo("answered", temporal.Step("ask"), 20, temporal.Received(1))
	requireVerdict(t, answered, traced(step(1, 1, "ask"), event(2, 1, report.EventHang), message(4)), "not claimed: answered: no rank lived to see kind 1 received")
}

// A failure may begin a state itself, and lead to something, such as that the rank comes back.
func TestAFailureMayBeginSomething(t *testing.T) {
	down := temporal.While("down", temporal.Failure, temporal.Rejoin)
	run := traced(event(1, 1, report.EventHang), event(9, 1, report.EventRejoin), event(20, 2, report.EventCrash))
	requireVerdict(t, temporal.Always("up", down.AtMost(0)), run, "broken: up: from t=1 to t=9: rank 1 is down")
	requireVerdict(t, temporal.LeadsTo("back", temporal.Failure, 8, temporal.Rejoin), run, "broken: back: not within 8 ticks of t=20 rank 2 crash: a rank comes back; all was over at t=20")
	requireVerdict(t, temporal.LeadsTo("back", temporal.Hang, 8, temporal.Rejoin), run, "held: back: at t=9, 8 ticks after t=1 rank 1 hang")
}

// A promise of all ranks together does not end with the one whose event it is counted from.
func TestMomentsAreThoseOfRanksThatHaveFailedToo(t *testing.T) {
	run := traced(event(1, 1, report.EventHang), report.Event{Time: 4, Rank: 1, Kind: report.EventReceive, Msg: 1}, step(8, 2, "taken over"))
	cared := temporal.Eventually("cared for", temporal.AfterEach(temporal.Received(1)), 5, temporal.Step("taken over"))
	requireVerdict(t, cared, run, "held: cared for: at t=8, 4 ticks after t=4 rank 1 receive from 0 kind=1 epoch=0 a=0")
	requireVerdict(t, temporal.Eventually("received", temporal.Start, 5, temporal.Happened(temporal.Received(1))), run, "held: received: at t=4, 4 ticks after the start")
}

func TestLessThanNoTimeIsRefused(t *testing.T) {
	const words = "temporal: a leader within -5 ticks, want 0 or more, clock.Forever for at whatever time"
	require.PanicsWithValue(t, words, func() { temporal.Eventually("a leader", temporal.Start, -5, leader.AtLeast(1)) })
	require.PanicsWithValue(t, words, func() { temporal.Settles("a leader", temporal.Start, -5, leader.AtLeast(1)) })
	require.PanicsWithValue(t, words, func() { temporal.LeadsTo("a leader", temporal.Step("ask"), -5, temporal.Step("lead")) })
}

// A message that is late is a disturbance until it is there, and one that comes twice until it is there again.
func TestAMessageDisturbsUntilItArrives(t *testing.T) {
	const latency, overhead = 7, 1
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 2, Latency: latency, Overhead: overhead}, Trace: emu.TraceEvents})
	require.NoError(t, err)
	for schedule, last := range map[string]string{
		"late:0@send1+20":                 "t=28 (the end of t=1 rank 0 late to 1 by 20)",
		"twice:0@send1+30":                "t=38 (the end of t=1 rank 0 twice to 1 by 30)",
		"late:0@send1+20,twice:0@send1+5": "t=33 (the end of t=1 rank 0 twice to 1 by 5)",
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
