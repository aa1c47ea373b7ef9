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
		return polygon(at, 1.2*r, 4, math.Pi/4)
	case triangle:
		return polygon(at, 1.4*r, 3, math.Pi/2)
	case diamond:
		return polygon(at, 1.35*r, 4, 0)
	case pointDown:
		return polygon(at, 1.4*r, 3, -math.Pi/2)
	case pentagon:
		return polygon(at, 1.2*r, 5, math.Pi/2)
	case star:
		return starPath(at, 1.6*r)
	}
	path.Move(vg.Point{X: at.X + r, Y: at.Y})
	path.Arc(at, r, 0, 2*math.Pi)
	path.Close()
	return path
}

// polygon has so many corners, the first of them at an angle.
func polygon(at vg.Point, r vg.Length, corners int, angle float64) (path vg.Path) {
	for i := range corners {
		corner := around(at, r, angle+2*math.Pi*float64(i)/float64(corners))
		if i == 0 {
			path.Move(corner)
		} else {
			path.Line(corner)
		}
	}
	path.Close()
	return path
}

func starPath(at vg.Point, r vg.Length) (path vg.Path) {
	path.Move(around(at, r, math.Pi/2))
	for i := 1; i < 10; i++ {
		radius := r
		if i%2 == 1 {
			radius = 0.45 * r
		}
		path.Line(around(at, radius, math.Pi/2+math.Pi*float64(i)/5))
	}
	path.Close()
	return path
}

func around(at vg.Point, r vg.Length, angle float64) vg.Point {
	sin, cos := math.Sincos(angle)
	return vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
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
