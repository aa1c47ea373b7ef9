package paper

import (
	"fmt"
	"math"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// printedTable is table 1 of the paper: by the percentage of ranks that are down, the percentiles 99 and
// 99.9 and the largest, of the largest gap and of the time that correction takes.
var printedTable = map[float64]struct{ gap, took [3]float64 }{
	0.01: {[3]float64{1, 2, 3}, [3]float64{10, 12, 14}},
	0.1:  {[3]float64{2, 3, 6}, [3]float64{12, 13, 16}},
	1:    {[3]float64{5, 7, 19}, [3]float64{16, 19, 32}},
	2:    {[3]float64{8, 11, 35}, [3]float64{19, 24, 56}},
	4:    {[3]float64{13, 20, 55}, [3]float64{26, 34, 86}},
}

// correctionTable is table 1.
func correctionTable(all []Measured) (*Result, error) {
	points, err := all[0].points()
	if err != nil {
		return nil, err
	}
	r := &Result{
		Note: faultNote(all) + "; all trees together",
		Table: Table{Columns: []Column{
			{Name: "down %", Digits: 2}, {Name: "runs"}, {Name: "percentile", Digits: 1}, {Name: "largest gap"}, {Name: "paper's gap"}, {Name: "correction"}, {Name: "paper's correction"},
		}},
		Foot: "percentile 100: the most. The paper has 400,000 runs of each rate; the most of fewer runs is less",
	}
	rates, groups := grouped(points, point.downPercent)
	curves := [2][4]figure.Series{}
	worst := 0.0
	for _, rate := range rates {
		var gap, took stats.Sample
		for _, p := range groups[rate] {
			for c, times := range p.Corrections {
				gap.AddTimes(float64(c.Gap), times)
				took.AddTimes(float64(c.Took), times)
			}
		}
		printed := printedTable[rate]
		for k, percentile := range []float64{99, 99.9, 100} {
			g, t := gap.Percentile(percentile), took.Percentile(percentile)
			r.Table.Add(rate, gap.Len(), percentile, g, printed.gap[k], t, printed.took[k])
			if k == 0 {
				worst = max(worst, math.Abs(g-printed.gap[k]), math.Abs(t-printed.took[k]))
			}
			if k == 2 {
				continue // with fewer runs the most is less
			}
			for i, y := range []float64{g, t} {
				curves[i][k].Points = append(curves[i][k].Points, figure.Point{X: rate, Y: y})
			}
			for i, y := range []float64{printed.gap[k], printed.took[k]} {
				curves[i][2+k].Points = append(curves[i][2+k].Points, figure.Point{X: rate, Y: y})
			}
		}
	}
	r.Claims = []Claim{
		{"99 % percentiles: farthest from the paper's", "0", fmt.Sprintf("%.0f", worst), worst <= 1},
		boundsClaim(points),
	}
	sheet := figure.Sheet{Title: "Cost of correction under failures", Note: r.Note, Columns: 2}
	for i, label := range []string{"largest gap (ranks)", "correction (ticks)"} {
		f := figure.Figure{X: figure.Axis{Label: "ranks that have failed (%)", Log: 10}, Y: figure.Axis{Label: label}}
		for k, name := range []string{"99 %", "99.9 %", "99 %, paper", "99.9 %, paper"} {
			s := curves[i][k]
			s.Name, s.Of, s.Dashed = name, 1+k%2, k >= 2
			f.Series = append(f.Series, s)
		}
		sheet.Figures = append(sheet.Figures, f)
	}
	r.Drawing = sheet
	return r, nil
}
