package figure

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func written(t require.TestingT, drawing interface{ Write(io.Writer, string) error }, format string) []byte {
	var b bytes.Buffer
	require.NoError(t, drawing.Write(&b, format))
	return b.Bytes()
}

// textsOf reads an SVG and returns all its texts, without spaces: a text may have been broken there.
func textsOf(t require.TestingT, svg []byte) string {
	var all strings.Builder
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return all.String()
		}
		require.NoError(t, err)
		if text, ok := token.(xml.CharData); ok {
			all.WriteString(squeeze(string(text)))
		}
	}
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }

func TestEveryTextIsInTheSVG(t *testing.T) {
	for name, f := range gallery() {
		texts := textsOf(t, written(t, f, "svg"))
		wanted := []string{f.Title, f.Note, f.X.Label, f.Y.Label}
		if name != "many" { // which has no room for all
			wanted = append(wanted, f.X.Names...)
		}
		for _, s := range f.Series {
			wanted = append(wanted, s.Name)
		}
		for _, want := range wanted {
			assert.Contains(t, texts, squeeze(want), name)
		}
	}
}

func TestTextsAreEscaped(t *testing.T) {
	f := Figure{Title: `<a & "b">`, X: Axis{Label: "</svg>"}, Series: []Series{{Name: "\x00<text>", Points: []Point{{}}}}}
	svg := written(t, f, "svg")
	assert.Contains(t, textsOf(t, svg), `<a&"b">`)
	assert.Contains(t, string(svg), "<title>&lt;a &amp; &#34;b&#34;&gt;</title>")
}

func TestEveryPointHasAMarker(t *testing.T) {
	count := func(svg []byte, style string) int {
		return len(regexp.MustCompile(`Z" style="`+style).FindAll(svg, -1))
	}
	hex := func(i int) string { return fmt.Sprintf("#%02X%02X%02X", palette[i].R, palette[i].G, palette[i].B) }
	const inLegend = 1
	trees := written(t, gallery()["trees"], "svg")
	for i := range 4 {
		assert.Equal(t, 9+inLegend, count(trees, "fill:"+hex(i)), "series %d", i)
	}
	assert.Equal(t, 500, count(written(t, gallery()["scatter"], "svg"), "fill:#[0-9A-F]*;fill-opacity:0.6"))
	compare := written(t, gallery()["compare"], "svg")
	for i := range 2 {
		assert.Equal(t, 5+inLegend, count(compare, "fill:"+hex(i)))
		assert.Equal(t, 5+inLegend, count(compare, "fill:none;stroke:"+hex(i)), "open ones")
	}
	bars := written(t, gallery()["bars"], "svg")
	for i := range 3 {
		assert.Equal(t, 6+inLegend, count(bars, "fill:none;stroke:"+hex(i)), "bars have an outline")
	}
}

func TestErrorBarsHaveCaps(t *testing.T) {
	f := Figure{Series: []Series{{Points: []Point{{1, 2, 1, 3}, {2, 2, 0, 0}, {3, 2, 0, 3}}}}}
	bars := regexp.MustCompile(`style="fill:none;stroke:#0072B2;stroke-width:1.2"`)
	assert.Len(t, bars.FindAll(written(t, f, "svg"), -1), 2*3, "a line and two caps each")
	f.Y.Max = 2.5 // their upper ends are not on the axis
	assert.Len(t, bars.FindAll(written(t, f, "svg"), -1), 2*2)
}

func TestPNGHasItsSizeAndTheColoursOfAllSeries(t *testing.T) {
	img, err := png.Decode(bytes.NewReader(written(t, gallery()["trees"], "png")))
	require.NoError(t, err)
	require.Equal(t, image.Pt(7*dpi, 4.5*dpi), img.Bounds().Size())
	for _, name := range []string{"trees", "bars", "ribbon", "rules", "ten"} {
		f := gallery()[name]
		seen := coloursOf(Sheet{Figures: []Figure{f}}.raster(dpi / 2).Image())
		for i, look := range f.looks() {
			if f.Series[i].Style != Band { // which is seen through
				assert.Greater(t, seen[look.colour], 20, "%s: %s", name, f.Series[i].Name)
			}
		}
	}
}

func coloursOf(img image.Image) map[color.NRGBA]int {
	seen := make(map[color.NRGBA]int)
	pixels := img.(*image.RGBA).Pix
	for i := 0; i < len(pixels); i += 4 {
		seen[color.NRGBA{pixels[i], pixels[i+1], pixels[i+2], pixels[i+3]}]++
	}
	return seen
}

func TestTheSameFigureGivesTheSameBytes(t *testing.T) {
	require.Equal(t, written(t, gallery()["one"], "png"), written(t, gallery()["one"], "png"))
	require.Equal(t, written(t, sheetOfThree(), "svg"), written(t, sheetOfThree(), "svg"))
	for name, f := range gallery() {
		require.Equal(t, written(t, f, "svg"), written(t, f, "svg"), name)
	}
}

// roughly is the resolution of pictures that only tests see.
const roughly = 48

// blankMargin fails if something is drawn at the edge of a page, as texts that do not fit are.
func blankMargin(t require.TestingT, s Sheet, name string) {
	img := s.raster(roughly).Image()
	size := img.Bounds().Size()
	const free = (edge - 3) * roughly / 72
	drawn := false
	for y := range size.Y {
		for x := range size.X {
			r, g, b, _ := img.At(x, y).RGBA()
			white := r == 0xffff && g == 0xffff && b == 0xffff
			atEdge := x < free || y < free || x >= size.X-free || y >= size.Y-free
			if atEdge && !white {
				require.Fail(t, "something is cut off", "%s: at %d, %d of %v", name, x, y, size)
			}
			drawn = drawn || !white
		}
	}
	require.True(t, drawn, name)
}

func TestNothingIsCutOff(t *testing.T) {
	for name, f := range gallery() {
		blankMargin(t, Sheet{Figures: []Figure{f}}, name)
		blankMargin(t, Sheet{Figures: []Figure{f, f, f, f, f}, Columns: 3}, name)
		f.Title, f.Note = "", ""
		f.X.Label, f.Y.Label = strings.Repeat("a long label ", 30), strings.Repeat("label", 100)
		blankMargin(t, Sheet{Figures: []Figure{f}}, name)
	}
	blankMargin(t, sheetOfThree(), "sheet")
}

func TestTheLegendCoversNoData(t *testing.T) {
	for name, f := range gallery() {
		for _, corner := range []Corner{Auto, Below} {
			f.Legend = corner
			l := Sheet{Figures: []Figure{f}}.arrange().layouts[0]
			data, g := l.data(), l.legend
			switch g.place {
			case None:
			case beside:
				assert.Less(t, data.Max.X, l.area.Max.X-g.size.X, name)
			default:
				assert.Less(t, l.area.Min.Y+g.size.Y, data.Min.Y-l.x.depth, name)
			}
		}
	}
}

func TestLegendsAreBesideOrBelow(t *testing.T) {
	f := gallery()["trees"]
	legendOf := func() legend { return Sheet{Figures: []Figure{f}}.arrange().layouts[0].legend }
	g := legendOf()
	assert.Equal(t, Below, g.place)
	assert.Equal(t, 1, g.rows())
	for i := range 5 {
		f.Series = append(f.Series, f.Series[0])
		f.Series[4+i].Name = "rather a long name, yes"
	}
	g = legendOf()
	assert.Equal(t, beside, g.place, "four rows")
	f.Legend = TopLeft
	g = legendOf()
	assert.True(t, g.inside())
	for i := range f.Series {
		f.Series[i].Name = strings.Repeat("so long that nine do not fit inside", 6)
	}
	g = legendOf()
	assert.False(t, g.inside())
	f.Legend = None
	assert.NotContains(t, textsOf(t, written(t, f, "svg")), "binomial")
}

func TestAxesOfARowAreAtTheSameHeight(t *testing.T) {
	layouts := sheetOfThree().arrange().layouts
	for _, l := range layouts[1:] {
		assert.Equal(t, layouts[0].data().Min.Y, l.data().Min.Y)
		assert.Equal(t, layouts[0].data().Max.Y, l.data().Max.Y)
	}
}

func TestSeriesThatShareAColourDifferInTheirMarkers(t *testing.T) {
	looks := Figure{Series: []Series{{Of: 7}, {}, {Of: 7}, {}, {Of: 7, Dashed: true}}}.looks()
	assert.Equal(t, looks[0].colour, looks[2].colour)
	assert.Equal(t, looks[0].colour, looks[4].colour)
	assert.NotEqual(t, looks[1].colour, looks[3].colour)
	assert.NotEqual(t, looks[0].open, looks[2].open)
	assert.NotEqual(t, looks[0].shape, looks[4].shape)
	assert.Nil(t, looks[0].dashes)
	assert.NotNil(t, looks[4].dashes)
}

func TestTwentyEightSeriesDifferWithoutColours(t *testing.T) {
	looks := Figure{Series: make([]Series, 28)}.looks()
	seen := make(map[string]int)
	for i, l := range looks {
		key := fmt.Sprint(l.shape, l.open, l.dashes)
		other, taken := seen[key]
		require.False(t, taken, "%d looks like %d in grey", i, other)
		seen[key] = i
	}
}

func TestPointsOfTwoSeriesOverACategoryAreSideBySide(t *testing.T) {
	f := pointsOverCategories()
	p := Sheet{Figures: []Figure{f}}.arrange()
	p.layouts[0].dodge()
	looks := p.layouts[0].looks
	assert.Equal(t, looks[0].shift, looks[1].shift, "of one colour")
	assert.Equal(t, looks[0].shift, -looks[2].shift)
	assert.Less(t, looks[0].shift, looks[2].shift)
}

func TestLinesAreMovedApartOnlyIfTheirErrorBarsMeet(t *testing.T) {
	shifts := func(high float64) []float64 {
		f := Figure{Series: []Series{{Points: []Point{{1, 5, 4, 6}, {2, 5, 4, 6}}}, {Points: []Point{{1, 3, 2, high}, {2, 3, 2, 3.5}}}}}
		p := Sheet{Figures: []Figure{f}}.arrange()
		p.layouts[0].dodge()
		looks := p.layouts[0].looks
		return []float64{float64(looks[0].shift), float64(looks[1].shift)}
	}
	assert.Equal(t, []float64{0, 0}, shifts(3.9))
	assert.Equal(t, []float64{-1.25, 1.25}, shifts(4.1))
}

// Bars of different groups stand side by side; so do points, but over categories only, if there is one or more.
func TestWhatStandsSideBySide(t *testing.T) {
	for _, c := range []struct {
		style Style
		names []string
		want  int
	}{
		{Bars, nil, 2}, {Bars, []string{"a"}, 2}, {Points, nil, 0}, {Points, []string{"a"}, 2}, {Points, []string{"a", "b"}, 2}, {Lines, []string{"a"}, 0},
	} {
		point := []Point{{X: 0, Y: 1}}
		f := Figure{X: Axis{Names: c.names}, Series: []Series{{Style: c.style, Points: point}, {Style: c.style, Points: point}}}
		l := layout{Figure: f, looks: f.looks()}
		assert.Len(t, l.columns(), c.want, "%v", c)
	}
}
