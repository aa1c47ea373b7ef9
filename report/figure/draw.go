package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// sketch is a figure while it is drawn.
type sketch struct {
	*layout
	wide vg.Length // a bar
	page pen
	axes pen // clips to the axes
}

// draw draws the figure as it was laid out.
func (l *layout) draw(page pen) {
	s := sketch{layout: l, wide: l.dodge(), page: page, axes: page.within(l.data())}
	s.grid()
	for _, style := range []Style{Band, Bars} {
		s.series(style)
	}
	s.frame()
	for _, style := range []Style{Rule, Lines, Points} {
		s.series(style)
	}
	s.texts()
	s.names()
}

// series draws all series of a style, the first one last: it is the most important.
func (s *sketch) series(style Style) {
	for i := len(s.Series) - 1; i >= 0; i-- {
		if s.Series[i].Style == style {
			s.one(i)
		}
	}
}

func (s *sketch) one(i int) {
	series, look := s.Series[i], s.looks[i]
	switch series.Style {
	case Band:
		s.band(series, look)
	case Bars:
		s.bars(series, look)
		s.errorBars(series, look.shift, draw.LineStyle{Color: black, Width: 1.2})
	case Rule:
		s.path(look.stroke(thinWidth), s.places(series, look))
	case Lines:
		s.path(look.stroke(lineWidth), s.places(series, look))
		s.errorBars(series, look.shift, look.firm(1.2))
		s.markers(series, look)
	case Points:
		s.errorBars(series, look.shift, look.firm(1.2))
		s.markers(series, look)
	}
}

func (s *sketch) places(series Series, look look) []vg.Point {
	places := make([]vg.Point, len(series.Points))
	for i, p := range series.Points {
		places[i] = s.place(p.X, p.Y)
		places[i].X += look.shift
	}
	return places
}

// path draws a line as far as it is between the axes.
func (s *sketch) path(style draw.LineStyle, places []vg.Point) {
	s.axes.StrokeLines(style, s.axes.ClipLinesXY(places)...)
}

func (s *sketch) markers(series Series, look look) {
	for i, at := range s.places(series, look) {
		if p := series.Points[i]; s.x.scale.has(p.X) && s.y.scale.has(p.Y) {
			s.page.marker(look, at)
		}
	}
}

// errorBars draws intervals with a cap at each end that is between the axes.
func (s *sketch) errorBars(series Series, shift vg.Length, style draw.LineStyle) {
	const half = 3.5
	for _, p := range series.Points {
		if !series.ranged(p) || !s.x.scale.has(p.X) {
			continue
		}
		x, data := s.across(p.X)+shift, s.data()
		for _, end := range []float64{p.Low, p.High} {
			if s.y.scale.has(end) {
				s.page.StrokeLine2(style, x-half, s.up(end), x+half, s.up(end))
			}
		}
		// Not clipped from the side: a series may be shifted over the end of the axis.
		if foot, top := max(s.up(p.Low), data.Min.Y), min(s.up(p.High), data.Max.Y); foot < top {
			s.page.StrokeLine2(style, x, foot, x, top)
		}
	}
}

// band fills what is between Low and High.
func (s *sketch) band(series Series, look look) {
	var up, down []vg.Point
	for _, p := range series.Points {
		up, down = append(up, s.place(p.X, p.High)), append(down, s.place(p.X, p.Low))
	}
	if len(up) == 1 { // one point has no width
		up = []vg.Point{{X: up[0].X - 4, Y: up[0].Y}, {X: up[0].X + 4, Y: up[0].Y}}
		down = []vg.Point{{X: up[0].X, Y: down[0].Y}, {X: up[1].X, Y: down[0].Y}}
	}
	for i := len(down) - 1; i >= 0; i-- {
		up = append(up, down[i])
	}
	s.axes.FillPolygon(look.ribbon(), s.axes.ClipPolygonXY(up))
}

// bars draws bars from 0, or from the end of the axis if 0 is not on it.
func (s *sketch) bars(series Series, look look) {
	data := s.data()
	foot := data.Min.Y
	if !s.y.scale.log {
		foot = s.up(0)
	}
	for _, at := range s.places(series, look) {
		r := vg.Rectangle{
			Min: vg.Point{X: at.X - s.wide/2, Y: max(min(at.Y, foot), data.Min.Y)},
			Max: vg.Point{X: at.X + s.wide/2, Y: min(max(at.Y, foot), data.Max.Y)},
		}
		r.Min.X, r.Max.X = max(r.Min.X, data.Min.X), min(r.Max.X, data.Max.X)
		if r.Min.X < r.Max.X && r.Min.Y <= r.Max.Y {
			s.page.fillBar(look, r)
		}
	}
}

// names draws the legend.
func (s *sketch) names() {
	g, data := &s.legend, s.data()
	at := vg.Point{X: data.Min.X + inset, Y: data.Max.Y - inset}
	switch g.place {
	case None:
		return
	case beside:
		at = vg.Point{X: s.area.Max.X - g.size.X, Y: data.Max.Y}
	case Below:
		middle := (data.Min.X+data.Max.X)/2 - g.size.X/2
		at.X = max(s.area.Min.X, min(middle, s.area.Max.X-g.size.X))
		at.Y = max(s.area.Min.Y+g.size.Y, data.Min.Y-s.x.depth-legendGap)
	case TopRight:
		at.X = data.Max.X - inset - g.size.X
	}
	if g.inside() {
		ground := vg.Rectangle{Min: vg.Point{X: at.X - 4, Y: at.Y - g.size.Y - 3}, Max: vg.Point{X: at.X + g.size.X + 4, Y: at.Y + 3}}
		s.page.fill(color.NRGBA{0xff, 0xff, 0xff, 0xe0}, ground.Path())
	}
	g.draw(s.page, at)
}
