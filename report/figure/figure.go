package figure

// Figure is a diagram: series of points over two axes.
type Figure struct {
	Title  string
	Note   string // small line under the title, such as the machine: "65,536 ranks, L=2 o=1, 1,000 runs a point"
	X, Y   Axis
	Series []Series
	Legend Corner // where the names of the series are
}

// Axis is one of a figure's two axes. Its zero value is linear and as long as the data.
type Axis struct {
	Label    string   // with its unit: "quiescence (ticks)"
	Log      float64  // base of a logarithmic axis, such as 2 or 10; 0: linear
	Min, Max float64  // both 0: chosen from the data; else what is outside is not drawn
	Names    []string // a name for each of 0, 1, 2...: an x axis of categories
}

// Series is points that belong together.
type Series struct {
	Name   string // in the legend; without one it is not there
	Style  Style
	Of     int // series with the same number share a colour, such as a tree with and without acknowledgements; 0: a colour of its own
	Dashed bool
	Points []Point
}

// Point is one measurement. Low to High is drawn as an error bar unless both are 0; in a [Band] it
// is the ribbon, and Y means nothing. On a logarithmic axis an interval that begins at 0 or below
// goes down to the end of the axis.
type Point struct{ X, Y, Low, High float64 }

// Style is how a series is drawn.
type Style int

// The styles of series.
const (
	Lines  Style = iota // a line with a marker at each point
	Points              // markers only
	Bars                // bars from 0 to Y, beside those of other series at the same X
	Band                // a ribbon from Low to High
	Rule                // a thin line without markers: a bound, a prediction
)

// Corner is where the legend is.
type Corner int

// Where the legend can be. Auto and Below are outside the axes and never cover data; the corners
// are inside, for figures known to have room there. A legend too large for a corner is outside.
const (
	Auto Corner = iota // under the figure if it is short, else at its right
	TopLeft
	TopRight
	Below
	None
)
