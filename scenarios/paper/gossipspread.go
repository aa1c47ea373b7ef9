package paper

import (
	"fmt"
	"math"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// gapRisk is how often the longest gap of figure 1 is longer: it is the 99 % probable one.
const gapRisk = 0.01

// spreadFigure is figure 1: how many ranks gossip has reached at an instant t, and how many lie side by
// side that it has not. Gossip that ends at T has reached everybody that it will at t = T+L+o, and has
// gone the same way until then.
func spreadFigure(all []measured) (*Result, error) {
	spread, tree := all[0].points, all[1].points
	gaps := gapsByTime(slices.Concat(all[2].points, all[3].points))
	machine := spread[0].settings.LogP()
	wait := machine.Latency + machine.Overhead
	last := spread[len(spread)-1].gossipEnd() + wait
	curve := must(tuning.NewCurve(machine, 0, last))
	r := &Result{
		Note: fmt.Sprintf("1,024 ranks, L=o=1, %s of each t; g-nodes are ranks that gossip has reached", runsText(all[0].Runs)),
		Table: Table{Columns: []Column{
			{Name: "t"}, {Name: "lemma 1", Digits: 1}, {Name: "g-nodes", Digits: 1}, {Name: "g-nodes: ±", Digits: 1}, {Name: "g-nodes: 5 %"}, {Name: "g-nodes: 95 %"},
			{Name: "K"}, {Name: "K measured"},
		}},
		Foot: "K: ranks side by side that gossip has not reached, the most of them in 99 % of all runs, by\n" +
			"equation 2 and as measured: OCG fills a gap of K ranks in L+o+Ko ticks\n" +
			"about 18, 512: 17 to 19, and within 10 % of 512",
	}
	reached := figure.Series{Name: "measured", Style: figure.Points}
	lemma := figure.Series{Name: "lemma 1", Style: figure.Rule}
	equation := figure.Series{Name: "equation 2", Style: figure.Rule}
	measured := figure.Series{Name: "measured", Style: figure.Points}
	farthest := 0.0
	for _, p := range spread {
		t := p.gossipEnd() + wait
		nodes, longest := p.reached(), curve.After(p.gossipEnd()).GapBound(gapRisk)
		seen := math.NaN()
		if gap := gaps[t]; gap != nil {
			seen = gap.Percentile(100 * (1 - gapRisk))
			measured.Points = append(measured.Points, positive(t, seen)...)
		}
		r.Table.add(int(t), curve.Reached(t), nodes.Mean(), confidence(nodes), nodes.Percentile(5), nodes.Percentile(95), longest, seen)
		lemma.Points = append(lemma.Points, figure.Point{X: float64(t), Y: curve.Reached(t)})
		reached.Points = append(reached.Points, whiskers(float64(t), nodes, 1))
		equation.Points = append(equation.Points, positive(t, float64(longest))...)
		farthest = max(farthest, math.Abs(nodes.Mean()-curve.Reached(t)))
	}
	end, nodes := fastestGrowth(spread)
	at, optimal := end+wait, tree[0].Colouring.Mean()
	share := 100 * farthest / float64(machine.Ranks)
	r.Claims = []Claim{
		judged("g-nodes grow fastest from t on, from how many", "about 18, 512", fmt.Sprintf("%d, %.0f", at, nodes), number(float64(at)).in(&reach{17, 19}), number(nodes).in(near(512, 0.1))),
		judged("optimal tree: ticks", "20", fmt.Sprintf("%.0f", optimal), number(optimal).in(number(20))),
		judged("our mean is off lemma 1 by, % of the ranks", "0", fmt.Sprintf("up to %.1f", share), number(share).in(below(2))),
	}
	ranks := float64(machine.Ranks)
	r.Drawing = figure.Sheet{
		Title: "How gossip spreads", Note: r.Note, Columns: 2,
		Figures: []figure.Figure{{
			X: figure.Axis{Label: "t (ticks)"}, Y: figure.Axis{Label: "g-nodes, mean, 5 to 95 %"}, Legend: figure.TopLeft,
			Series: []figure.Series{reached, lemma, mark("optimal tree", optimal, 0, ranks)},
		}, {
			X: figure.Axis{Label: "t (ticks)"}, Y: figure.Axis{Label: "K, longest gap, 99 % (ranks)", Log: 2}, Legend: figure.TopRight,
			Series: []figure.Series{measured, equation},
		}},
	}
	return r, nil
}

// reached is how many ranks were reached, run by run.
func (p point) reached() *stats.Sample {
	var s stats.Sample
	for missed, times := range p.Missed.All() {
		s.AddTimes(float64(p.ranks()-p.down())-missed, times)
	}
	return &s
}

// gapsByTime is the longest gap of each run, by the instant at which correction began. Opportunistic
// correction that goes on for long enough tells it: g-nodes at both ends of a gap fill it with their
// first K messages, which takes K times o, and L+o for the last one to come.
func gapsByTime(corrected []point) map[clock.Time]*stats.Sample {
	gaps := make(map[clock.Time]*stats.Sample)
	for _, p := range corrected {
		machine := p.settings.LogP()
		wait := machine.Latency + machine.Overhead
		from := p.gossipEnd() + wait
		gaps[from] = new(stats.Sample)
		for coloured, times := range p.Colouring.All() {
			gap := max(0, clock.Time(coloured)-from-wait) / machine.Overhead // 0: gossip has reached all of them
			gaps[from].AddTimes(float64(gap), times)
		}
	}
	return gaps
}

// fastestGrowth is the T, and the number of ranks reached until then, after which most are reached
// within a tick.
func fastestGrowth(spread []point) (end clock.Time, nodes float64) {
	most := 0.0
	for i := range spread[1:] {
		before, after := spread[i].reached().Mean(), spread[i+1].reached().Mean()
		if after-before > most {
			most, end, nodes = after-before, spread[i].gossipEnd(), before
		}
	}
	return end, nodes
}

// positive is a point of a logarithmic axis, unless it has no place there.
func positive(t clock.Time, y float64) []figure.Point {
	if y <= 0 {
		return nil
	}
	return []figure.Point{{X: float64(t), Y: y}}
}

// mark is an upright line at x.
func mark(name string, x, low, high float64) figure.Series {
	return figure.Series{Name: name, Style: figure.Rule, Dashed: true, Points: []figure.Point{{X: x, Y: low}, {X: x, Y: high}}}
}
