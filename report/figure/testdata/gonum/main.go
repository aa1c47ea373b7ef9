// Command gonum draws three figures twice and puts them beside each other: at the left with package figure,
// at the right with gonum's plot and plotter. docs/decisions.md says what is lost there.
//
//	go run -tags minimal ./report/figure/testdata/gonum > docs/pictures/figure-gonum.svg
//
// The tag keeps gonum's plot from importing all formats it knows.
package main

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

func main() {
	lines, bars, sheet := latencyByFailures(), latencyOfGossip(), comparison()
	var page bytes.Buffer
	y := 30.0
	y += beside(&page, y, lines, plain(lines))
	y += beside(&page, y, bars, plain(bars))
	y += beside(&page, y, sheet, plain(sheet.Figures[0]), plain(sheet.Figures[1]))
	fmt.Printf(`<svg width="%gpt" height="%gpt" viewBox="0 0 %[1]g %[2]g" xmlns="http://www.w3.org/2000/svg" role="img">
<title>Three figures of package figure, and the same of gonum's plot</title>
<rect width="100%%" height="100%%" fill="#eeeeee" />
<g font-family="'Liberation Sans',Arimo,Arial,Helvetica,sans-serif" font-size="15">
<text x="12" y="20">package figure</text><text x="%g" y="20">gonum's plot and plotter</text>
</g>
%s</svg>
`, 2*width+3*gap, y, width+2*gap+12, page.String())
}

const (
	width = 504.0 // of a figure
	gap   = 8.0
)

// drawing is a figure or a sheet.
type drawing interface {
	Write(w io.Writer, format string) error
}

// beside puts a drawing and plots on a page of the same size beside each other, and returns how high they are.
func beside(page *bytes.Buffer, y float64, ours drawing, theirs ...*plot.Plot) float64 {
	var left, right bytes.Buffer
	if err := ours.Write(&left, "svg"); err != nil {
		panic(err)
	}
	size := svgSize.FindStringSubmatch(left.String())
	w, h := must(strconv.ParseFloat(size[1], 64)), must(strconv.ParseFloat(size[2], 64))
	c := vgsvg.New(vg.Length(w), vg.Length(h))
	white := draw.New(c)
	white.SetColor(color.White)
	white.Fill(white.Path())
	tiles := draw.Tiles{Rows: 1, Cols: len(theirs), PadX: 22}
	for i, part := range plot.Align([][]*plot.Plot{theirs}, tiles, white)[0] {
		theirs[i].Draw(part)
	}
	must(c.WriteTo(&right))
	high := h * width / w
	place(page, left.String(), gap, y, high)
	place(page, strings.ReplaceAll(right.String(), "Liberation Sans", "'Liberation Sans',Arimo,Arial,Helvetica,sans-serif"), width+2*gap, y, high)
	return high + gap
}

var svgSize = regexp.MustCompile(`<svg width="([0-9.]+)pt" height="([0-9.]+)pt"`)

// place puts an SVG into another one.
func place(page *bytes.Buffer, svg string, x, y, high float64) {
	at := svgSize.FindStringIndex(svg)
	fmt.Fprintf(page, `<svg x="%g" y="%.5g" width="%g" height="%.5g"%s`, x, y, width, high, svg[at[1]:])
}
