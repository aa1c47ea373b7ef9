package report_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// waitsFor is a rank that waits for another one in particular.
func waitsFor(rank, sender int) report.Wait {
	return report.WaitIn("Recv", rank, mailbox.From(sender), nil, 10)
}

// waitsForAnyone is a rank that would take a message from whomever.
func waitsForAnyone(rank int) report.Wait {
	return report.Wait{Rank: rank, Call: "Recv", Want: "any", From: report.Anyone, Since: 10}
}

// waitsForKind is a rank that would take one kind of message of whomever, up to an epoch.
func waitsForKind(rank int, kind mailbox.Kind, epoch uint32) report.Wait {
	return report.WaitIn("Recv", rank, mailbox.OfKind(kind).UpTo(epoch), nil, 10)
}

// A sender keeps the last few messages that it has lost.
func TestTheLastLossesAreKept(t *testing.T) {
	var all report.Losses
	for at := range clock.Time(20) {
		all.Add(report.Loss{Time: at})
	}
	require.Len(t, all, 8)
	require.EqualValues(t, 12, all[0].Time)
	require.EqualValues(t, 19, all[7].Time)
}

// reportOf is the report of so many ranks of which some wait, some have failed, and all others have returned at
// t=7.
func reportOf(ranks int, waits []report.Wait, failed ...report.Failure) *report.Report {
	rep := &report.Report{Ranks: make([]report.RankResult, ranks), Failed: failed}
	for i := range rep.Ranks {
		rep.Ranks[i].Exit = 7
	}
	for _, w := range waits {
		rep.Ranks[w.Rank] = report.RankResult{Outcome: report.Deadlocked, Exit: clock.Never}
	}
	for _, f := range failed {
		rep.Ranks[f.Rank] = report.RankResult{Outcome: f.Outcome, Exit: f.Time}
	}
	return rep
}

func TestDeadlocksAreExplained(t *testing.T) {
	crashed := func(rank int) report.Failure { return report.Failure{Rank: rank, Outcome: report.Crashed, Time: 3} }
	const (
		circle  = "ranks wait for each other: 2 -> 3 -> 5 -> 2"
		nothing = "no rank has failed and no message is under way"
	)
	tests := []struct {
		name   string
		waits  []report.Wait
		failed []report.Failure
		faults string
		lost   []report.Loss
		causes []string // by wait
	}{
		{name: "nobody waits"},
		{name: "for a rank that crashed", waits: []report.Wait{waitsFor(1, 2)}, failed: []report.Failure{crashed(2)},
			causes: []string{"rank 2 crashed at t=3"}},
		{name: "for a rank that hangs", waits: []report.Wait{waitsFor(1, 2)}, failed: []report.Failure{{Rank: 2, Outcome: report.Hung, Time: 4}},
			causes: []string{"rank 2 hung at t=4"}},
		{name: "for a rank that has returned", waits: []report.Wait{waitsFor(1, 2)},
			causes: []string{"rank 2 finished at t=7"}},
		{name: "for a rank that does not exist", waits: []report.Wait{waitsFor(1, 8), waitsFor(2, 99)},
			causes: []string{"there is no rank 8", "there is no rank 99"}},

		{name: "chain to a rank that crashed", waits: []report.Wait{waitsFor(1, 2), waitsFor(2, 5), waitsFor(5, 4)}, failed: []report.Failure{crashed(4)},
			causes: slices.Repeat([]string{"rank 4 crashed at t=3"}, 3)},
		{name: "chain to one that waits for anyone", waits: []report.Wait{waitsFor(1, 2), waitsForAnyone(2)},
			causes: slices.Repeat([]string{nothing}, 2)},
		{name: "two chains", waits: []report.Wait{waitsFor(0, 1), waitsFor(1, 6), waitsFor(2, 3), waitsFor(3, 7)}, failed: []report.Failure{crashed(6)},
			causes: []string{"rank 6 crashed at t=3", "rank 6 crashed at t=3", "rank 7 finished at t=7", "rank 7 finished at t=7"}},

		{name: "for itself", waits: []report.Wait{waitsFor(6, 6)},
			causes: []string{"ranks wait for each other: 6 -> 6"}},
		{name: "circle", waits: []report.Wait{waitsFor(2, 3), waitsFor(3, 5), waitsFor(5, 2)},
			causes: slices.Repeat([]string{circle}, 3)},
		{name: "circle and chains into it", waits: []report.Wait{waitsFor(0, 5), waitsFor(2, 3), waitsFor(3, 5), waitsFor(5, 2), waitsFor(7, 0)}, failed: []report.Failure{crashed(1)},
			causes: slices.Repeat([]string{circle}, 5)},
		{name: "two circles", waits: []report.Wait{waitsFor(0, 4), waitsFor(1, 5), waitsFor(4, 0), waitsFor(5, 1)},
			causes: []string{"ranks wait for each other: 0 -> 4 -> 0", "ranks wait for each other: 1 -> 5 -> 1",
				"ranks wait for each other: 0 -> 4 -> 0", "ranks wait for each other: 1 -> 5 -> 1"}},

		{name: "for anyone, and nothing has happened", waits: []report.Wait{waitsForAnyone(1)},
			causes: []string{nothing}},
		{name: "for anyone, and links were cut", waits: []report.Wait{waitsForAnyone(1)}, faults: "cut:0|1@t5",
			causes: []string{"links were cut and no message is under way"}},
		{name: "for a message that was lost", waits: []report.Wait{waitsFor(1, 2), waitsFor(2, 1), waitsForAnyone(5)}, lost: []report.Loss{
			{From: 2, To: 1, Time: 12}, {From: 4, To: 1, Time: 13}, {From: 2, To: 1, Time: 9}, {From: 2, To: 5, Time: 8}, {From: 3, To: 5, Time: 8, Cut: true}},
			causes: []string{"the message from 2 was lost at t=12", "the message from 2 was lost at t=12", "the message from 3 was lost at t=8, on a cut link"}},
		{name: "for a message like one that was lost", waits: []report.Wait{waitsForKind(1, 7, 3), waitsForKind(3, 7, 3)}, lost: []report.Loss{
			{From: 2, To: 1, Kind: 6, Epoch: 3}, {From: 2, To: 1, Kind: 7, Epoch: 4}, {From: 2, To: 2, Kind: 7, Epoch: 3}, {From: 0, To: 3, Time: 5, Kind: 7, Epoch: 2}},
			causes: []string{"no message is under way; the message from 2 to 1 was lost at t=0, the message from 2 to 1 was lost at t=0, " +
				"the message from 2 to 2 was lost at t=0, the message from 0 to 3 was lost at t=5", "the message from 0 was lost at t=5"}},
		{name: "for what a message to somebody else would have brought about", waits: []report.Wait{waitsFor(1, 2), waitsForAnyone(2)},
			failed: []report.Failure{crashed(0)}, lost: []report.Loss{{From: 5, To: 6, Time: 7}, {From: 6, To: 5, Time: 4, Cut: true}},
			causes: slices.Repeat([]string{"no message is under way; rank 0 crashed at t=3, the message from 6 to 5 was lost at t=4, on a cut link, the message from 5 to 6 was lost at t=7"}, 2)},
		{name: "for anyone, and faults did not strike", waits: []report.Wait{waitsForAnyone(1)}, faults: "crash:2@send9",
			causes: []string{nothing}},
		{name: "for anyone, and ranks have failed", waits: []report.Wait{waitsForAnyone(1), waitsForAnyone(3)},
			failed: []report.Failure{crashed(0), {Rank: 4, Outcome: report.Hung, Time: 9}}, faults: "cut:0|1@t5",
			causes: slices.Repeat([]string{"no message is under way; rank 0 crashed at t=3, rank 4 hung at t=9"}, 2)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rep := reportOf(8, tt.waits, tt.failed...)
			if tt.faults != "" {
				rep.Faults = faults.MustParse(tt.faults)
			}
			rep.Explain(tt.waits, tt.lost)
			require.Len(t, rep.Deadlocks, len(tt.waits))
			for i, d := range rep.Deadlocks {
				w := tt.waits[i]
				require.Equal(t, report.Deadlock{Rank: w.Rank, Call: w.Call, Want: w.Want, Since: w.Since, Cause: tt.causes[i]}, d)
			}
		})
	}
}

// A diagnosis names a few ranks and says that there are more.
func TestLongExplanationsAreCutShort(t *testing.T) {
	const ranks = 20
	explain := func(waits []report.Wait, failed ...report.Failure) string {
		rep := reportOf(ranks, waits, failed...)
		rep.Explain(waits, nil)
		return rep.Deadlocks[0].Cause
	}
	var failed []report.Failure
	for rank := 1; rank < ranks; rank++ {
		failed = append(failed, report.Failure{Rank: rank, Outcome: report.Crashed, Time: clock.Time(rank)})
	}
	const first = "no message is under way; rank 1 crashed at t=1, rank 2 crashed at t=2, rank 3 crashed at t=3, rank 4 crashed at t=4, " +
		"rank 5 crashed at t=5, rank 6 crashed at t=6, rank 7 crashed at t=7, rank 8 crashed at t=8"
	require.Equal(t, first, explain([]report.Wait{waitsForAnyone(0)}, failed[:8]...))
	require.Equal(t, first+" and 11 more failed", explain([]report.Wait{waitsForAnyone(0)}, failed...))

	var circle []report.Wait
	for rank := range ranks {
		circle = append(circle, waitsFor(rank, (rank+1)%ranks))
	}
	require.Equal(t, "ranks wait for each other: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> ... -> 0", explain(circle))
	circle[7].From = 0
	require.Equal(t, "ranks wait for each other: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0", explain(circle))
}

// Every wait is followed once, however many of them lead to the same end. If each was followed to the
// end, this would take many thousand times as long.
func TestALongChainIsExplainedInOnePass(t *testing.T) {
	const ranks = 100_000
	var waits []report.Wait
	for rank := 1; rank < ranks; rank++ {
		waits = append(waits, waitsFor(rank, rank-1))
	}
	rep := reportOf(ranks, waits, report.Failure{Rank: 0, Outcome: report.Crashed})
	rep.Explain(waits, nil)
	require.Len(t, rep.Deadlocks, ranks-1)
	require.Equal(t, "rank 0 crashed at t=0", rep.Deadlocks[ranks-2].Cause)
}

func TestADeadlockReadsLikeASentence(t *testing.T) {
	d := report.Deadlock{Rank: 3, Call: "Recv", Want: "kind=ack from 7", Since: 10, Cause: "rank 7 crashed at t=12"}
	require.Equal(t, "rank 3 in Recv(kind=ack from 7) since t=10: rank 7 crashed at t=12", d.String())
}
