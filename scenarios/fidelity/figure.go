package fidelity

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
)

// Figure shows the ratio of each row with its interval. Machine is what was measured on, such as "processes over TCP", and note says how.
func Figure(rows []Row, machine, note string) figure.Figure {
	f := figure.Figure{
		Title:  "Broadcasts against the emulator: " + machine,
		Note:   note,
		X:      figure.Axis{Label: "line, by its number"},
		Y:      figure.Axis{Label: "measured / emulated", Log: 2},
		Series: []figure.Series{{Name: "median and range", Style: figure.Points}, {Name: "as emulated", Style: figure.Rule}},
	}
	for i, row := range rows {
		f.X.Names = append(f.X.Names, fmt.Sprint(row.Line.Number))
		f.Series[0].Points = append(f.Series[0].Points, figure.Point{X: float64(i), Y: row.Ratio.Value, Low: row.Ratio.Low, High: row.Ratio.High})
		f.Series[1].Points = append(f.Series[1].Points, figure.Point{X: float64(i), Y: 1})
	}
	return f
}
