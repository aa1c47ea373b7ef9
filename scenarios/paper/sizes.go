package paper

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// What figures 6 and 7 of Corrected Trees and 7 of Corrected Gossip have in common: protocols with one point
// for each number of ranks, in the order of these.

// measure is a number of a summary that a figure shows.
type measure func(point) float64

func messagesPerRank(p point) float64 { return p.Messages.Mean() / float64(p.ranks()) }
func quiescence(p point) float64      { return p.Quiescence.Mean() }
func missedRanks(p point) float64     { return p.Missed.Mean() }

// treesBySize are the trees with some correction, which is added to their names.
func treesBySize(points []point, correction, suffix string) []protocol {
	trees := grouped(points, point.treeName)
	for i := range trees {
		trees[i].key += suffix
		trees[i].points = slices.DeleteFunc(trees[i].points, func(p point) bool { return p.correction() != correction })
	}
	return trees
}

// bestBySize keeps, of the points with the same number of ranks, the one with the least of some measure; among
// several of them the first.
func bestBySize(name string, points []point, m measure) protocol {
	best := protocol{key: name}
	for _, same := range grouped(points, point.ranks) {
		best.points = append(best.points, slices.MinFunc(same.points, func(a, b point) int { return cmp.Compare(m(a), m(b)) }))
	}
	return best
}

// sizeTable has a row for each protocol and a column for each number of ranks.
func sizeTable(all []protocol, digits int, m measure) Table {
	t := Table{Columns: []Column{{Name: "protocol", Left: true}}}
	for _, p := range all[0].points {
		t.Columns = append(t.Columns, Column{Name: sizeName(p.ranks()), Digits: digits})
	}
	for _, g := range all {
		row := []any{g.key}
		for _, p := range g.points {
			row = append(row, m(p))
		}
		t.add(row...)
	}
	return t
}

// sizeName is a number of ranks in a few characters.
func sizeName(ranks int) string {
	if ranks%1024 == 0 {
		return fmt.Sprintf("%dK", ranks/1024)
	}
	return fmt.Sprint(ranks)
}

// sizeLine draws a protocol under its name.
func sizeLine(g protocol, m measure, s figure.Series) figure.Series {
	s.Name = g.key
	for _, p := range g.points {
		s.Points = append(s.Points, figure.Point{X: float64(p.ranks()), Y: m(p)})
	}
	return s
}

// sizeRibbon draws where nine of ten values lie.
func sizeRibbon(g protocol, name string, sample func(point) *stats.Sample, of int) figure.Series {
	s := figure.Series{Name: name, Style: figure.Band, Of: of}
	for _, p := range g.points {
		x := sample(p)
		s.Points = append(s.Points, figure.Point{X: float64(p.ranks()), Y: x.Mean(), Low: x.Percentile(5), High: x.Percentile(95)})
	}
	return s
}

// compared is from where to where the difference, or quotient, of points of the same tree and size reaches.
func compared(a, b []protocol, compare func(x, y point) float64) *reach {
	r := newReach()
	for i := range a {
		for k := range a[i].points {
			r.add(compare(a[i].points[k], b[i].points[k]))
		}
	}
	return r
}

// quotient compares a measure of two points.
func quotient(m measure) func(x, y point) float64 {
	return func(x, y point) float64 { return m(x) / m(y) }
}

// difference compares a measure of two points.
func difference(m measure) func(x, y point) float64 {
	return func(x, y point) float64 { return m(x) - m(y) }
}
