package paper

import (
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// barFigure has three bars for each algorithm: the paper's, and ours with two kinds of ports.
type barFigure struct{ figure.Figure }

func bars(label string, names []string) barFigure {
	return barFigure{figure.Figure{
		X: figure.Axis{Names: names}, Y: figure.Axis{Label: label},
		Series: []figure.Series{
			{Name: "paper", Style: figure.Bars},
			{Name: "ours, many receives at once", Style: figure.Bars},
			{Name: "ours, LogP ports", Style: figure.Bars},
		},
	}}
}

// add appends the bars of the next algorithm, in some unit.
func (f *barFigure) add(printed float64, many, one *stats.Sample, unit float64) {
	x := float64(len(f.Series[0].Points))
	points := []figure.Point{{X: x, Y: printed / unit}}
	for _, s := range []*stats.Sample{many, one} {
		mean, sure := s.Mean()/unit, confidence(s)/unit
		points = append(points, withBar(x, mean, mean-sure, mean+sure))
	}
	for i := range f.Series {
		f.Series[i].Points = append(f.Series[i].Points, points[i])
	}
}
