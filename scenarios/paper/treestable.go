package paper

import (
	"fmt"
	"math"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// printedTable is table 1 of the paper: by the percentage of ranks that are down, the percentiles 99 and
// 99.9 and the largest, of the largest gap and of the time that correction takes.
var printedTable = map[float64][2][3]float64{
	0.01: {{1, 2, 3}, {10, 12, 14}},
	0.1:  {{2, 3, 6}, {12, 13, 16}},
	1:    {{5, 7, 19}, {16, 19, 32}},
	2:    {{8, 11, 35}, {19, 24, 56}},
	4:    {{13, 20, 55}, {26, 34, 86}},
}

// correctionTable is table 1.
func correctionTable(all []measured) (*Result, error) {
	r := &Result{
		Note: faultNote(all) + "; all trees together",
		Table: Table{Columns: []Column{
			{Name: "down %", Digits: 2}, {Name: "runs"}, {Name: "percentile", Digits: 1}, {Name: "largest gap"}, {Name: "paper's gap"}, {Name: "correction"}, {Name: "paper's correction"},
		}},
		Foot: "percentile 100: the most. The paper has 400,000 runs of each rate; the most of fewer runs is less",
	}
	var curves [2][4][]figure.Point // of gaps and times: two percentiles, then those of the paper
	worst := 0.0
	for _, same := range grouped(all[0].points, point.downPercent) {
		var gap, took stats.Sample
		for c, times := range corrections(same.points) {
			gap.AddTimes(float64(c.Gap), times)
			took.AddTimes(float64(c.Took), times)
		}
		rate, printed := same.key, printedTable[same.key]
		for k, percentile := range []float64{99, 99.9, 100} {
			ours := [2]float64{gap.Percentile(percentile), took.Percentile(percentile)}
			r.Table.add(rate, gap.Len(), percentile, ours[0], printed[0][k], ours[1], printed[1][k])
			for i := range ours {
				if k == 0 {
					worst = max(worst, math.Abs(ours[i]-printed[i][k]))
				}
				if k < 2 { // with fewer runs the most is less
					curves[i][k] = append(curves[i][k], figure.Point{X: rate, Y: ours[i]})
					curves[i][2+k] = append(curves[i][2+k], figure.Point{X: rate, Y: printed[i][k]})
				}
			}
		}
	}
	r.Claims = []Claim{
		judged("99 % percentiles: farthest from the paper's", "0", fmt.Sprintf("%.0f", worst), number(worst).in(atMost(1))),
		boundsClaim(corrections(all[0].points)),
	}
	sheet := figure.Sheet{Title: "Cost of correction under failures", Note: r.Note, Columns: 2}
	for i, label := range []string{"largest gap (ranks)", "correction (ticks)"} {
		f := figure.Figure{X: failedAxis, Y: figure.Axis{Label: label}}
		for k, name := range []string{"99 %", "99.9 %", "99 %, paper", "99.9 %, paper"} {
			f.Series = append(f.Series, figure.Series{Name: name, Of: 1 + k%2, Dashed: k >= 2, Points: curves[i][k]})
		}
		sheet.Figures = append(sheet.Figures, f)
	}
	r.Drawing = sheet
	return r, nil
}
