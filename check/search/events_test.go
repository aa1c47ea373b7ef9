package search

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// noCrash needs events, and every crash breaks it.
var noCrash = guarantee.Func("no crash", true, func(run guarantee.Run) (bool, string) {
	for _, e := range run.Report.Events {
		if e.Kind == report.EventCrash {
			return false, e.String()
		}
	}
	return true, "none"
})

// watched is a subject that promises noCrash.
func watched(events bool) *Subject {
	s := question()
	s.Events = events
	s.NewTrial = withJudge(s, func(rep *report.Report) []guarantee.Verdict {
		return guarantee.Check(guarantee.Run{Report: rep}, noCrash)
	})
	return s
}

// Guarantees about events are checked in all runs, if that is asked for, or else in none:
// whether more faults may follow makes no difference.
func TestEventsAreSeenInAllRunsOrInNone(t *testing.T) {
	for upTo := 1; upTo <= 2; upTo++ {
		require.Empty(t, explore(t, watched(false), ExploreOptions{Faults: upTo}).Violations, "up to %d", upTo)
		seen := explore(t, watched(true), ExploreOptions{Faults: upTo})
		require.Len(t, seen.Violations, 1)
		require.Equal(t, seen.Runs-1, seen.Violations[0].Count, "all runs but the one without faults")
	}
	for _, events := range []bool{false, true} {
		found, err := Fuzz(t.Context(), watched(events), FuzzOptions{Faults: 1, Runs: 20, Kinds: []faults.Kind{faults.Crash}})
		require.NoError(t, err)
		require.Equal(t, events, len(found.Violations) > 0)
		_, err = Shrink(t.Context(), watched(events), faults.MustParse("crash:0"), Breaks("no crash"), 50)
		require.Equal(t, events, err == nil)
	}
}

// What ranks store is in the events of all searches, also of those that record what programs decide by time.
func TestEventsOfStorageAreSeenWhereMessagesAreLate(t *testing.T) {
	s := forgetfulSubject(2, clock.Disk{Write: 1})
	s.Events = true
	s.NewTrial = withJudge(s, func(rep *report.Report) []guarantee.Verdict {
		stored := slices.ContainsFunc(rep.Events, func(e report.Event) bool { return e.Kind == report.EventWrite })
		decided := slices.ContainsFunc(rep.Events, func(e report.Event) bool { return e.Kind.OfDecisions() })
		return []guarantee.Verdict{{Name: "something is stored", Value: guarantee.ValueOf(stored && !decided)}}
	})
	found := explore(t, s, ExploreOptions{Delays: 1})
	require.Greater(t, found.Runs, int64(1))
	require.Empty(t, found.Violations)
}
