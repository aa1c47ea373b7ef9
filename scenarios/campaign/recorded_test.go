package campaign

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// point is where a value is kept that may not be there.
func point[T any](value T) *T { return &value }

func TestARecordSaysWhatHappened(t *testing.T) {
	c := &Campaign{protocols: protocols, Runs: 10, Seed: 4}
	rep := &report.Report{
		Messages: 12, Colouring: 20, Quiescence: 30, Exit: 40, Hash: 0xab, Ranks: []report.RankResult{{Exit: 25}, {Exit: 40}},
		Failed: make([]report.Failure, 2), Unreached: make([]int, 3), Deadlocks: make([]report.Deadlock, 4),
	}
	verdicts := []guarantee.Verdict{{Name: "kept", Value: guarantee.Held}, {Name: "lost", Value: guarantee.Broken}, {Name: "free", Value: guarantee.NotClaimed}}
	all := Record{
		Job: 37, Point: 3, Run: 7, Seed: c.seedOf(7), Messages: 12, Colouring: point(clock.Time(20)), Quiescence: 30, Exit: 40,
		Failed: 2, Unreached: point(3), Deadlocked: 4, Broken: []string{"lost"}, Unclaimed: []string{"free"}, RootExit: 25, Hash: "00000000000000ab",
	}
	require.Equal(t, all, c.record(37, &scenarios.Outcome{Report: rep, Guarantees: verdicts}))

	held := all
	held.Held, held.Broken, held.Gap, held.Correction, held.Done = true, nil, point(5), point(clock.Time(6)), point(clock.Time(0))
	require.Equal(t, held, c.record(37, &scenarios.Outcome{
		Report: rep, Guarantees: []guarantee.Verdict{verdicts[0], verdicts[2]},
		Correction: &scenarios.Correction{Gap: 5, Took: 6}, Completion: scenarios.Completion{Attempts: 1},
	}))

	rep.Ranks[0].Exit = clock.Never
	computed := all
	computed.Colouring, computed.Unreached, computed.RootExit, computed.Broken, computed.Unjudged = nil, nil, -1, nil, true
	require.Equal(t, computed, c.record(37, &scenarios.Outcome{
		Report: rep, Guarantees: verdicts[2:], Reduction: true, Completion: scenarios.Completion{Attempts: 1, At: clock.Never},
	}), "a computation without a result")
}

// What a record does not have counts for nothing.
func TestASummaryAddsUpRecords(t *testing.T) {
	var s Summary
	s.Judged.Counts = []guarantee.Count{{Name: "a"}, {Name: "b"}}
	s.add(Record{Run: 0, Unjudged: true, Unclaimed: []string{"a", "b"}, RootExit: -1, Gap: point(9)})
	s.add(Record{Run: 1, Held: true, Messages: 10, Quiescence: 30, Exit: 40, RootExit: 0,
		Colouring: point(clock.Time(20)), Unreached: point(0), Gap: point(2), Correction: point(clock.Time(8))})
	require.Zero(t, s.Broken, "there is none")
	s.add(Record{Run: 2, Broken: []string{"b"}, Unclaimed: []string{"a"}, Messages: 20, Quiescence: 50, Exit: 60, RootExit: 50,
		Unreached: point(4), Gap: point(2), Correction: point(clock.Time(8)), Done: point(clock.Time(55))})
	s.add(Record{Run: 3, Broken: []string{"b"}, RootExit: -1})

	values := func(s *stats.Sample) (values []float64) {
		for value, times := range s.All() {
			for range times {
				values = append(values, value)
			}
		}
		return values
	}
	require.Equal(t, 4, s.Runs)
	require.Equal(t, []float64{0, 0, 10, 20}, values(&s.Messages))
	require.Equal(t, []float64{20}, values(&s.Colouring))
	require.Equal(t, []float64{0, 0, 30, 50}, values(&s.Quiescence))
	require.Equal(t, []float64{0, 0, 40, 60}, values(&s.Exit))
	require.Equal(t, []float64{0, 50}, values(&s.RootExit))
	require.Equal(t, []float64{2, 2}, values(&s.Gap))
	require.Equal(t, []float64{8, 8}, values(&s.Correction))
	require.Equal(t, map[GapTime]int{{2, 8}: 2}, s.Corrections)
	require.Equal(t, []float64{55}, values(&s.Done))
	require.Equal(t, []float64{0, 4}, values(&s.Missed))
	require.Equal(t, stats.Proportion{Hits: 1, Runs: 2}, s.Complete)
	require.Equal(t, stats.Proportion{Hits: 1, Runs: 3}, s.Held, "of those that were judged")
	require.Equal(t, 2, s.Broken, "the first one")
	require.Equal(t, guarantee.Tally{Runs: 4, Counts: []guarantee.Count{{Name: "a", Judged: 2}, {Name: "b", Judged: 3, Broken: 2}}}, s.Judged)
	require.Equal(t, guarantee.Tally{Runs: 8, Counts: []guarantee.Count{{Name: "a", Judged: 4}, {Name: "b", Judged: 6, Broken: 4}}}, Table{Points: []Summary{s, s}}.Judged())
}
