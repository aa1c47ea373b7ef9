package paper

import (
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// caseStudyBars draws three bars for each row, in some unit: the paper's number, and ours with two kinds of ports.
func caseStudyBars(rows []caseStudyRow, title, label string, unit float64, paper func(caseStudyRow) float64, ours func(point) *stats.Sample) figure.Figure {
	f := figure.Figure{Title: title, Y: figure.Axis{Label: label}, Series: []figure.Series{
		{Name: "paper", Style: figure.Bars},
		{Name: "ours, many receives at once", Style: figure.Bars},
		{Name: "ours, LogP ports", Style: figure.Bars},
	}}
	for i, row := range rows {
		x := float64(i)
		f.X.Names = append(f.X.Names, row.algorithm)
		f.Series[0].Points = append(f.Series[0].Points, figure.Point{X: x, Y: paper(row) / unit})
		for k, p := range []point{row.many, row.one} {
			mean, sure := ours(p).Mean()/unit, confidence(ours(p))/unit
			f.Series[1+k].Points = append(f.Series[1+k].Points, withBar(x, mean, mean-sure, mean+sure))
		}
	}
	return f
}
