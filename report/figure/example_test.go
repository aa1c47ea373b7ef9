package figure_test

import (
	"bytes"
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
)

// A line with error bars, and a bound it stays below.
func Example() {
	f := figure.Figure{
		Title: "Quiescence of broadcasts",
		Note:  "4,096 ranks, L=2 o=1, 100 runs a point",
		X:     figure.Axis{Label: "ranks that failed (%)", Log: 10},
		Y:     figure.Axis{Label: "quiescence (ticks)"},
		Series: []figure.Series{
			{Name: "Lamé", Points: []figure.Point{{X: 0.1, Y: 42}, {X: 1, Y: 45.9, Low: 45.7, High: 46.1}, {X: 4, Y: 48.5, Low: 48.3, High: 48.7}}},
			{Name: "bound", Style: figure.Rule, Points: []figure.Point{{X: 0.1, Y: 60}, {X: 4, Y: 60}}},
		},
	}
	var svg bytes.Buffer
	if err := f.Write(&svg, "svg"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(bytes.Count(svg.Bytes(), []byte("<text")), "texts")
	fmt.Println(figure.Save("quiescence.pdf", f))
	// Output:
	// 15 texts
	// figure: "quiescence.pdf" ends with ".pdf", want .svg or .png
}
