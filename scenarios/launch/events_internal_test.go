package launch

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// asIfMeasured is a run of the emulator as processes would have told of it.
func asIfMeasured(t *testing.T, line string) (*scenarios.Run, *tcp.Result) {
	t.Helper()
	run, err := catalog.ParseLine(line)
	require.NoError(t, err)
	outcome, err := run.Execute(t.Context(), scenarios.Options{Trace: emu.TraceEvents})
	require.NoError(t, err)
	outcome.Report.Processes = true
	res := &tcp.Result{Report: outcome.Report}
	for rank := range outcome.Report.Ranks {
		state, err := run.Save(rank)
		require.NoError(t, err)
		res.States = append(res.States, state)
	}
	return run, res
}

// verdictOf is what became of one promise; ok is false if it was not judged at all.
func verdictOf(outcome *scenarios.Outcome, name string) (v guarantee.Value, ok bool) {
	for _, g := range outcome.Guarantees {
		if g.Name == name {
			return g.Value, true
		}
	}
	return v, false
}

// What processes record decides about promises: events that are not as they should be break them.
func TestRecordedEventsAreJudged(t *testing.T) {
	const integrity, duplicates, coloured = "integrity", "no duplicates", "only coloured ranks send"
	first := func(events []report.Event, kind report.EventKind) int {
		return slices.IndexFunc(events, func(e report.Event) bool { return e.Kind == kind && e.Rank != 0 })
	}
	for name, c := range map[string]struct {
		forge  func(events []report.Event) []report.Event
		broken string
	}{
		"as they were": {func(events []report.Event) []report.Event { return events }, ""},
		"a message out of nothing": {func(events []report.Event) []report.Event {
			i := first(events, report.EventReceive)
			events[i].A = 99
			return events
		}, integrity},
		"received before it was sent": {func(events []report.Event) []report.Event {
			i := first(events, report.EventReceive)
			return slices.Concat(events[i:i+1], events[:i], events[i+1:])
		}, integrity},
		"received twice": {func(events []report.Event) []report.Event {
			i := first(events, report.EventReceive)
			return slices.Insert(events, i, events[i])
		}, integrity},
		"delivered twice": {func(events []report.Event) []report.Event {
			i := first(events, report.EventStep)
			return slices.Insert(events, i, events[i])
		}, duplicates},
		"sent before it was taken": {func(events []report.Event) []report.Event {
			i := first(events, report.EventTake)
			return slices.Delete(events, i, i+1)
		}, coloured},
	} {
		run, res := asIfMeasured(t, "broadcast P=8 correction=none tick=5ms")
		res.Events = c.forge(slices.Clone(res.Events))
		outcome, err := judge(run, 8, res)
		require.NoError(t, err)
		for _, promise := range []string{integrity, duplicates, coloured} {
			v, ok := verdictOf(outcome, promise)
			require.True(t, ok, promise)
			require.Equal(t, promise == c.broken, v == guarantee.Broken, "%s: %s", name, promise)
		}
		require.Equal(t, c.broken != "", outcome.Verdict() == guarantee.Broken, name)
	}
}

// If the events of somebody are lost, nothing is judged by those of others, and the report says whose are missing. They are there all the same.
func TestEventsThatAreNotCompleteJudgeNothing(t *testing.T) {
	run, res := asIfMeasured(t, "broadcast P=8 correction=none tick=5ms")
	res.Unrecorded = []int{2, 3}
	res.Events = slices.DeleteFunc(res.Events, func(e report.Event) bool { return e.Rank == 2 || e.Rank == 3 })
	outcome, err := judge(run, 8, res)
	require.NoError(t, err)
	_, judged := verdictOf(outcome, "integrity")
	require.False(t, judged)
	require.Equal(t, guarantee.Held, outcome.Verdict())
	require.Contains(t, outcome.Notes, "the events of ranks 2 and 3 were lost when somebody else ended their processes, so no promise is judged by events")
	require.NotEmpty(t, outcome.Report.Events)
}
