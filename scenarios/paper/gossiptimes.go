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

// timedGossips reads the points of a figure.
func timedGossips(m Measured, took func(point) *stats.Sample) ([]timedGossip, error) {
	points, err := m.points()
	if err != nil {
		return nil, err
	}
	var all []timedGossip
	for _, p := range points {
		plan, err := p.planned()
		if err != nil {
			return nil, err
		}
		all = append(all, timedGossip{plan.GossipEnd, plan.Latency, took(p)})
	}
	return all, nil
}

// bestTimes are the T with the smallest of some time.
func bestTimes(all []timedGossip, of func(timedGossip) float64) []clock.Time {
	least := slices.MinFunc(all, func(a, b timedGossip) int { return int(of(a) - of(b)) })
	var best []clock.Time
	for _, g := range all {
		if of(g) == of(least) {
			best = append(best, g.end)
		}
	}
	return best
}

func byEquation(g timedGossip) float64 { return float64(g.predicted) }
func byLongest(g timedGossip) float64  { return g.took.Max() }

// mostBeyond is by how many ticks a run was longer than the equation says; negative if none was.
func mostBeyond(all []timedGossip) float64 {
	most := byLongest(all[0]) - byEquation(all[0])
	for _, g := range all {
		most = max(most, byLongest(g)-byEquation(g))
	}
	return most
}

// timesFigure is what figures 3, 5 and 9 have in common.
func timesFigure(m Measured, all []timedGossip, algorithm string, number int, until string) *Result {
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
	for _, g := range all {
		x, took := float64(g.end), g.took
		r.Table.Add(int(g.end), int(g.predicted), took.Max(), took.Mean(), orNothing(confidence(took)), took.Percentile(5), took.Percentile(95))
		rule.Points = append(rule.Points, figure.Point{X: x, Y: float64(g.predicted)})
		band.Points = append(band.Points, figure.Point{X: x, Low: took.Percentile(5), High: took.Percentile(95)})
		mean.Points = append(mean.Points, figure.Point{X: x, Y: took.Mean()})
		longest.Points = append(longest.Points, figure.Point{X: x, Y: took.Max()})
	}
	r.Drawing = figure.Figure{
		Title: algorithm + ": how long to gossip", Note: r.Note,
		X: figure.Axis{Label: "T, until when ranks gossip (ticks)"}, Y: figure.Axis{Label: "until " + until + " (ticks)"},
		Series: []figure.Series{band, mean, longest, rule},
	}
	return r
}

// closeClaims are what the paper says of figures 3 and 5: the best T, and how well it is predicted.
func closeClaims(all []timedGossip, number int, best clock.Time, off float64) []Claim {
	minima := bestTimes(all, byEquation)
	claims := []Claim{{What: fmt.Sprintf("best T by equation %d", number), Paper: fmt.Sprint(best), Ours: listed(minima), Holds: slices.Contains(minima, best)}}
	beyond := mostBeyond(all)
	claims = append(claims, Claim{What: "ticks by which a run is longer than the equation", Paper: fmt.Sprintf("up to %.0f", off), Ours: fmt.Sprintf("up to %.0f", max(0, beyond)), Holds: beyond <= off})
	chosen := endingAt(all, best)
	below := byEquation(chosen) - byLongest(chosen)
	return append(claims, Claim{What: fmt.Sprintf("ticks by which the longest run with T=%d is shorter than it", best), Paper: fmt.Sprintf("up to %.0f", off), Ours: fmt.Sprintf("%.0f", below), Holds: below <= off})
}

func endingAt(all []timedGossip, end clock.Time) timedGossip {
	return all[slices.IndexFunc(all, func(g timedGossip) bool { return g.end == end })]
}

// opportunisticFigure is figure 3. Correction goes on until all are reached, which is what is measured.
func opportunisticFigure(all []Measured) (*Result, error) {
	points, err := timedGossips(all[0], func(p point) *stats.Sample { return &p.Coloring })
	if err != nil {
		return nil, err
	}
	r := timesFigure(all[0], points, "OCG", 3, "all ranks are reached")
	r.Claims = closeClaims(points, 3, 24, 1)
	missed := 0
	for i := range all[0].Points {
		complete := all[0].Points[i].Complete
		missed += complete.Runs - complete.Hits
	}
	r.Claims = append(r.Claims, Claim{What: "runs that miss somebody", Paper: "0", Ours: fmt.Sprint(missed), Holds: missed == 0})
	return r, nil
}

// checkedFigure is figure 5.
func checkedFigure(all []Measured) (*Result, error) {
	points, err := timedGossips(all[0], func(p point) *stats.Sample { return &p.Exit })
	if err != nil {
		return nil, err
	}
	r := timesFigure(all[0], points, "CCG", 4, "the last rank is done")
	r.Claims = closeClaims(points, 4, 25, 2)
	return r, nil
}

// failureProofFigure is figure 9. Its equation is a bound.
func failureProofFigure(all []Measured) (*Result, error) {
	points, err := timedGossips(all[0], func(p point) *stats.Sample { return &p.Exit })
	if err != nil {
		return nil, err
	}
	r := timesFigure(all[0], points, "FCG", 5, "the last rank is done")
	beyond := mostBeyond(points)
	r.Claims = []Claim{{What: "ticks by which a run is longer than the bound", Paper: "0", Ours: fmt.Sprintf("%.0f", max(0, beyond)), Holds: beyond <= 0}}
	r.Foot += fmt.Sprintf("\nbest T by equation 5: %s", listed(bestTimes(points, byEquation)))
	return r, nil
}
