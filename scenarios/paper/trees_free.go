package paper

import (
	"fmt"
	"math"
	"slices"

	"github.com/mangrove-emu/mangrove/figure"
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
	t := Table{Columns: []Column{{Name: "", Left: true}}}
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
func (g bySize) ribbon(sample func(point) *stats.Sample, of int) figure.Series {
	s := figure.Series{Name: g.name + ", 5 to 95 %", Style: figure.Band, Of: of}
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

// messagesFigure is figure 6.
func messagesFigure(all []Measured) (*Result, error) {
	var points [3][]point
	for i := range all {
		var err error
		if points[i], err = all[i].points(); err != nil {
			return nil, err
		}
	}
	plain := treesBySize(points[0], "none", ", no correction")
	ack := treesBySize(points[0], "ack", ", acknowledged")
	checked := treesBySize(points[0], "checked", ", checked")
	optimized := treesBySize(points[0], "optimized", ", opportunistic")
	ccg := bestBySize("gossip, checked", points[1], fastest)
	ocg := bestBySize("gossip, opportunistic", points[2], surest)
	groups := slices.Concat(plain[:1], ack[:1], checked, optimized, []bySize{ccg, ocg})

	r := &Result{
		Note:  "L=2 o=1, nobody fails; messages a rank sends on the average, by the number of ranks",
		Table: sizeTable(groups, 2, messagesPerRank),
		Foot: fmt.Sprintf("gossip ends at the T with the smallest latency (checked), or the first that has\nmissed nobody in %s (opportunistic, 4 messages each way)",
			runsText(all[2].Runs)),
	}
	low, high := extremes(checked, plain, func(x, y point) float64 { return messagesPerRank(x) - messagesPerRank(y) })
	r.Claims = append(r.Claims, Claim{"checked correction: messages a rank beyond the tree", "5", between(low, high, 2), low > 4.995 && high < 5.005})
	low, high = extremes(ack, plain, func(x, _ point) float64 { return messagesPerRank(x) })
	r.Claims = append(r.Claims, Claim{"acknowledged tree: messages a rank", "2", between(low, high, 2), low > 1.98 && high <= 2})
	low, high = extremes(optimized, checked, func(x, y point) float64 { return messagesPerRank(x) / messagesPerRank(y) })
	r.Claims = append(r.Claims, Claim{"opportunistic over checked", "up to 1", between(low, high, 2), high <= 1})
	low, high = extremes([]bySize{ccg, ocg}, []bySize{checked[0], checked[0]}, func(x, y point) float64 { return messagesPerRank(x) / messagesPerRank(y) })
	r.Claims = append(r.Claims, Claim{"gossip over checked trees", "more than 1", between(low, high, 2), low > 1})

	f := figure.Figure{
		Title: "Messages a rank sends, without failures", Note: "L=2 o=1",
		X: figure.Axis{Label: "ranks", Log: 2}, Y: figure.Axis{Label: "messages a rank (mean)"},
	}
	all4 := checked[0]
	all4.name = "all trees, checked"
	f.Series = append(f.Series, ocg.line(messagesPerRank, figure.Series{}), ccg.line(messagesPerRank, figure.Series{}), all4.line(messagesPerRank, figure.Series{}))
	for _, g := range optimized {
		f.Series = append(f.Series, g.line(messagesPerRank, figure.Series{}))
	}
	for i, g := range []bySize{ack[0], plain[0]} {
		g.name = []string{"all trees, acknowledged", "all trees, no correction"}[i]
		f.Series = append(f.Series, g.line(messagesPerRank, figure.Series{Style: figure.Rule, Dashed: i == 0}))
	}
	r.Drawing = f
	return r, nil
}

// drawn leaves out 4-ary trees, as figure 7 does: they lie between others.
func drawn(trees []bySize) []bySize {
	return slices.DeleteFunc(slices.Clone(trees), func(g bySize) bool { return g.points[0].treeName() == "4-ary" })
}

// latencyFigure is figure 7.
func latencyFigure(all []Measured) (*Result, error) {
	trees, err := all[0].points()
	if err != nil {
		return nil, err
	}
	gossips, err := all[1].points()
	if err != nil {
		return nil, err
	}
	plain := treesBySize(trees, "none", ", no correction")
	ack := treesBySize(trees, "ack", ", acknowledged")
	checked := treesBySize(trees, "checked", ", checked")
	ccg := bestBySize("gossip, checked", gossips, fastest)
	r := &Result{
		Note:  fmt.Sprintf("L=2 o=1, nobody fails; ticks until all is quiet, by the number of ranks; gossip: mean of %s", runsText(all[1].Runs)),
		Table: sizeTable(slices.Concat(plain, checked, ack, []bySize{ccg}), 0, quiescence),
	}
	low, high := extremes(checked, plain, func(x, y point) float64 { return quiescence(x) - quiescence(y) })
	r.Claims = append(r.Claims, Claim{"checked correction adds, ticks", "8", between(low, high, 0), low == 8 && high == 8})
	twice := func(x, y point) float64 { return quiescence(x) / quiescence(y) }
	low, high = extremes(drawn(ack), drawn(plain), twice)
	r.Claims = append(r.Claims, Claim{"acknowledged trees over dissemination", "2", between(low, high, 2), low > 1.85 && high <= 2})
	low, high = extremes(ack[1:2], plain[1:2], twice)
	r.Foot = fmt.Sprintf("acknowledged 4-ary trees, which are not in the figure, take %s times as long: who is\nreached late is answered at once", between(low, high, 2))

	f := figure.Figure{
		Title: "Latency without failures", Note: "L=2 o=1",
		X: figure.Axis{Label: "ranks", Log: 2}, Y: figure.Axis{Label: "quiescence (ticks)"},
	}
	acknowledged, corrected := drawn(ack), drawn(checked)
	for i := range corrected {
		f.Series = append(f.Series, acknowledged[i].line(quiescence, figure.Series{Of: i + 1}), corrected[i].line(quiescence, figure.Series{Of: i + 1, Dashed: true}))
	}
	of := len(checked) + 1
	f.Series = append(f.Series, ccg.ribbon(func(p point) *stats.Sample { return &p.Quiescence }, of), ccg.line(quiescence, figure.Series{Of: of}))
	r.Drawing = f
	return r, nil
}
