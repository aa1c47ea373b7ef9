package paper

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// Figures 8 and 9 have protocols with one point for each rate of failures, from the lowest.

// byRate are the trees, and gossip.
func byRate(all []measured) (trees, gossip []protocol) {
	return grouped(all[0].points, point.treeName), grouped(all[1].points, point.gossipName)
}

// rateFigure is a table and a figure of some measure, in some unit, by the rate of failures.
func rateFigure(all []protocol, note, unitNote, title, label string, sample func(point) *stats.Sample, unit float64, digits int) *Result {
	r := &Result{
		Note: note + "; " + unitNote,
		Table: Table{Columns: []Column{
			{Name: "protocol", Left: true}, {Name: "down %", Digits: 2}, {Name: "mean", Digits: digits}, {Name: "±", Digits: digits + 1}, {Name: "deviation", Digits: digits + 1},
			{Name: "5 %", Digits: digits}, {Name: "95 %", Digits: digits}, {Name: "most", Digits: digits},
		}},
	}
	f := figure.Figure{Title: title, Note: note + "; bars: 5 to 95 %", X: failedAxis, Y: figure.Axis{Label: label}}
	for _, g := range all {
		s := figure.Series{Name: g.key}
		for _, p := range g.points {
			x := sample(p)
			r.Table.add(g.key, p.downPercent(), x.Mean()/unit, confidence(x)/unit, x.Deviation()/unit,
				x.Percentile(5)/unit, x.Percentile(95)/unit, x.Max()/unit)
			s.Points = append(s.Points, whiskers(p.downPercent(), x, unit))
		}
		f.Series = append(f.Series, s)
	}
	r.Drawing = f
	return r
}

// faultNote says what was run.
func faultNote(all []measured) string {
	runs := runsText(all[0].Runs)
	if len(all) > 1 && all[1].Runs != all[0].Runs {
		runs += fmt.Sprintf(" (gossip %d)", all[1].Runs)
	}
	return fmt.Sprintf("65,536 ranks, checked correction, L=2 o=1, %s a row", runs)
}

// faultLatencyFigure is figure 8.
func faultLatencyFigure(all []measured) (*Result, error) {
	trees, gossip := byRate(all)
	r := rateFigure(slices.Concat(trees, gossip), faultNote(all), "ticks until all is quiet", "Latency by rate of failures", "quiescence (ticks), mean",
		func(p point) *stats.Sample { return &p.Quiescence }, 1, 1)
	slow := newReach()
	for _, tree := range trees {
		slow.add(growth(tree))
	}
	// The paper's rule is the T that is fastest without failures, so that one is judged; the others are there
	// to show how much depends on T, and on when correction starts.
	fastest := growth(gossip[0])
	r.Foot = fmt.Sprintf("%s is the fastest without failures, as the paper chooses T;\n"+
		"%s, the next, grows by %.1f %%;\n"+
		"%s, which corrects when the last gossip has come in, by %.1f %%", gossip[0].key, gossip[1].key, growth(gossip[1]), gossip[2].key, growth(gossip[2]))
	r.Claims = []Claim{
		judged("trees: growth from 0.01 to 4 %", "12 to 14 %", slow.text(1)+" %", slow.in(&reach{11.5, justUnder(14.5)})),
		judged("gossip: growth from 0.01 to 4 %", "4 %", fmt.Sprintf("%.1f %%", fastest), number(fastest).in(&reach{3.5, justUnder(4.5)})),
	}
	for _, c := range []struct {
		tree  string
		paper float64
	}{{"binomial", 17}, {"optimal", 10}} {
		few, many := ends(named(trees, c.tree))
		if few := few.Deviation(); few > 0 {
			times := many.Deviation() / few
			r.Claims = append(r.Claims, judged(c.tree+": deviation at 4 % over that at 0.01 %", fmt.Sprint(c.paper), fmt.Sprintf("%.0f", times),
				number(times).in(near(c.paper, 0.25))))
		}
	}
	return r, nil
}

// ends are the latencies at the lowest and the highest rate.
func ends(g protocol) (few, many *stats.Sample) {
	return &g.points[0].Quiescence, &g.points[len(g.points)-1].Quiescence
}

// growth is by how many percent the mean latency is larger at the highest rate than at the lowest.
func growth(g protocol) float64 {
	few, many := ends(g)
	return 100 * (many.Mean()/few.Mean() - 1)
}

// faultMessagesFigure is figure 9.
func faultMessagesFigure(all []measured) (*Result, error) {
	trees, gossip := byRate(all)
	ranks := float64(trees[0].points[0].ranks())
	r := rateFigure(slices.Concat(trees, gossip), faultNote(all), "messages a rank", "Messages by rate of failures", "messages a rank, mean",
		func(p point) *stats.Sample { return &p.Messages }, ranks, 3)
	gossip = gossip[:2] // not what corrects at another time than the paper's
	var falls []check
	for _, g := range slices.Concat(trees, gossip) {
		var means []float64
		for _, p := range g.points {
			means = append(means, p.Messages.Mean())
		}
		falls = append(falls, steps(means).in(atMost(0)))
	}
	most, fewest := messageRange(trees).high, messageRange(gossip).low
	r.Claims = []Claim{
		isSo("the more ranks are down, the fewer messages", falls...),
		judged("gossip at its fewest over trees at their most", "more than 1", fmt.Sprintf("%.2f", fewest/most), number(fewest/most).in(above(1))),
	}
	return r, nil
}

// messageRange is the smallest and the largest mean number of messages a rank.
func messageRange(all []protocol) *reach {
	r := newReach()
	for _, g := range all {
		for _, p := range g.points {
			r.add(messagesPerRank(p))
		}
	}
	return r
}
