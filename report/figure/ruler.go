package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// ruler is an axis with its texts, for a length.
type ruler struct {
	axis  Axis
	scale scale
	whole bool // all values are whole numbers: there are no ticks between these
	ticks []tick
	label []string

	names [][]string // of categories, in lines; without those that have no room
	angle float64    // by which names are turned

	depth         vg.Length // from the axis to the end of the page
	before, after vg.Length // how far texts reach beyond the ends of the axis
}

const (
	longestLabel = 3   // in lines
	between      = 10  // texts of ticks
	deepestNames = 160 // below the axis
)

// measureAcross fits the texts under an axis of this length.
func (r *ruler) measureAcross(length vg.Length) {
	r.before, r.after = 0, 0
	under := tickLabels().leading()
	if len(r.axis.Names) > 0 {
		under = r.nameAcross(length)
	} else {
		r.fitAcross(length)
	}
	r.measureLabel(length, under)
}

// fitAcross takes as many ticks as have room beside each other.
func (r *ruler) fitAcross(length vg.Length) {
	for count := 10; count > 0; count-- {
		r.ticks = r.numbers(count)
		if r.fits(length) {
			break
		}
	}
	for _, t := range r.ticks {
		x, half := vg.Length(r.scale.unit(t.at))*length, t.width()/2
		r.before, r.after = max(r.before, half-x), max(r.after, x+half-length)
	}
}

func (r *ruler) fits(length vg.Length) bool {
	end := vg.Length(math.Inf(-1))
	for _, t := range r.ticks {
		if t.text == "" {
			continue
		}
		x, half := vg.Length(r.scale.unit(t.at))*length, t.width()/2
		if x-half < end+between {
			return false
		}
		end = x + half
	}
	return true
}

// numbers are the ticks of an axis of numbers, with text at no more than so many of them. None is
// beyond the ends of the axis, where it would need room.
func (r *ruler) numbers(count int) []tick {
	return slices.DeleteFunc(r.candidates(count), func(t tick) bool { return !r.scale.has(t.at) })
}

func (r *ruler) candidates(count int) []tick {
	if r.scale.log {
		return logTicks(r.scale.low, r.scale.high, r.axis.Log, count)
	}
	step := stepFor(r.scale.low, r.scale.high, count)
	if r.whole {
		step = max(step, 1)
	}
	return ticksEvery(step, r.scale.low, r.scale.high)
}

// nameAcross writes names in lines under each other or, if they are too long, at an angle. It returns
// how deep that is.
func (r *ruler) nameAcross(length vg.Length) vg.Length {
	slot := length / vg.Length(len(r.axis.Names))
	if depth, ok := r.nameLevel(slot); ok {
		return depth
	}
	return r.nameAngled(slot)
}

// nameLevel breaks names between words and after signs only.
func (r *ruler) nameLevel(slot vg.Length) (depth vg.Length, ok bool) {
	l := tickLabels()
	r.names, r.angle = nil, 0
	for _, name := range r.axis.Names {
		lines := l.wrap(name, slot-between/2, 100)
		if len(lines) > 4 || l.breaksWords(name, slot-between/2) {
			return 0, false
		}
		r.names = append(r.names, lines)
		depth = max(depth, l.height(lines))
	}
	return depth, true
}

// turned is the angle of long names.
const turned = math.Pi / 5

// nameAngled ends names under their ticks. If they are too close, only every so manieth is written.
func (r *ruler) nameAngled(slot vg.Length) (depth vg.Length) {
	l := tickLabels()
	sin, cos := math.Sincos(turned)
	rows := min(3, max(1, int(float64(slot)*sin/float64(l.leading()))))
	longest := r.shortestLine(rows, deepestNames/vg.Length(sin))
	every := int(math.Ceil(float64(l.leading()) / (float64(slot) * sin)))
	r.names, r.angle = make([][]string, len(r.axis.Names)), turned
	for i := 0; i < len(r.names); i += every {
		r.names[i] = l.wrap(r.axis.Names[i], longest, rows)
		width, height := l.widest(r.names[i]), l.height(r.names[i])
		depth = max(depth, width*vg.Length(sin)+height*vg.Length(cos))
		x := slot * (vg.Length(i) + 0.5)
		r.before = max(r.before, width*vg.Length(cos)+height*vg.Length(sin)/2-x)
		r.after = max(r.after, height*vg.Length(sin)-(slot*vg.Length(len(r.names))-x))
	}
	return depth
}

// shortestLine is the length of lines in which all names can be written, so many for each, if it is
// not longer than the longest.
func (r *ruler) shortestLine(rows int, longest vg.Length) vg.Length {
	const first = 80
	for length := vg.Length(first); length < longest; length += 10 {
		if !slices.ContainsFunc(r.axis.Names, func(name string) bool {
			return len(tickLabels().wrap(name, length, rows+1)) > rows || tickLabels().breaksWords(name, length)
		}) {
			return length
		}
	}
	return longest
}

// measureUp fits the texts at the left of an axis of this length.
func (r *ruler) measureUp(length vg.Length) {
	width := vg.Length(0)
	r.ticks = r.numbers(max(2, min(8, int(length/26))))
	for _, t := range r.ticks {
		width = max(width, t.width())
	}
	r.measureLabel(length, width)
}

// measureLabel fits the label behind ticks whose texts are so deep.
func (r *ruler) measureLabel(length, texts vg.Length) {
	r.label = labels().wrap(r.axis.Label, length, longestLabel)
	r.depth = tickSize + tickGap + texts
	if len(r.label) > 0 {
		r.depth += labelGap + labels().height(r.label)
	}
}
