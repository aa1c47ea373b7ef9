package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette is that of Okabe and Ito, which people who do not see all colours can tell apart; its
// yellow is left out, which is hard to see on white.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0x00, 0x00, 0x00, 0xff}, // black
}

// look is what tells a series from others, also without colours.
type look struct {
	group  int // which of the colours
	colour color.NRGBA
	shape  shape
	open   bool // the marker is not filled
	dashes []vg.Length
	hatch  int // how a bar is filled
	small  bool
	shift  vg.Length // to the right, so that it does not hide others; see dodge
}

// looks are those of all series. Series of the same group have the same colour; the first of a
// group has filled markers, others have open ones.
func (f Figure) looks() []look {
	groups := make(map[int]int) // by Of
	members := make(map[int]int)
	// Whether dashes mean something in this figure.
	dashed := slices.ContainsFunc(f.Series, func(s Series) bool { return s.Dashed })
	all := make([]look, len(f.Series))
	count := 0
	for i, s := range f.Series {
		group, known := groups[s.Of]
		if s.Of == 0 || !known {
			group, count = count, count+1
			groups[s.Of] = group
		}
		n := members[group]
		if s.Style == Lines || s.Style == Points || s.Style == Bars {
			members[group]++
		}
		round := group / len(palette)
		all[i] = look{
			group: group, colour: palette[group%len(palette)],
			shape: shape(group+2*round+n/2) % shapes, open: n%2 == 1,
			hatch: (group + n) % hatches, small: s.Style == Points && len(s.Points) > manyPoints,
		}
		switch {
		case s.Dashed:
			all[i].dashes = dashPatterns[1+round%3]
		case !dashed && s.Style == Rule:
			all[i].dashes = dashPatterns[group%len(dashPatterns)] // it has no markers to tell it from others
		case !dashed:
			all[i].dashes = dashPatterns[round%len(dashPatterns)]
		}
	}
	return all
}

// manyPoints are so many that markers are small.
const manyPoints = 150

var dashPatterns = [][]vg.Length{nil, {6, 3}, {2, 2.5}, {8, 3, 2, 3}}

// width of lines, and of thin ones.
const (
	lineWidth = 1.8
	thinWidth = 1.2
)

func (l look) stroke(width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: l.colour, Width: width, Dashes: l.dashes}
}

// firm is a stroke without dashes.
func (l look) firm(width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: l.colour, Width: width}
}

// tint is the colour with white in it: 0 is white, 1 the colour.
func (l look) tint(share float64) color.NRGBA {
	mix := func(c uint8) uint8 { return uint8(255 - share*float64(255-c)) }
	return color.NRGBA{mix(l.colour.R), mix(l.colour.G), mix(l.colour.B), 0xff}
}
