package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// dodge moves series so that they do not hide others, and returns how wide a bar is. Series of one colour
// stay above each other: a mark belongs to its bar.
func (l *layout) dodge() (wide vg.Length) {
	columns := l.columns()
	slot := l.slot()
	wide = 0.8 * slot / vg.Length(max(1, len(columns)))
	if !l.has(Bars) {
		wide = min(wide, 16)
	}
	for i, s := range l.Series {
		column := slices.Index(columns, l.looks[i].group)
		if column >= 0 && (s.Style == Bars || s.Style == Points) {
			l.looks[i].shift = wide * (vg.Length(column) - vg.Length(len(columns)-1)/2)
		}
	}
	if len(columns) == 0 && l.intervalsMeet() {
		l.spread(slot)
	}
	return wide
}

func (f Figure) has(style Style) bool {
	return slices.ContainsFunc(f.Series, func(s Series) bool { return s.Style == style })
}

// columns are the groups that are side by side at each x: of bars and, over categories, of points.
func (l *layout) columns() (groups []int) {
	for i, s := range l.Series {
		aside := s.Style == Bars || s.Style == Points && len(l.X.Names) > 0
		if aside && !slices.Contains(groups, l.looks[i].group) {
			groups = append(groups, l.looks[i].group)
		}
	}
	return groups
}

// slot is the least distance between two points of different x, or that between categories.
func (l *layout) slot() vg.Length {
	length := l.data().Size().X
	if n := len(l.X.Names); n > 0 {
		return length / vg.Length(n)
	}
	values := l.valuesX()
	slices.Sort(values)
	slot := 0.2 * length
	for i := 1; i < len(values); i++ {
		if values[i] > values[i-1] {
			slot = min(slot, vg.Length(l.x.scale.unit(values[i])-l.x.scale.unit(values[i-1]))*length)
		}
	}
	return max(slot, 1.5)
}

// intervalsMeet says whether error bars of two series are over each other.
func (f Figure) intervalsMeet() bool {
	type interval struct {
		low, high float64
		series    int
	}
	at := make(map[float64][]interval)
	for i, s := range f.Series {
		for _, p := range s.Points {
			if (s.Style != Lines && s.Style != Points) || !s.ranged(p) {
				continue
			}
			for _, other := range at[p.X] {
				if other.series != i && p.Low <= other.high && p.High >= other.low {
					return true
				}
			}
			at[p.X] = append(at[p.X], interval{p.Low, p.High, i})
		}
	}
	return false
}

// spread moves series with error bars a little apart: so little that it is clear where they belong.
func (l *layout) spread(slot vg.Length) {
	var moved []int
	for i, s := range l.Series {
		if (s.Style == Lines || s.Style == Points) && slices.ContainsFunc(s.Points, s.ranged) {
			moved = append(moved, i)
		}
	}
	apart := vg.Length(math.Min(2.5, float64(0.4*slot)/float64(len(moved))))
	for n, i := range moved {
		l.looks[i].shift = apart * (vg.Length(n) - vg.Length(len(moved)-1)/2)
	}
}
