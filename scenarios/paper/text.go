package paper

import (
	"math"
	"strconv"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// confidence is how far off a mean may be; NaN if a single run cannot tell.
func confidence(s *stats.Sample) float64 {
	if s.Len() > 1 {
		return s.Confidence(stats.Level)
	}
	return math.NaN()
}

// ranksAxis and failedAxis are the x axes of many figures.
var (
	ranksAxis  = figure.Axis{Label: "ranks", Log: 2}
	failedAxis = figure.Axis{Label: "ranks that have failed (%)", Log: 10}
)

// withBar is a point of a figure with an error bar, if it has any height and can be told.
func withBar(x, y, low, high float64) figure.Point {
	if low == high || math.IsNaN(low) { // then the other cannot be told either
		return figure.Point{X: x, Y: y}
	}
	return figure.Point{X: x, Y: y, Low: low, High: high}
}

// whiskers is a point at a mean, with a bar between the percentiles 5 and 95, as figures of Corrected
// Trees have it. Values are divided by a unit.
func whiskers(x float64, s *stats.Sample, unit float64) figure.Point {
	return withBar(x, s.Mean()/unit, s.Percentile(5)/unit, s.Percentile(95)/unit)
}

func runsText(n int) string {
	return thousands(n) + " " + text.Plural(float64(n), "run")
}

// thousands prints a number such as 65,536.
func thousands(n int) string { return text.Thousands(strconv.Itoa(n)) }
