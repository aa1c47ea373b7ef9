package campaign

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// UsualPercentile is the one that tables show unless somebody wants another.
const UsualPercentile = 99.0

// Table has a row for each point of a campaign, or for each line of a comparison.
type Table struct {
	Keys       []string // of the values that points have
	Points     []Summary
	Percentile float64 // that is shown
}

// Table is that of the points of a campaign.
func (c *Campaign) Table(points []Summary) Table {
	t := Table{Points: points, Percentile: UsualPercentile}
	for _, axis := range c.axes() {
		t.Keys = append(t.Keys, axis.Key)
	}
	return t
}

// Text is the table for a terminal: the values of a point, then what was measured.
func (t Table) Text() string {
	computes, spreads := t.contents()
	rows := [][]string{t.header(computes, spreads)}
	for i := range t.Points {
		s := &t.Points[i]
		row := append(slices.Clone(s.Values), fmt.Sprint(s.Runs))
		row = append(row, meanText(&s.Messages)...)
		if computes {
			row = append(append(row, meanText(&s.Done)...), t.late(&s.Done))
		}
		if spreads {
			row = append(append(row, meanText(&s.Colouring)...), t.late(&s.Colouring))
			row = append(append(row, meanText(&s.Quiescence)...), t.late(&s.Quiescence), meanText(&s.Missed)[0])
		}
		rows = append(rows, append(row, shareText(s.Held)...))
	}
	return text.Columns(rows, func(i int) bool { return i < len(t.Keys) })
}

// Judged counts in how many runs of all points each promise was judged.
func (t Table) Judged() (all guarantee.Tally) {
	for i := range t.Points {
		all.Merge(t.Points[i].Judged)
	}
	return all
}

// contents say whether something was computed, or spread, or both.
func (t Table) contents() (computes, spreads bool) {
	for i := range t.Points {
		done := t.Points[i].Done.Len() > 0
		computes, spreads = computes || done, spreads || !done
	}
	return computes, spreads
}

func (t Table) header(computes, spreads bool) []string {
	late := fmt.Sprintf("%v %%", t.Percentile)
	names := append(slices.Clone(t.Keys), "runs", "messages", "")
	if computes {
		names = append(names, "done", "", late)
	}
	if spreads {
		names = append(names, "colouring", "", late, "quiescence", "", late, "missed")
	}
	return append(names, "held %", "")
}

// meanText is a mean and how sure it is.
func meanText(s *stats.Sample) []string {
	switch {
	case s.Len() == 0:
		return []string{"-", ""}
	case s.Len() == 1:
		return []string{fmt.Sprintf("%.1f", s.Mean()), ""}
	}
	return []string{fmt.Sprintf("%.1f", s.Mean()), fmt.Sprintf("± %.1f", s.Confidence(stats.Level))}
}

// late is what a share of the runs do not exceed.
func (t Table) late(s *stats.Sample) string {
	if s.Len() == 0 {
		return "-"
	}
	return fmt.Sprint(s.Percentile(t.Percentile))
}

// shareText is a percentage and between what it lies.
func shareText(p stats.Proportion) []string {
	if p.Runs == 0 {
		return []string{"-", ""}
	}
	low, high := p.Wilson(stats.Level)
	return []string{fmt.Sprintf("%.2f", 100*p.Rate()), fmt.Sprintf("%.2f to %.2f", 100*low, 100*high)}
}
