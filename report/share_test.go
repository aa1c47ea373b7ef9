package report_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/reporttest"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// numbered is a report of ranks that were coloured at the instants of their numbers.
func numbered(ranks int) *report.Report {
	rep := &report.Report{Ranks: make([]report.RankResult, ranks)}
	for i := range rep.Ranks {
		rep.Ranks[i] = report.RankResult{Coloured: clock.Time(i), Exit: clock.Time(2 * i)}
	}
	return rep
}

// What is asked of all ranks has the same answer in all parts, however many there are.
func TestPartsOfAReportAnswerTogether(t *testing.T) {
	whole := numbered(31)
	odd := func(rep *report.Report) report.Found {
		return rep.Find(func(rank int, r *report.RankResult) bool { return rank > 2 && r.Coloured%2 == 1 })
	}
	want := report.Found{First: []int{3, 5, 7, 9, 11, 13, 15, 17}, Count: 14}
	require.Equal(t, want, odd(whole))
	require.Equal(t, 31, whole.Size())
	require.Equal(t, whole.Ranks[17], whole.ResultOf(17))
	require.Equal(t, []string{"alone"}, report.FromAll(whole, "alone"))
	for _, count := range []int{1, 2, 7, 40} { // some have no ranks
		for _, found := range reporttest.InParts(t.Context(), whole, count, odd) {
			require.Equal(t, want, found, count)
		}
		for _, result := range reporttest.InParts(t.Context(), whole, count, func(rep *report.Report) report.RankResult { return rep.ResultOf(17) }) {
			require.Equal(t, whole.Ranks[17], result, count)
		}
		for _, size := range reporttest.InParts(t.Context(), whole, count, (*report.Report).Size) {
			require.Equal(t, 31, size, count)
		}
		said := reporttest.InParts(t.Context(), whole, count, func(rep *report.Report) []int { return report.FromAll(rep, rep.Share.First) })
		for _, all := range said {
			require.Len(t, all, count)
			for i, first := range all {
				require.Equal(t, parts.BlockOf(i, count, 31).First, first)
			}
		}
	}
}

// Who waits for whom is followed from part to part.
func TestPartsOfAReportExplainTheSame(t *testing.T) {
	whole := numbered(12)
	waits := []report.Wait{waitsFor(1, 11), waitsFor(2, 1), waitsFor(5, 7), waitsFor(7, 5), waitsFor(9, 200), waitsForAnyone(10)}
	for _, w := range waits {
		whole.Ranks[w.Rank].Outcome = report.Deadlocked
	}
	explain := func(rep *report.Report) []report.Deadlock {
		rep.Explain(waits, nil)
		return rep.Deadlocks
	}
	alone := *whole
	want := explain(&alone)
	require.Equal(t, "rank 11 finished at t=22", want[1].Cause)
	for _, count := range []int{2, 3, 7} {
		for _, got := range reporttest.InParts(t.Context(), whole, count, explain) {
			require.Equal(t, want, got, count)
		}
	}
}

// Whoever asks learns that nobody answers, and is not asked for ever.
func TestPartsThatAreGoneAreLost(t *testing.T) {
	ctx, leave := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	leave(gone)
	whole := numbered(4)
	whole.Share = &report.Share{Size: 8, Parts: parts.InProcess(ctx, 2)[0]}
	require.Equal(t, 4, whole.Find(func(int, *report.RankResult) bool { return true }).Count)
	require.ErrorIs(t, whole.Share.Lost, gone)
	require.Equal(t, report.RankResult{}, whole.ResultOf(6))
	whole.Explain([]report.Wait{waitsFor(1, 7)}, nil)
	require.Len(t, whole.Deadlocks, 1)
}

// Lists name so many ranks at most, and count the others.
func TestLongListsAreCut(t *testing.T) {
	var rep report.Report
	missed := report.RankResult{Coloured: clock.Never}
	next := 0
	for range 2 {
		var some report.Tally
		for range report.LongestList + 3 {
			some.Add(next, &missed)
			next++
		}
		rep.Include(&some)
	}
	require.Len(t, rep.Unreached, report.LongestList)
	require.Equal(t, report.LongestList-1, rep.Unreached[report.LongestList-1])
	require.Equal(t, report.Unlisted{Unreached: report.LongestList + 6}, rep.Unlisted)
	require.Equal(t, 2*report.LongestList+6, rep.Missed().Count)

	rep = *numbered(9)
	rep.Ranks[5].Outcome, rep.Ranks[8].Outcome = report.Deadlocked, report.Deadlocked
	rep.Explain([]report.Wait{report.WaitIn("Recv", 5, mailbox.From(8), nil, 10)}, nil) // that of rank 8 is left out
	rep.Unlisted.Deadlocks = 1
	require.Equal(t, "[rank 5 in Recv(any from 8) since t=10: rank 8 waits for ever, too]", fmt.Sprint(rep.Deadlocks))
	require.Equal(t, 2, rep.Waiting())
}
