package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
)

// legend is the names of series, in a grid of columns and rows.
type legend struct {
	place   Corner // never Auto
	entries []entry
	columns int
	widths  []vg.Length // of columns, without what is between them
	size    vg.Point
}

// beside is where Auto puts a legend that is too long for Below: at the right of the axes.
const beside Corner = -1

// entry is a name and what its series looks like.
type entry struct {
	style Style
	look  look
	name  []string
}

const (
	sampleGap    = 6
	columnGap    = 18
	legendGap    = 10 // to the axes, outside
	inset        = 8  // the same, inside
	longestName  = 3  // in lines
	mostRows     = 3  // of a legend under the figure that could be beside it
	legendBeside = 0.34
)

// newLegend makes a legend for a page so wide.
func (l *layout) newLegend(width vg.Length) legend {
	named := slices.ContainsFunc(l.Series, func(s Series) bool { return s.Name != "" })
	if !named || l.Legend == None {
		return legend{place: None}
	}
	if l.Legend != Auto && l.Legend != Below {
		return l.legendAt(l.Legend, width/2, 1)
	}
	below, side := l.legendAt(Below, width, len(l.Series)), l.legendAt(beside, legendBeside*width, 1)
	if l.Legend == Auto && below.rows() > mostRows && side.size.Y <= leastY {
		return side
	}
	return below
}

// legendAt has as few rows as fit into the width, and no more columns than these need.
func (l *layout) legendAt(place Corner, width vg.Length, mostColumns int) legend {
	g := legend{place: place}
	for i, s := range l.Series {
		if s.Name != "" {
			e := entry{style: s.Style, look: l.looks[i]}
			e.name = labels().wrap(s.Name, width-e.sample()-sampleGap, longestName)
			g.entries = append(g.entries, e)
		}
	}
	g.arrange(1)
	for columns := 2; columns <= mostColumns; columns++ {
		wider := g
		if wider.arrange(columns); wider.size.X <= width && wider.rows() < g.rows() {
			g = wider
		}
	}
	return g
}

// inside says whether the legend is in a corner of the axes.
func (g *legend) inside() bool { return g.place == TopLeft || g.place == TopRight }

func (g *legend) rows() int { return (len(g.entries) + g.columns - 1) / g.columns }

// arrange measures so many columns, and their rows.
func (g *legend) arrange(columns int) {
	g.columns, g.widths = columns, make([]vg.Length, columns)
	for i, e := range g.entries {
		column := &g.widths[i%columns]
		*column = max(*column, e.sample()+sampleGap+labels().widest(e.name))
	}
	g.size = vg.Point{X: columnGap * vg.Length(columns-1)}
	for _, w := range g.widths {
		g.size.X += w
	}
	for row := range g.rows() {
		g.size.Y += g.rowHeight(row)
	}
}

func (g *legend) rowHeight(row int) vg.Length {
	most := 1
	for _, e := range g.entries[row*g.columns : min(len(g.entries), (row+1)*g.columns)] {
		most = max(most, len(e.name))
	}
	return vg.Length(most)*labels().leading() + 2
}

// draw puts the legend's upper left corner at a point.
func (g *legend) draw(p pen, corner vg.Point) {
	y := corner.Y
	for row := range g.rows() {
		x := corner.X
		for column := range g.columns {
			if i := row*g.columns + column; i < len(g.entries) {
				g.entries[i].draw(p, vg.Point{X: x, Y: y - 1})
			}
			x += g.widths[column] + columnGap
		}
		y -= g.rowHeight(row)
	}
}

// sample is the width of what a series looks like.
func (e entry) sample() vg.Length {
	switch e.style {
	case Points:
		return 12
	case Bars, Band:
		return 20
	}
	return 26
}

func (e entry) draw(p pen, at vg.Point) {
	width := e.sample()
	middle := vg.Point{X: at.X + width/2, Y: at.Y - labels().leading()/2}
	area := vg.Rectangle{Min: vg.Point{X: at.X, Y: middle.Y - 5}, Max: vg.Point{X: at.X + width, Y: middle.Y + 5}}
	switch e.style {
	case Bars:
		p.fillBar(e.look, area)
	case Band:
		p.fill(e.look.ribbon(), area.Path())
	case Points:
		e.look.small = false
		p.marker(e.look, middle)
	case Lines:
		p.StrokeLine2(e.look.stroke(lineWidth), at.X, middle.Y, at.X+width, middle.Y)
		p.marker(e.look, middle)
	case Rule:
		p.StrokeLine2(e.look.stroke(thinWidth), at.X, middle.Y, at.X+width, middle.Y)
	}
	p.text(labels(), e.name, vg.Point{X: at.X + width + sampleGap, Y: at.Y}, 0, 0, 0)
}

// ribbon is the colour of a band. Others can be seen through it.
func (l look) ribbon() color.NRGBA {
	return color.NRGBA{l.colour.R, l.colour.G, l.colour.B, 0x40}
}
