package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// legend is the names of series, in a grid of columns and rows.
type legend struct {
	place   Corner
	right   bool // beside the axes
	entries []entry
	columns int
	widths  []vg.Length // of columns, without what is between them
	size    vg.Point
}

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
func (f Figure) newLegend(looks []look, width vg.Length) legend {
	if f.Legend == None || f.named() == 0 {
		return legend{place: None}
	}
	switch f.Legend {
	case Auto:
		below := f.legendWithin(looks, width, f.named())
		below.place = Below
		beside := f.legendWithin(looks, legendBeside*width, 1)
		beside.right = below.rows() > mostRows && beside.size.Y <= leastY
		if beside.right {
			return beside
		}
		return below
	case Below:
		return f.legendWithin(looks, width, f.named())
	}
	return f.legendWithin(looks, width/2, 1)
}

func (f Figure) named() (count int) {
	for _, s := range f.Series {
		if s.Name != "" {
			count++
		}
	}
	return count
}

// legendWithin has as many columns as fit, up to so many.
func (f Figure) legendWithin(looks []look, width vg.Length, columns int) legend {
	g := legend{place: f.Legend}
	for i, s := range f.Series {
		if s.Name != "" {
			e := entry{style: s.Style, look: looks[i]}
			e.name = labels().wrap(s.Name, width-e.sample()-sampleGap, longestName)
			g.entries = append(g.entries, e)
		}
	}
	for g.columns = columns; ; g.columns-- {
		g.arrange()
		if g.size.X <= width || g.columns == 1 {
			break
		}
	}
	// As few columns as the same number of rows needs: the last row is as full as can be.
	for fewer := g; fewer.columns > 1 && fewer.rows() == g.rows(); {
		fewer.columns--
		fewer.arrange()
		if fewer.rows() == g.rows() && fewer.size.X <= width {
			g = fewer
		}
	}
	return g
}

// inside says whether the legend is in a corner of the axes.
func (g *legend) inside() bool { return g.place != None && g.place != Below && !g.right }

func (g *legend) rows() int { return (len(g.entries) + g.columns - 1) / g.columns }

// arrange measures columns and rows.
func (g *legend) arrange() {
	g.widths = make([]vg.Length, g.columns)
	for i, e := range g.entries {
		column := &g.widths[i%g.columns]
		*column = max(*column, e.sample()+sampleGap+labels().widest(e.name))
	}
	g.size = vg.Point{X: columnGap * vg.Length(g.columns-1)}
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
	across := line(at.X, middle.Y, at.X+width, middle.Y)
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
		p.stroke(e.look.stroke(lineWidth), across)
		p.marker(e.look, middle)
	case Steps:
		p.stroke(e.look.stroke(lineWidth), across)
	case Rule:
		p.stroke(e.look.stroke(thinWidth), across)
	}
	p.text(labels(), e.name, vg.Point{X: at.X + width + sampleGap, Y: at.Y}, 0, 0, 0)
}

// ribbon is the colour of a band. Others can be seen through it.
func (l look) ribbon() color.NRGBA {
	return color.NRGBA{l.colour.R, l.colour.G, l.colour.B, 0x40}
}
