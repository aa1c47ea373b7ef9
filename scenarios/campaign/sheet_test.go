package campaign

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// What is drawn is what the table says.
func TestComparisonFiguresHaveTheNumbersOfTheTable(t *testing.T) {
	c, err := NewComparison(protocols, []string{"broadcast P=64 faults=crash:4%", "broadcast correction=none P=64 faults=crash:4%"}, 20, 0)
	require.NoError(t, err)
	require.NoError(t, c.Run(t.Context(), Options{}))
	c.Common, c.Lines = "", []string{"a", "b"}
	sheet, all := c.Sheet(), c.Points
	require.NoError(t, sheet.Write(io.Discard, "svg"))
	assert.Equal(t, "Comparison", sheet.Title)
	latency, messages, missed, incomplete := sheet.Figures[0], sheet.Figures[1], sheet.Figures[2], sheet.Figures[3]
	assert.Equal(t, []string{"a", "b"}, latency.X.Names)
	for i := range all {
		s := &all[i]
		assert.Equal(t, s.Colouring.Mean(), latency.Series[0].Points[i].Y)
		assert.Equal(t, s.Colouring.Percentile(99), latency.Series[1].Points[i].Y)
		assert.Equal(t, s.Quiescence.Mean(), latency.Series[2].Points[i].Y)
		assert.InDelta(t, s.Quiescence.Confidence(stats.Level), latency.Series[2].Points[i].High-s.Quiescence.Mean(), 1e-9)
		assert.Equal(t, s.Messages.Mean(), messages.Series[0].Points[i].Y)
		assert.Equal(t, s.Missed.Mean(), missed.Series[0].Points[i].Y)
		assert.Equal(t, 100-100*s.Complete.Rate(), incomplete.Series[0].Points[i].Y)
		low, high := s.Complete.Wilson(stats.Level)
		assert.InDelta(t, 100-100*low, incomplete.Series[0].Points[i].High, 1e-9)
		assert.InDelta(t, 100-100*high, incomplete.Series[0].Points[i].Low, 1e-9)
	}
	assert.Equal(t, figure.Bars, missed.Series[0].Style)
	assert.Positive(t, missed.Series[0].Points[1].Y)
}

func TestLabelsLeaveOutWhatAllLinesShare(t *testing.T) {
	require.Equal(t, []string{"correction=checked", "d=6", "broadcast"},
		labels([]string{"broadcast tree=lame correction=checked", "broadcast tree=lame d=6", "broadcast tree=lame"}))
	require.Equal(t, []string{"broadcast", "gossip"}, labels([]string{"broadcast", "gossip"}))
}

// Two measurements are enough for an interval, one is not, and a line without any has no point.
func TestMeansOfTwoOrMoreHaveAnInterval(t *testing.T) {
	all := make([]Summary, 3)
	all[0].Messages.Add(40)
	all[2].Messages.Add(30, 50)
	points := means(all, func(s *Summary) *stats.Sample { return &s.Messages })
	about := all[2].Messages.Confidence(stats.Level)
	require.Equal(t, []figure.Point{{Y: 40}, {X: 2, Y: 40, Low: max(0, 40-about), High: 40 + about}}, points)
	require.Positive(t, about)
}

// Four figures are two above two. Times of one kind have one colour, and percentages a scale that ends at 100.
func TestASheetIsLaidOutByItsFigures(t *testing.T) {
	c := &Comparison{Common: "P=8", Lines: []string{"broadcast tree=lame", "broadcast"}, Points: make([]Summary, 2)}
	for i := range c.Points {
		c.Points[i].add(Record{Colouring: point(clock.Time(5)), Unreached: point(0), Held: true})
	}
	spread := c.Sheet()
	require.Equal(t, "P=8", spread.Title)
	require.Equal(t, "1 run of each line; intervals have a confidence of 95 %", spread.Note)
	require.Equal(t, 2, spread.Columns)
	require.Len(t, spread.Figures, 4)
	for _, f := range spread.Figures {
		require.Equal(t, []string{"tree=lame", "broadcast"}, f.X.Names)
	}
	var colours []int
	var names []string
	for _, s := range spread.Figures[0].Series {
		colours, names = append(colours, s.Of), append(names, s.Name)
	}
	require.Equal(t, []int{1, 1, 2, 2}, colours)
	require.Equal(t, []string{"colouring, mean", "colouring, 99 %", "quiescence, mean", "quiescence, 99 %"}, names)
	require.EqualValues(t, 100, spread.Figures[3].Y.Max)

	c.Points[1].add(Record{Done: point(clock.Time(9))})
	computed := c.Sheet()
	require.Zero(t, computed.Columns, "three are beside each other")
	require.Len(t, computed.Figures, 3)
	require.Equal(t, 1, computed.Figures[0].Series[0].Of)
}

// Lateness is shown beside the mean, at the same place, for the lines that have it.
func TestLatePointsStandAboveTheirMeans(t *testing.T) {
	all := make([]Summary, 3)
	all[1].Done.Add(7)
	for i := range 200 {
		all[2].Done.Add(float64(i + 1))
	}
	series := latencies(all, "done", 1, func(s *Summary) *stats.Sample { return &s.Done })
	require.Equal(t, []figure.Point{{X: 1, Y: 7}, {X: 2, Y: 198}}, series[1].Points)
	require.Equal(t, figure.Points, series[0].Style)
	require.Equal(t, figure.Points, series[1].Style)
	for i, p := range series[0].Points {
		require.EqualValues(t, i+1, p.X)
	}
}
