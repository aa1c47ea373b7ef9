package timeline

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
)

// drawn returns the chart of a run of some events on two ranks, without its legend.
func drawn(t *testing.T, rep *report.Report) string {
	t.Helper()
	rep.LogP = clock.LogP{Ranks: len(rep.Ranks), Latency: 2, Overhead: 1}
	var b bytes.Buffer
	require.NoError(t, Draw(&b, traceevent.Run{Report: rep}, false))
	text, _, _ := strings.Cut(b.String(), "\n\n")
	return text
}

func TestChartShowsSendsFromTheirStartAndReceivesToTheirEnd(t *testing.T) {
	text := drawn(t, &report.Report{
		Ranks: []report.RankResult{{Coloured: 0}, {Coloured: 4}},
		Exit:  6,
		Events: []report.Event{
			{Time: 0, Rank: 0, Kind: report.EventSend, Peer: 1},
			{Time: 4, Rank: 1, Kind: report.EventReceive, Peer: 0},
			{Time: 3, Rank: 1, Kind: report.EventSend, Peer: 0},
			{Time: 2, Rank: 0, Kind: report.EventExit, Peer: -1},
			{Time: 5, Rank: 1, Kind: report.EventCrash, Peer: -1},
		},
	})
	assert.Equal(t, `rank  0         5
   0  >>--
   1  ......##--xxxx`, text)
}

func TestChartShowsRanksThatComeBack(t *testing.T) {
	text := drawn(t, &report.Report{
		Ranks:    []report.RankResult{{Coloured: 0}},
		Exit:     6,
		Rejoined: []report.Rejoin{{Rank: 0, Time: 4}},
		Events: []report.Event{
			{Time: 1, Rank: 0, Kind: report.EventCrash, Peer: -1},
			{Time: 4, Rank: 0, Kind: report.EventRejoin, Peer: -1},
			{Time: 5, Rank: 0, Kind: report.EventHang, Peer: -1},
		},
	})
	assert.Equal(t, `rank  0         5
   0  --xxxxxx--xxxx`, text)
}

func TestChartShowsSlowRanks(t *testing.T) {
	text := drawn(t, &report.Report{
		Ranks:      []report.RankResult{{Coloured: 0}, {Coloured: 4}},
		Quiescence: 13,
		Faults:     faults.MustParse("slow:0x3@t2,slow:1x2@recv1,slow:1x9@recv7"),
		Unfired:    faults.MustParse("slow:1x9@recv7"),
		Events: []report.Event{
			{Time: 0, Rank: 0, Kind: report.EventSend, Peer: 1},
			{Time: 2, Rank: 0, Kind: report.EventSend, Peer: 1},
			{Time: 4, Rank: 1, Kind: report.EventReceive, Peer: 0},
			{Time: 4, Rank: 1, Kind: report.EventSlow, Peer: -1, A: 2},
			{Time: 9, Rank: 1, Kind: report.EventReceive, Peer: 0},
			{Time: 13, Rank: 0, Kind: report.EventReceive, Peer: 1},
		},
	})
	assert.Equal(t, `rank  0         5         10
   0  >>-->>>>>>----------<<<<<<--
   1  ......<<------<<<<----------`, text)
}

func TestChartShowsTheSlowDownInForce(t *testing.T) {
	text := drawn(t, &report.Report{
		Ranks:      []report.RankResult{{Coloured: 0}},
		Quiescence: 12,
		Faults:     faults.MustParse("slow:0x3@t6,slow:0x2@t3,slow:0x4@send1"),
		Events: []report.Event{
			{Time: 0, Rank: 0, Kind: report.EventSlow, Peer: -1, A: 4},
			{Time: 0, Rank: 0, Kind: report.EventSend, Peer: 0},
			{Time: 5, Rank: 0, Kind: report.EventSend, Peer: 0},
			{Time: 8, Rank: 0, Kind: report.EventSend, Peer: 0},
		},
	})
	assert.Equal(t, `rank  0         5         10
   0  >>>>>>>>-->>>>-->>>>>>----`, text)
}

func TestRowsArePaintedOnRequest(t *testing.T) {
	row := []activity{uncoloured, receiving, sending, sending, coloured, both, failed, finished}
	assert.Equal(t, ".<>>-#x", paint(row, 1, false))
	assert.Equal(t, "\x1b[90m.\x1b[0m\x1b[36m<\x1b[0m\x1b[32m>>\x1b[0m-\x1b[33m#\x1b[0m\x1b[31mx\x1b[0m", paint(row, 1, true))
}

func TestWhatDoesNotFitIsRefusedBeforeAnythingIsDrawn(t *testing.T) {
	var b bytes.Buffer
	require.EqualError(t, Draw(&b, traceevent.Run{Report: &report.Report{Ranks: make([]report.RankResult, 65)}}, false), "the run has 65 ranks, a drawing has room for 64")
	require.EqualError(t, Draw(&b, traceevent.Run{Report: &report.Report{Exit: 74}}, false), "the run takes 74 ticks, a drawing has room for 73; try a smaller P, L or o")
	assert.Empty(t, b.String())
	require.NoError(t, Draw(&b, traceevent.Run{Report: &report.Report{Ranks: make([]report.RankResult, 64), Exit: 73}}, false))
	assert.Equal(t, 64, strings.Count(b.String(), "------\n"), "as much as fits is drawn")
}

func TestARankThatReturnsAtOnceHasAnEmptyRow(t *testing.T) {
	text := drawn(t, &report.Report{
		Ranks:  []report.RankResult{{Coloured: clock.Never}, {Coloured: 0}},
		Exit:   2,
		Events: []report.Event{{Time: 0, Rank: 0, Kind: report.EventExit, Peer: -1}, {Time: 2, Rank: 1, Kind: report.EventExit, Peer: -1}},
	})
	assert.Equal(t, "rank  0\n   0  \n   1  ----", text)
}

// Each rank comes back for itself, and one that failed at the instant of a rejoin has not come back by it.
func TestChartShowsWhoComesBackAndWhen(t *testing.T) {
	text := drawn(t, &report.Report{
		Ranks:    []report.RankResult{{Coloured: 0}, {Coloured: 0}},
		Exit:     6,
		Rejoined: []report.Rejoin{{Rank: 1, Time: 2}, {Rank: 0, Time: 5}, {Rank: 1, Time: 4}},
		Events: []report.Event{
			{Time: 1, Rank: 0, Kind: report.EventCrash, Peer: -1},
			{Time: 2, Rank: 1, Kind: report.EventCrash, Peer: -1},
		},
	})
	assert.Equal(t, `rank  0         5
   0  --xxxxxxxx----
   1  ----xxxx------`, text)
}

// The whole drawing: ticks of one character where two have no room, labels up to the last column, the legend.
func TestDrawingsAreWhatTheyWere(t *testing.T) {
	rep := &report.Report{
		LogP:   clock.LogP{Ranks: 1, Latency: 2, Overhead: 1},
		Ranks:  []report.RankResult{{Coloured: 4}},
		Exit:   36,
		Events: []report.Event{{Time: 36, Rank: 0, Kind: report.EventExit, Peer: -1}},
	}
	whole := func(exit clock.Time, colour bool) string {
		var b bytes.Buffer
		rep.Exit, rep.Events[0].Time = exit, exit
		require.NoError(t, Draw(&b, traceevent.Run{Report: rep}, colour))
		return b.String()
	}
	legend := "\n      > sending   < receiving   # both   x failed\n" +
		"      . waiting, uncoloured   - waiting, coloured   (blank) finished\n"
	assert.Equal(t, "rank  0\n   0  ........\n"+legend, whole(4, false))
	assert.Equal(t, "rank  0         5\n   0  ........"+strings.Repeat("--", 5)+"\n"+legend, whole(9, false), "no label where the chart has ended")
	axis := "rank  0         5         10        15        20        25        30        35\n"
	assert.Equal(t, axis+"   0  ........"+strings.Repeat("--", 32)+"\n"+legend, whole(36, false))
	assert.Equal(t, "rank  0    5    10   15   20   25   30   35\n   0  ...."+strings.Repeat("-", 33)+"\n"+legend, whole(37, false))
	legend = "\n      \x1b[32m>\x1b[0m sending   \x1b[36m<\x1b[0m receiving   \x1b[33m#\x1b[0m both   \x1b[31mx\x1b[0m failed\n" +
		"      \x1b[90m.\x1b[0m waiting, uncoloured   - waiting, coloured   (blank) finished\n"
	assert.Equal(t, "rank  0         5\n   0  \x1b[90m........\x1b[0m----\n"+legend, whole(6, true))
}

// A rank that has returned and comes back has blanks in the middle of its row, which have no colour.
func TestBlanksHaveNoColour(t *testing.T) {
	assert.Equal(t, "-  -", paint([]activity{coloured, finished, finished, coloured}, 1, true))
}

// Ranks receive while they wait for their storage. The legend explains it only if there is some.
func TestChartShowsTheUseOfStorage(t *testing.T) {
	rep := &report.Report{
		LogP:  clock.LogP{Ranks: 1, Latency: 2, Overhead: 1},
		Ranks: []report.RankResult{{Coloured: 0}},
		Events: []report.Event{
			{Time: 1, Rank: 0, Kind: report.EventWrite, Peer: -1, Step: "vote", A: 2},
			{Time: 3, Rank: 0, Kind: report.EventSync, Peer: -1, A: 4},
			{Time: 5, Rank: 0, Kind: report.EventReceive, Peer: 0},
		},
	}
	var b bytes.Buffer
	require.NoError(t, Draw(&b, traceevent.Run{Report: rep}, false))
	text, legend, _ := strings.Cut(b.String(), "\n\n")
	assert.Equal(t, `rank  0         5
   0  --======<<====--`, text)
	assert.Contains(t, legend, "= using storage")
	b.Reset()
	rep.Events = nil
	require.NoError(t, Draw(&b, traceevent.Run{Report: rep}, false))
	assert.NotContains(t, b.String(), "storage")
}
