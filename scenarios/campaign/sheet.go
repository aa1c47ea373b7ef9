package campaign

import (
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// Sheet draws the lines beside each other: one figure for each thing that was measured.
func (c *Comparison) Sheet() figure.Sheet {
	sheet := figure.Sheet{Title: c.Common, Figures: comparisonFigures(c.Points)}
	if len(sheet.Figures) == 4 {
		sheet.Columns = 2 // not three above one
	}
	if c.Common == "" {
		sheet.Title = "Comparison"
	}
	sheet.Note = text.Count(c.Points[0].Runs, "run") + " of each line; intervals have a confidence of 95 %"
	names := labels(c.Lines)
	for i := range sheet.Figures {
		sheet.Figures[i].X.Names = names
	}
	return sheet
}

// labels are lines without the words that all of them have: there is little room under a bar. The protocol
// stays if nothing else would.
func labels(lines []string) []string {
	shared := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		words := strings.Fields(line)
		shared = slices.DeleteFunc(shared, func(word string) bool { return !slices.Contains(words, word) })
	}
	var short []string
	for _, line := range lines {
		words := strings.Fields(line)
		own := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(shared, word) })
		if len(own) == 0 {
			own = words[:1]
		}
		short = append(short, strings.Join(own, " "))
	}
	return short
}

// comparisonFigures are those of computations if there are some, else those of broadcasts.
func comparisonFigures(all []Summary) []figure.Figure {
	messages := bars("Messages", "messages", means(all, func(s *Summary) *stats.Sample { return &s.Messages }))
	if slices.ContainsFunc(all, func(s Summary) bool { return s.Done.Len() > 0 }) {
		held := bars("Runs in which all guarantees held", "runs (%)", shares(all, func(s *Summary) stats.Proportion { return s.Held }))
		held.Y.Max = 100
		return []figure.Figure{{
			Title: "Time until the result is there", Y: figure.Axis{Label: "time (ticks)"},
			Series: latencies(all, "done", 1, func(s *Summary) *stats.Sample { return &s.Done }),
		}, messages, held}
	}
	incomplete := bars("Runs that missed live ranks", "runs (%)", shares(all, func(s *Summary) stats.Proportion { return s.Complete.Complement() }))
	incomplete.Y.Max = 100
	return []figure.Figure{{
		Title: "Latency", Y: figure.Axis{Label: "time (ticks)"},
		Series: append(
			latencies(all, "colouring", 1, func(s *Summary) *stats.Sample { return &s.Colouring }),
			latencies(all, "quiescence", 2, func(s *Summary) *stats.Sample { return &s.Quiescence })...),
	}, messages,
		bars("Live ranks missed, on the average", "ranks", means(all, func(s *Summary) *stats.Sample { return &s.Missed })),
		incomplete,
	}
}

// bars is a figure of one measurement.
func bars(title, unit string, points []figure.Point) figure.Figure {
	return figure.Figure{Title: title, Y: figure.Axis{Label: unit}, Series: []figure.Series{{Style: figure.Bars, Points: points}}}
}

// means are the averages of a measurement, a point for each line that has some.
func means(all []Summary, of func(*Summary) *stats.Sample) (points []figure.Point) {
	for i := range all {
		sample := of(&all[i])
		if sample.Len() == 0 {
			continue
		}
		p := figure.Point{X: float64(i), Y: sample.Mean()}
		if sample.Len() > 1 {
			about := sample.Confidence(stats.Level)
			p.Low, p.High = max(0, p.Y-about), p.Y+about // nothing here is less than 0
		}
		points = append(points, p)
	}
	return points
}

// latencies are the averages of a time and, in the same colour, its 99th percentiles.
func latencies(all []Summary, name string, colour int, of func(*Summary) *stats.Sample) []figure.Series {
	mean := figure.Series{Name: name + ", mean", Of: colour, Style: figure.Points, Points: means(all, of)}
	late := figure.Series{Name: name + ", 99 %", Of: colour, Style: figure.Points}
	for _, p := range mean.Points {
		late.Points = append(late.Points, figure.Point{X: p.X, Y: of(&all[int(p.X)]).Percentile(99)})
	}
	return []figure.Series{mean, late}
}

// shares are percentages with Wilson's intervals.
func shares(all []Summary, of func(*Summary) stats.Proportion) (points []figure.Point) {
	for i := range all {
		p := of(&all[i])
		low, high := p.Wilson(stats.Level)
		points = append(points, figure.Point{X: float64(i), Y: 100 * p.Rate(), Low: 100 * low, High: 100 * high})
	}
	return points
}
