package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// pen draws on a page. Lengths are from the lower left corner.
type pen struct{ draw.Canvas }

func newPen(c vg.CanvasSizer) pen {
	p := pen{draw.New(c)}
	p.fill(color.White, p.Rectangle.Path()) // an SVG would be transparent, and black text not seen on black
	return p
}

// within is the same pen for a part of the page: lines are clipped there.
func (p pen) within(r vg.Rectangle) pen {
	return pen{draw.Canvas{Canvas: p.Canvas.Canvas, Rectangle: r}}
}

func (p pen) fill(c color.Color, path vg.Path) {
	p.SetColor(c)
	p.Fill(path)
}

func (p pen) stroke(style draw.LineStyle, path vg.Path) {
	p.SetLineStyle(style)
	p.Stroke(path)
}

// text writes lines at a point. Of the block of lines, across of its width is left of the point and
// down of its height above it, before it is turned around the point by an angle in radians.
func (p pen) text(l lettering, lines []string, at vg.Point, across, down, angle float64) {
	p.Push()
	defer p.Pop()
	if angle != 0 {
		p.Translate(at)
		p.Rotate(angle)
		at = vg.Point{}
	}
	p.SetColor(l.colour)
	y := at.Y + vg.Length(down)*l.height(lines)
	for _, line := range lines {
		y -= l.leading()
		x := at.X - vg.Length(across)*l.width(line)
		p.FillString(l.face, vg.Point{X: x, Y: y + baseline*l.face.Font.Size}, line)
	}
}

// baseline is how far above the foot of a line its letters stand, as a share of their size.
const baseline = 0.25

// number writes the text of a tick, like text does.
func (p pen) number(t tick, at vg.Point, across, down float64) {
	if t.text == "" {
		return
	}
	l, small := tickLabels(), powers()
	at.X -= vg.Length(across) * t.width()
	at.Y += vg.Length(down) * l.leading()
	p.text(l, []string{t.text}, at, 0, 0, 0)
	if t.power != "" {
		raised := vg.Point{X: at.X + l.width(t.text) + 0.5, Y: at.Y + 0.3*l.face.Font.Size - l.leading() + small.leading()}
		p.text(small, []string{t.power}, raised, 0, 0, 0)
	}
}

// width is that of the text of a tick.
func (t tick) width() vg.Length {
	w := tickLabels().width(t.text)
	if t.power != "" {
		w += 0.5 + powers().width(t.power)
	}
	return w
}
