package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	gridStyle  = draw.LineStyle{Color: color.NRGBA{0xdd, 0xdd, 0xdd, 0xff}, Width: 0.6}
	finerStyle = draw.LineStyle{Color: color.NRGBA{0xf0, 0xf0, 0xf0, 0xff}, Width: 0.6}
	axisStyle  = draw.LineStyle{Color: black, Width: 0.9}
	smallStyle = draw.LineStyle{Color: black, Width: 0.6}
)

// grid draws light lines at ticks, and lighter ones at those without text. Categories need none.
func (s *sketch) grid() {
	data := s.data()
	styles := func(t tick) draw.LineStyle {
		if t.text == "" {
			return finerStyle
		}
		return gridStyle
	}
	for _, t := range s.x.lined() {
		x := s.across(t.at)
		s.page.StrokeLine2(styles(t), x, data.Min.Y, x, data.Max.Y)
	}
	for _, t := range s.y.lined() {
		y := s.up(t.at)
		s.page.StrokeLine2(styles(t), data.Min.X, y, data.Max.X, y)
	}
}

// finerLines are at most so many: more would be grey.
const finerLines = 40

// lined are the ticks that have lines, those with text last, so that their lines are over those of others.
func (r *ruler) lined() []tick {
	var finer, named []tick
	for _, t := range r.ticks {
		if t.text == "" {
			finer = append(finer, t)
		} else {
			named = append(named, t)
		}
	}
	if len(finer) > finerLines {
		return named
	}
	return append(finer, named...)
}

// frame draws the two axes and, if values are on both sides of it, a line at zero.
func (s *sketch) frame() {
	data := s.data()
	s.page.StrokeLine2(axisStyle, data.Min.X, data.Max.Y, data.Min.X, data.Min.Y)
	s.page.StrokeLine2(axisStyle, data.Min.X, data.Min.Y, data.Max.X, data.Min.Y)
	if !s.y.scale.log && s.y.scale.low < 0 && s.y.scale.high > 0 {
		zero := s.up(0)
		s.page.StrokeLine2(smallStyle, data.Min.X, zero, data.Max.X, zero)
	}
	for _, t := range s.x.ticks {
		x := s.across(t.at)
		s.page.StrokeLine2(smallStyle, x, data.Min.Y-t.size(), x, data.Min.Y)
	}
	for _, t := range s.y.ticks {
		y := s.up(t.at)
		s.page.StrokeLine2(smallStyle, data.Min.X-t.size(), y, data.Min.X, y)
	}
}

func (t tick) size() vg.Length {
	if t.text == "" {
		return tickSize / 2
	}
	return tickSize
}

// texts writes everything but the legend.
func (s *sketch) texts() {
	data := s.data()
	above := overhang + titleGap + titles().height(s.title) + notes().height(s.note)
	s.page.heading(titles(), s.title, s.note, vg.Point{X: s.area.Min.X, Y: data.Max.Y + above})
	for _, t := range s.x.ticks {
		s.page.number(t, vg.Point{X: s.across(t.at), Y: data.Min.Y - tickSize - tickGap}, 0.5, 0)
	}
	for _, t := range s.y.ticks {
		s.page.number(t, vg.Point{X: data.Min.X - tickSize - tickGap, Y: s.up(t.at)}, 1, 0.5)
	}
	s.categories()
	middle := vg.Point{X: (data.Min.X + data.Max.X) / 2, Y: (data.Min.Y + data.Max.Y) / 2}
	s.page.text(labels(), s.x.label, vg.Point{X: middle.X, Y: data.Min.Y - s.x.depth + labels().height(s.x.label)}, 0.5, 0, 0)
	s.page.text(labels(), s.y.label, vg.Point{X: data.Min.X - s.y.depth, Y: middle.Y}, 0.5, 0, math.Pi/2)
}

// heading writes a title and a note under it.
func (p pen) heading(l lettering, title, note []string, at vg.Point) {
	p.text(l, title, at, 0, 0, 0)
	at.Y -= l.height(title)
	p.text(notes(), note, at, 0, 0, 0)
}

// categories writes the names of categories, with a mark at each.
func (s *sketch) categories() {
	data, l := s.data(), tickLabels()
	for i, lines := range s.x.names {
		at := vg.Point{X: s.across(float64(i)), Y: data.Min.Y - tickSize - tickGap}
		if len(lines) == 0 {
			continue
		}
		s.page.StrokeLine2(smallStyle, at.X, data.Min.Y-tickSize, at.X, data.Min.Y)
		if s.x.angle == 0 {
			s.page.text(l, lines, at, 0.5, 0, 0)
			continue
		}
		at.X -= l.height(lines) * vg.Length(math.Sin(s.x.angle)) / 2
		s.page.text(l, lines, at, 1, 0, s.x.angle)
	}
}
