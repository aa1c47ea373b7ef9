package campaign

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// What is drawn is what the table says.
func TestComparisonFiguresHaveTheNumbersOfTheTable(t *testing.T) {
	c, err := NewComparison([]string{"broadcast P=64 faults=crash:4%", "broadcast correction=none P=64 faults=crash:4%"}, 20, 0)
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
