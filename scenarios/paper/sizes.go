package paper

import (
	"fmt"
	"math"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// measure is a number of a summary that a figure shows.
type measure func(point) float64

func messagesPerRank(p point) float64 { return p.Messages.Mean() / float64(p.ranks()) }
func quiescence(p point) float64      { return p.Quiescence.Mean() }

// bySize are points with one for each number of ranks, in the order of these.
type bySize struct {
	name   string
	points []point
}

// treesBySize sorts points into trees with some correction.
func treesBySize(points []point, correction, suffix string) (all []bySize) {
	trees, groups := grouped(points, point.treeName)
	for _, tree := range trees {
		same := slices.DeleteFunc(slices.Clone(groups[tree]), func(p point) bool { return p.settings.Text("correction") != correction })
		all = append(all, bySize{tree + suffix, same})
	}
	return all
}

// bestBySize keeps the best of the points with the same number of ranks.
func bestBySize(name string, points []point, better func(a, b point) bool) bySize {
	sizes, groups := grouped(points, point.ranks)
	best := bySize{name: name}
	for _, size := range sizes {
		candidates := groups[size]
		b := candidates[0]
		for _, p := range candidates[1:] {
			if better(p, b) {
				b = p
			}
		}
		best.points = append(best.points, b)
	}
	return best
}

// fastest prefers the smallest mean latency; among those that are as fast the first.
func fastest(a, b point) bool { return quiescence(a) < quiescence(b) }

// surest prefers the first that has missed nobody, or else the one that has missed the fewest.
func surest(a, b point) bool { return a.Missed.Mean() < b.Missed.Mean() }

// sizeTable has a row for each of the groups and a column for each number of ranks.
func sizeTable(groups []bySize, digits int, m measure) Table {
	t := Table{Columns: []Column{{Name: "protocol", Left: true}}}
	for _, p := range groups[0].points {
		t.Columns = append(t.Columns, Column{Name: sizeName(p.ranks()), Digits: digits})
	}
	for _, g := range groups {
		row := []any{g.name}
		for _, p := range g.points {
			row = append(row, m(p))
		}
		t.Add(row...)
	}
	return t
}

// sizeName is a number of ranks in a few characters.
func sizeName(ranks int) string {
	if ranks >= 1024 && ranks%1024 == 0 {
		return fmt.Sprintf("%dK", ranks/1024)
	}
	return fmt.Sprint(ranks)
}

// line draws a group.
func (g bySize) line(m measure, s figure.Series) figure.Series {
	s.Name = g.name
	for _, p := range g.points {
		s.Points = append(s.Points, figure.Point{X: float64(p.ranks()), Y: m(p)})
	}
	return s
}

// ribbon draws where nine of ten values lie.
func (g bySize) ribbon(name string, sample func(point) *stats.Sample, of int) figure.Series {
	s := figure.Series{Name: name, Style: figure.Band, Of: of}
	for _, p := range g.points {
		x := sample(p)
		s.Points = append(s.Points, figure.Point{X: float64(p.ranks()), Y: x.Mean(), Low: x.Percentile(5), High: x.Percentile(95)})
	}
	return s
}

// extremes are the smallest and the largest difference, or quotient, of points of the same tree and size.
func extremes(a, b []bySize, compare func(x, y point) float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range a {
		for k := range a[i].points {
			x := compare(a[i].points[k], b[i].points[k])
			low, high = min(low, x), max(high, x)
		}
	}
	return low, high
}
