package paper

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// timedGossip is a point of figure 3, 5 or 9: how long a broadcast takes if ranks gossip until T.
type timedGossip struct {
	end       clock.Time // T
	predicted clock.Time // by the equation, the wait of L+o after T included
	took      *stats.Sample
}

// beyond is by how many ticks the longest run was longer than the equation says; negative if it was not.
func (g timedGossip) beyond() float64 { return g.took.Max() - float64(g.predicted) }

// bestTimes are the T with the smallest time by the equation.
func bestTimes(all []timedGossip) (best []clock.Time) {
	least := slices.MinFunc(all, func(a, b timedGossip) int { return int(a.predicted - b.predicted) })
	for _, g := range all {
		if g.predicted == least.predicted {
			best = append(best, g.end)
		}
	}
	return best
}

// mostBeyond is the most by which any run was longer than the equation says.
func mostBeyond(all []timedGossip) float64 {
	most := all[0].beyond()
	for _, g := range all {
		most = max(most, g.beyond())
	}
	return most
}

// timesFigure is what figures 3, 5 and 9 have in common.
func timesFigure(m measured, algorithm string, number int, until string, took func(point) *stats.Sample) (*Result, []timedGossip) {
	equation := fmt.Sprintf("equation %d", number)
	r := &Result{
		Note: fmt.Sprintf("1,024 ranks, L=o=1, %s of each T; ticks until %s", runsText(m.Runs), until),
		Table: Table{Columns: []Column{
			{Name: "T"}, {Name: equation}, {Name: "longest"}, {Name: "mean", Digits: 2}, {Name: "±", Digits: 2}, {Name: "5 %"}, {Name: "95 %"},
		}},
		Foot: fmt.Sprintf("%s: with the wait of L+o after T; it is for one run in 1.4 million (delta = 6.93e-7),\n"+
			"so that the longest of fewer runs is shorter. The paper has 10 million of each T", equation),
	}
	rule := figure.Series{Name: equation, Style: figure.Rule}
	band := figure.Series{Name: "5 to 95 %", Style: figure.Band, Of: 1}
	mean := figure.Series{Name: "mean", Of: 1}
	longest := figure.Series{Name: fmt.Sprintf("longest of %s", runsText(m.Runs)), Style: figure.Points}
	var all []timedGossip
	for _, p := range m.points {
		plan := p.planned()
		x, took := float64(plan.GossipEnd), took(p)
		all = append(all, timedGossip{plan.GossipEnd, plan.Latency, took})
		r.Table.add(int(plan.GossipEnd), int(plan.Latency), took.Max(), took.Mean(), confidence(took), took.Percentile(5), took.Percentile(95))
		rule.Points = append(rule.Points, figure.Point{X: x, Y: float64(plan.Latency)})
		band.Points = append(band.Points, figure.Point{X: x, Low: took.Percentile(5), High: took.Percentile(95)})
		mean.Points = append(mean.Points, figure.Point{X: x, Y: took.Mean()})
		longest.Points = append(longest.Points, figure.Point{X: x, Y: took.Max()})
	}
	r.Drawing = figure.Figure{
		Title: algorithm + ": how long to gossip", Note: r.Note,
		X: figure.Axis{Label: "T, until when ranks gossip (ticks)"}, Y: figure.Axis{Label: "until " + until + " (ticks)"},
		Series: []figure.Series{band, mean, longest, rule},
	}
	return r, all
}

// closeClaims are what the paper says of figures 3 and 5: the best T, and how well it is predicted.
func closeClaims(all []timedGossip, equation int, best clock.Time, off float64) []Claim {
	minima, beyond := bestTimes(all), mostBeyond(all)
	chosen := all[slices.IndexFunc(all, func(g timedGossip) bool { return g.end == best })]
	below := float64(chosen.predicted) - chosen.took.Max()
	return []Claim{
		{What: fmt.Sprintf("best T by equation %d", equation), Paper: fmt.Sprint(best), Ours: listed(minima), Holds: slices.Contains(minima, best)},
		judged("ticks by which a run is longer than the equation", fmt.Sprintf("up to %.0f", off), fmt.Sprintf("up to %.0f", max(0, beyond)), number(beyond).in(atMost(off))),
		judged(fmt.Sprintf("ticks by which the longest run with T=%d is shorter than it", best), fmt.Sprintf("up to %.0f", off), fmt.Sprintf("%.0f", below), number(below).in(atMost(off))),
	}
}

// opportunisticFigure is figure 3. Correction goes on until all are reached, which is what is measured.
func opportunisticFigure(all []measured) (*Result, error) {
	r, points := timesFigure(all[0], "OCG", 3, "all ranks are reached", func(p point) *stats.Sample { return &p.Colouring })
	missed := 0
	for _, p := range all[0].points {
		missed += p.Complete.Complement().Hits
	}
	r.Claims = append(closeClaims(points, 3, 24, 1), judged("runs that miss somebody", "0", fmt.Sprint(missed), number(float64(missed)).in(number(0))))
	return r, nil
}

// checkedFigure is figure 5.
func checkedFigure(all []measured) (*Result, error) {
	r, points := timesFigure(all[0], "CCG", 4, "the last rank is done", point.latency)
	r.Claims = closeClaims(points, 4, 25, 2)
	return r, nil
}

// failureProofFigure is figure 9. Its equation is a bound.
func failureProofFigure(all []measured) (*Result, error) {
	r, points := timesFigure(all[0], "FCG", 5, "the last rank is done", point.latency)
	beyond := mostBeyond(points)
	r.Claims = []Claim{judged("ticks by which a run is longer than the bound", "0", fmt.Sprintf("%.0f", max(0, beyond)), number(beyond).in(atMost(0)))}
	r.Foot += fmt.Sprintf("\nbest T by equation 5: %s", listed(bestTimes(points)))
	return r, nil
}
