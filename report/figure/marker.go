package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// shape is that of a marker.
type shape int

const (
	circle shape = iota
	square
	triangle
	diamond
	pointDown
	pentagon
	star
	shapes
)

// path is the outline of the shape. Radii differ so that areas are about the same.
func (s shape) path(at vg.Point, r vg.Length) (path vg.Path) {
	switch s {
	case square:
		return outline(at, 4, math.Pi/4, 1.2*r)
	case triangle:
		return outline(at, 3, math.Pi/2, 1.4*r)
	case diamond:
		return outline(at, 4, 0, 1.35*r)
	case pointDown:
		return outline(at, 3, -math.Pi/2, 1.4*r)
	case pentagon:
		return outline(at, 5, math.Pi/2, 1.2*r)
	case star:
		return outline(at, 10, math.Pi/2, 1.6*r, 0.45*(1.6*r))
	}
	path.Move(vg.Point{X: at.X + r, Y: at.Y})
	path.Arc(at, r, 0, 2*math.Pi)
	path.Close()
	return path
}

// outline has so many corners, the first of them at an angle, and each in turn at one of the radii.
func outline(at vg.Point, corners int, angle float64, radii ...vg.Length) (path vg.Path) {
	for i := range corners {
		sin, cos := math.Sincos(angle + 2*math.Pi*float64(i)/float64(corners))
		r := radii[i%len(radii)]
		corner := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
		if i == 0 {
			path.Move(corner)
		} else {
			path.Line(corner)
		}
	}
	path.Close()
	return path
}

// marker draws the marker of a series.
func (p pen) marker(l look, at vg.Point) {
	switch {
	case l.open:
		path := l.shape.path(at, 3.2)
		p.fill(color.White, path)
		p.stroke(l.firm(1.4), path)
	case l.small:
		p.fill(color.NRGBA{l.colour.R, l.colour.G, l.colour.B, 0x99}, l.shape.path(at, 2.2))
	default:
		p.fill(l.colour, l.shape.path(at, 3.7))
	}
}
