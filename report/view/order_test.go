package view_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/report/view"
)

// Events are in the order of their ends, and a page reads what it draws by when it begins.
func TestWhatIsDrawnIsInTheOrderInWhichItBegins(t *testing.T) {
	for _, line := range viewtest.Lines {
		d := dataOf(t, viewtest.OfLine(t, line))
		for name, differences := range map[string]view.Column{
			"messages": d.Messages.Sent, "notices": d.Notices.Start, "steps": d.Steps.Time, "turns": d.Turns.Time,
		} {
			for _, difference := range differences {
				require.GreaterOrEqual(t, difference, int64(0), "%s of %s", name, line)
			}
		}
	}
}

// handMade is a run of three ranks with o=2 in which nothing but these events has happened.
func handMade(schedule string, events ...report.Event) view.Run {
	rep := &report.Report{
		LogP: clock.LogP{Ranks: 3, Latency: 2, Overhead: 2}, Faults: faults.MustParse(schedule),
		Ranks: make([]report.RankResult, 3), Events: events, Quiescence: 20,
	}
	return view.Run{Run: traceevent.Run{Report: rep}, Ranks: view.DefaultRange(3)}
}

// A slow rank has begun before another one that is told sooner.
func TestNoticesOfSlowRanksBeginEarlier(t *testing.T) {
	d := dataOf(t, handMade("slow:1x4@t0",
		report.Event{Time: 10, Rank: 0, Kind: report.EventNotice, Peer: 2},
		report.Event{Time: 11, Rank: 1, Kind: report.EventNotice, Peer: 2},
	))
	require.Equal(t, view.Column{1, 0}, d.Notices.Rank)
	require.Equal(t, []int64{3, 8}, instants(d.Notices.Start))
	require.Equal(t, view.Column{8, 2}, d.Notices.Took)
}

// A message whose sender fails is known when that happens, which may be after others that were sent later.
func TestMessagesThatWereNotSentStandAmongTheOthers(t *testing.T) {
	d := dataOf(t, handMade("crash:0@t5",
		report.Event{Time: 4, Rank: 0, Kind: report.EventSendLost, Peer: 2},
		report.Event{Time: 5, Rank: 0, Kind: report.EventCrash, Peer: report.NoPeer},
		report.Event{Time: 6, Rank: 1, Kind: report.EventSend, Peer: 2},
	))
	require.Equal(t, view.Column{0, 1}, d.Messages.From)
	require.Equal(t, []int64{4, 6}, instants(d.Messages.Sent))
	require.Equal(t, view.Unsent, view.Fate(d.Messages.Fate[0]))
}

// Of messages that a rank receives at the same time it is the first that colours it.
func TestTheFirstOfSeveralMessagesColours(t *testing.T) {
	run := handMade("none",
		report.Event{Time: 1, Rank: 1, Kind: report.EventSend, Peer: 0},
		report.Event{Time: 1, Rank: 2, Kind: report.EventSend, Peer: 0},
		report.Event{Time: 7, Rank: 0, Kind: report.EventReceive, Peer: 1},
		report.Event{Time: 7, Rank: 0, Kind: report.EventReceive, Peer: 2},
	)
	run.Report.Ranks[0].Coloured = 7
	require.Equal(t, view.Column{1, -1, -1}, dataOf(t, run).Ranks.By)
}

// A page of programs that only return ends when nothing was under way any more.
func TestReturningIsNotDrawn(t *testing.T) {
	exit := report.Event{Time: 90, Kind: report.EventExit, Peer: report.NoPeer}
	require.EqualValues(t, 20, dataOf(t, handMade("none", exit)).End)
	require.EqualValues(t, 30, dataOf(t, handMade("none", report.Event{Time: 30, Kind: report.EventStep, Peer: report.NoPeer}, exit)).End)
}
