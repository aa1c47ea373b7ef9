package main

import "github.com/mangrove-emu/mangrove/report/figure"

// latencyByFailures is figure 8 of Corrected Trees: lines with percentiles over a logarithmic axis.
func latencyByFailures() figure.Figure {
	f := figure.Figure{
		Title: "Latency by rate of failures", Note: "65,536 ranks, checked correction, 1,000 runs (gossip 200); bars: 5 to 95 %",
		X: figure.Axis{Label: "ranks that have failed (%)", Log: 10}, Y: figure.Axis{Label: "quiescence (ticks), mean"},
	}
	for _, s := range []struct {
		name    string
		heights [5][3]float64 // mean, 5 %, 95 %
	}{
		{"binomial", [5][3]float64{{74}, {75, 74, 76}, {77.6, 77, 79}, {79.4, 78, 82}, {82.8, 80, 88}}},
		{"4-ary", [5][3]float64{{64}, {64.9, 64, 66}, {67.5, 67, 69}, {69, 68, 71}, {71.9, 70, 75}}},
		{"Lamé", [5][3]float64{{56}, {56.8, 56, 58}, {59.3, 58, 61}, {60.8, 60, 62}, {63.3, 61, 66}}},
		{"optimal", [5][3]float64{{47}, {47.6, 47, 49}, {50.1, 49, 51}, {51.4, 50, 53}, {53.5, 52, 56}}},
		{"gossip, T=38", [5][3]float64{{56, 55, 58}, {56.1, 55, 58}, {56.5, 55, 58}, {57.2, 56, 59}, {58.1, 56, 61}}},
		{"gossip, T=39", [5][3]float64{{55.9, 55, 57}, {55.9, 55, 57}, {55.9, 55, 57}, {56.1, 55, 58}, {57, 56, 59}}},
		{"gossip, T=37, drained", [5][3]float64{{54.4, 54, 55}, {54.4, 54, 55}, {54.8, 54, 56}, {55.2, 54, 56}, {56.1, 55, 58}}},
	} {
		line := figure.Series{Name: s.name}
		for i, rate := range []float64{0.01, 0.1, 1, 2, 4} {
			y := s.heights[i]
			line.Points = append(line.Points, figure.Point{X: rate, Y: y[0], Low: y[1], High: y[2]})
		}
		f.Series = append(f.Series, line)
	}
	return f
}

// latencyOfGossip is a part of figure 7 of Corrected Gossip: groups of bars, some with intervals.
func latencyOfGossip() figure.Figure {
	return figure.Figure{
		Title: "Broadcasts on 4,096 ranks", Note: "L=2 o=1, means of 20 runs, with their 95 % confidence",
		X: figure.Axis{Names: []string{"GOS", "OCG", "CCG", "FCG", "BIG", "BFB"}}, Y: figure.Axis{Label: "latency (ticks), ± 95 %"},
		Series: []figure.Series{
			series("paper", figure.Bars, 1, []float64{53, 42, 44, 48, 60, 96}),
			series("ours, many receives at once", figure.Bars, 2, []float64{53, 42, 44.4, 48.3, 63, 96}, 0, 0, 0.4, 0.4, 0, 0),
			series("ours, LogP ports", figure.Bars, 3, []float64{53, 46.65, 51.6, 57.2, 63, 96}, 0, 0.3, 0.4, 0.5, 0, 0),
		},
	}
}

// series has points over 0, 1, 2 and so on, and how far off each may be.
func series(name string, style figure.Style, colour int, means []float64, off ...float64) figure.Series {
	s := figure.Series{Name: name, Style: style, Of: colour}
	for i, y := range means {
		p := figure.Point{X: float64(i), Y: y}
		if len(off) > 0 && off[i] > 0 {
			p.Low, p.High = y-off[i], y+off[i]
		}
		s.Points = append(s.Points, p)
	}
	return s
}

// comparison is what mangrove compare draws: several figures over the same long names.
func comparison() figure.Sheet {
	names := []string{"broadcast tree=lame", "broadcast", "gossip", "big", "broadcast correction=none"}
	return figure.Sheet{
		Title: "P=256 faults=crash:1%", Note: "50 runs of each line; intervals have a confidence of 95 %",
		Figures: []figure.Figure{{
			Title: "Latency", X: figure.Axis{Names: names}, Y: figure.Axis{Label: "time (ticks)"},
			Series: []figure.Series{
				series("colouring, mean", figure.Points, 1, []float64{26, 34.7, 28.2, 31.9, 31.7}, 0.6, 0.6, 0.6, 0.2, 0.3),
				series("colouring, 99 %", figure.Points, 1, []float64{29, 37, 33, 33, 32}),
				series("quiescence, mean", figure.Points, 2, []float64{34, 41.9, 41.3, 42.9, 31.8}, 0.2, 0.2, 0.3, 0.2, 0.2),
				series("quiescence, 99 %", figure.Points, 2, []float64{36, 44, 44, 44, 32}),
			},
		}, {
			Title: "Messages", X: figure.Axis{Names: names}, Y: figure.Axis{Label: "messages"},
			Series: []figure.Series{series("", figure.Bars, 1, []float64{1514.7, 1508.1, 3298.5, 2030.7, 248.4}, 15.2, 21.1, 15.6, 3, 5.4)},
		}},
	}
}
