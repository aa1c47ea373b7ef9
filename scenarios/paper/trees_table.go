package paper

import (
	"fmt"
	"math"

	"github.com/mangrove-emu/mangrove/figure"
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
		Note: faultNote(all, "all trees together, ours / the paper's"),
		Table: Table{Columns: []Column{
			{Name: "down %", Digits: 2}, {Name: "runs"}, {Name: "gap, 99 %"}, {Name: "gap, 99.9 %"}, {Name: "largest"},
			{Name: "time, 99 %"}, {Name: "time, 99.9 %"}, {Name: "longest"},
		}},
		Foot: "the paper has 400,000 runs of each row; the largest of fewer runs is smaller",
	}
	rates, groups := grouped(points, point.downPercent)
	curves := [2][4]figure.Series{}
	worst := 0.0
	for _, rate := range rates {
		var gap, took stats.Sample
		for _, p := range groups[rate] {
			for c, times := range p.Corrections {
				for range times {
					gap.Add(float64(c.Gap))
					took.Add(float64(c.Took))
				}
			}
		}
		printed := printedTable[rate]
		row := []any{rate, gap.Len()}
		for i, x := range []struct {
			sample  *stats.Sample
			printed [3]float64
		}{{&gap, printed.gap}, {&took, printed.took}} {
			for k, value := range []float64{x.sample.Percentile(99), x.sample.Percentile(99.9), x.sample.Max()} {
				row = append(row, fmt.Sprintf("%.0f / %.0f", value, x.printed[k]))
				if k == 0 {
					worst = max(worst, math.Abs(value-x.printed[k]))
				}
				if k < 2 {
					curves[i][k].Points = append(curves[i][k].Points, figure.Point{X: rate, Y: value})
					curves[i][2+k].Points = append(curves[i][2+k].Points, figure.Point{X: rate, Y: x.printed[k]})
				}
			}
		}
		r.Table.Add(row...)
	}
	r.Claims = []Claim{
		{"99 % percentiles: farthest from the paper's", "0", fmt.Sprintf("%.0f", worst), worst <= 1},
		boundsClaim(points),
	}
	sheet := figure.Sheet{Title: "Cost of correction under failures", Note: faultNote(all, "all trees together"), Columns: 2}
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
