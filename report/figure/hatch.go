package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// hatches is how many ways there are to fill a bar: full, with lines up, down or across, with both.
const hatches = 5

// fillBar draws a bar, so that it can be told from others without colours.
func (p pen) fillBar(l look, r vg.Rectangle) {
	if l.hatch == 0 {
		p.fill(l.colour, r.Path())
		p.stroke(l.firm(0.8), r.Path())
		return
	}
	p.fill(l.tint(0.35), r.Path())
	inside := p.within(r)
	style := draw.LineStyle{Color: l.colour, Width: 1}
	for _, slope := range [][]vg.Length{{}, {1}, {-1}, {0}, {1, -1}}[l.hatch] {
		if path := inside.hatching(slope); len(path) > 0 {
			p.stroke(style, path)
		}
	}
	p.stroke(l.firm(0.8), r.Path())
}

// hatching is lines of a slope across a rectangle, all in one path.
func (p pen) hatching(slope vg.Length) (path vg.Path) {
	const apart = 5
	size := p.Size()
	for y := p.Min.Y - size.X + apart/2; y < p.Max.Y+size.X; y += apart {
		from := vg.Point{X: p.Min.X, Y: y}
		to := vg.Point{X: p.Max.X, Y: y + slope*size.X}
		for _, part := range p.ClipLinesXY([]vg.Point{from, to}) {
			path.Move(part[0])
			path.Line(part[len(part)-1])
		}
	}
	return path
}
