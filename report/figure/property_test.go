package figure

import (
	"math"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyText is short, long, or of letters that are not ours. It has no marks that are drawn over the
// letter before: at the beginning of a text there is none.
var anyText = rapid.OneOf(
	rapid.StringOf(rapid.RuneFrom(nil, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc)),
	rapid.StringMatching(`([a-z]{1,12}[ =]){0,20}`), rapid.Just(""))

// anyAxis is an axis, and what can be on it.
func anyAxis(t *rapid.T, name string, categories bool) (Axis, *rapid.Generator[float64]) {
	a := Axis{Label: anyText.Draw(t, name+" label")}
	values := rapid.OneOf(rapid.Float64Range(-5, 5), rapid.Float64Range(-most, most), rapid.Just(7.0), rapid.Float64Range(1e9, 1e9+1))
	kinds := 3
	if categories {
		kinds++
	}
	switch rapid.IntRange(1, kinds).Draw(t, name+" kind") {
	case 2:
		a.Log = rapid.SampledFrom([]float64{2, 10, math.E, 1.5, 1e9}).Draw(t, name+" base")
		values = rapid.OneOf(rapid.Float64Range(0.01, 9), rapid.Float64Range(1/most, most), rapid.Just(1000.0))
	case 3:
		a.Min = rapid.Float64Range(-10, 10).Draw(t, name+" min")
		a.Max = a.Min + rapid.Float64Range(0.1, 10).Draw(t, name+" length")
	case 4:
		a.Names = rapid.SliceOfN(anyText, 1, 30).Draw(t, name+" names")
		values = rapid.Map(rapid.IntRange(0, len(a.Names)-1), func(i int) float64 { return float64(i) })
	}
	return a, values
}

// anyFigure is valid.
func anyFigure(t *rapid.T) Figure {
	f := Figure{Title: anyText.Draw(t, "title"), Note: anyText.Draw(t, "note"), Legend: Corner(rapid.IntRange(int(Auto), int(None)).Draw(t, "legend"))}
	x, onX := anyAxis(t, "x", true)
	y, onY := anyAxis(t, "y", false)
	f.X, f.Y = x, y
	for range rapid.IntRange(1, 12).Draw(t, "series") {
		s := Series{Name: anyText.Draw(t, "name"), Style: Style(rapid.IntRange(int(Lines), int(Rule)).Draw(t, "style")),
			Of: rapid.IntRange(0, 3).Draw(t, "of"), Dashed: rapid.Bool().Draw(t, "dashed")}
		for range rapid.IntRange(1, 8).Draw(t, "points") {
			p := Point{X: onX.Draw(t, "x"), Y: onY.Draw(t, "y")}
			if a, b := onY.Draw(t, "low"), onY.Draw(t, "high"); s.Style == Band || rapid.Bool().Draw(t, "interval") {
				p.Low, p.High = min(a, b), max(a, b)
			}
			s.Points = append(s.Points, p)
		}
		f.Series = append(f.Series, s)
	}
	return f
}

func TestAnyValidFigureIsDrawnInsideItsPage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFigure(t)
		require.NoError(t, f.validate())
		textsOf(t, written(t, f, "svg"))
		blankMargin(t, Sheet{Figures: []Figure{f}}, f.Title)
	})
}
