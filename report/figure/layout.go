package figure

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// layout is a figure and where its parts are.
type layout struct {
	Figure
	looks       []look       // of series
	area        vg.Rectangle // all of it
	title, note []string
	legend      legend
	x, y        ruler
	margins     margins
}

// margins is what is between the axes and the ends of the area.
type margins struct{ left, right, bottom, top vg.Length }

const (
	edge     = 9  // free on all sides of a page
	overhang = 7  // of markers over the ends of axes
	titleGap = 8  // under title and note
	tickSize = 4  // of a mark
	tickGap  = 3  // between a mark and its text
	labelGap = 5  // between the text of ticks and the label of the axis
	leastX   = 90 // length of an axis: a page that has no room for it is made larger
	leastY   = 190
)

// arrange lays a figure out in an area. Margins are at least these.
func (f Figure) arrange(area vg.Rectangle, least margins) layout {
	width := area.Size().X
	l := layout{Figure: f, looks: f.looks(), area: area, margins: least,
		title: titles().wrap(f.Title, width, 4), note: notes().wrap(f.Note, width, 4)}
	l.legend = l.newLegend(width)
	l.x = ruler{axis: f.X, scale: f.X.scaleOf(f.widened(f.valuesX()), 0.1), whole: whole(f.valuesX())}
	l.y = ruler{axis: f.Y, scale: f.Y.scaleOf(f.valuesY(), 0.5), whole: whole(f.valuesY())}
	// Texts depend on the length of the axes, and this on the room for texts. Margins only grow, so
	// there is an end.
	for {
		before := l.margins
		data := l.data()
		l.x.measureAcross(data.Size().X)
		l.y.measureUp(data.Size().Y)
		l.widen()
		if l.margins == before {
			break
		}
	}
	if size := l.data().Size(); l.legend.inside() && (l.legend.size.X > size.X-2*inset || l.legend.size.Y > size.Y-2*inset) {
		f.Legend = Auto
		return f.arrange(area, least)
	}
	return l
}

// widen makes margins large enough for what is in them.
func (l *layout) widen() {
	m := margins{left: l.y.depth, bottom: l.x.depth, right: overhang, top: overhang}
	if len(l.title)+len(l.note) > 0 {
		m.top += titles().height(l.title) + notes().height(l.note) + titleGap
	}
	switch g := &l.legend; g.place {
	case beside:
		m.right += legendGap + g.size.X
	case Below:
		m.bottom += legendGap + g.size.Y
	}
	old := l.margins
	l.margins = margins{
		left:   max(old.left, ceil(max(m.left, l.x.before))),
		right:  max(old.right, ceil(max(m.right, l.x.after))),
		bottom: max(old.bottom, ceil(m.bottom)),
		top:    max(old.top, ceil(m.top)),
	}
}

// ceil makes a length whole, so that margins that only grow come to an end soon.
func ceil(l vg.Length) vg.Length { return vg.Length(math.Ceil(float64(l))) }

// data is the rectangle of the axes. It may be smaller than one can draw in; see missing.
func (l *layout) data() vg.Rectangle {
	a, m := l.area, l.margins
	return vg.Rectangle{
		Min: vg.Point{X: a.Min.X + m.left, Y: a.Min.Y + m.bottom},
		Max: vg.Point{X: max(a.Max.X-m.right, a.Min.X+m.left+leastX), Y: max(a.Max.Y-m.top, a.Min.Y+m.bottom+leastY)},
	}
}

// missing is how much larger the area must be for what is in it.
func (l *layout) missing() vg.Point {
	data := l.data()
	return vg.Point{
		X: data.Max.X + l.margins.right - l.area.Max.X,
		Y: data.Max.Y + l.margins.top - l.area.Max.Y,
	}
}

// across is where a value of the x axis is on the page.
func (l *layout) across(x float64) vg.Length {
	data := l.data()
	return l.x.scale.along(data.Min.X, data.Max.X, x)
}

// up is where a value of the y axis is on the page.
func (l *layout) up(y float64) vg.Length {
	data := l.data()
	return l.y.scale.along(data.Min.Y, data.Max.Y, y)
}

// place is where a point of the data is on the page.
func (l *layout) place(x, y float64) vg.Point { return vg.Point{X: l.across(x), Y: l.up(y)} }
