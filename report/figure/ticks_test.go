package figure

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// textsOn are the texts on an axis for these values, with ^ before powers.
func textsOn(axis Axis, count int, values ...float64) string {
	r := ruler{axis: axis, scale: axis.scaleOf(values, 0), whole: whole(values)}
	var texts []string
	for _, t := range r.numbers(count) {
		text := t.text
		if t.power != "" {
			text += "^" + t.power
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " ")
}

func TestTicksAreRoundNumbers(t *testing.T) {
	linear, two, ten := Axis{}, Axis{Log: 2}, Axis{Log: 10}
	for _, c := range []struct {
		axis   Axis
		count  int
		values []float64
		want   string
	}{
		{linear, 6, []float64{0, 10}, "0 2 4 6 8 10"},
		{linear, 6, []float64{0, 1}, "0 1"}, // whole values
		{linear, 6, []float64{0, 0.5, 1}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{linear, 6, []float64{-3, 5}, "−2 0 2 4"},
		{linear, 5, []float64{1000, 4200}, "1,000 2,000 3,000 4,000"},
		{linear, 5, []float64{0, 4e9}, "0 1×10^9 2×10^9 3×10^9 4×10^9"},
		{linear, 4, []float64{0, 2e-7}, "0 1×10^−7 2×10^−7"},
		{linear, 4, []float64{1e9 + 1, 1e9 + 4}, "1,000,000,001 1,000,000,002 1,000,000,003 1,000,000,004"},
		{linear, 4, []float64{27}, "26 28"},
		{linear, 4, []float64{0}, "0 1"},
		{linear, 6, []float64{-1e100, 1e100}, "−1.0×10^100 −0.5×10^100 0 0.5×10^100 1.0×10^100"},
		{two, 20, []float64{128, 131072}, "128 256 512 1,024 2,048 4,096 8,192 16,384 32,768 65,536 131,072"},
		{two, 6, []float64{128, 131072}, "128 512 2,048 8,192 32,768 131,072"},
		{two, 5, []float64{1 << 20, 1 << 40}, "2^20 2^25 2^30 2^35 2^40"},
		{two, 5, []float64{0.125, 1}, "0.125 0.25 0.5 1"},
		{ten, 10, []float64{0.01, 4}, "0.01 0.02 0.05 0.1 0.2 0.5 1 2 5"},
		{ten, 5, []float64{0.01, 4}, "0.01 0.1 1"},
		{ten, 5, []float64{1, 1e5}, "1 100 10,000"},
		{ten, 6, []float64{1, 1e5}, "1 10 100 1,000 10,000 100,000"},
		{ten, 9, []float64{1e-6, 0.1}, "10^−6 10^−5 10^−4 10^−3 10^−2 10^−1"},
		{ten, 4, []float64{310, 340}, "310 320 330 340"},
		{ten, 9, []float64{7}, "5 10"},
		{Axis{Log: math.E}, 9, []float64{1, 21}, "1 2.718 7.389 20.09"},
	} {
		assert.Equal(t, c.want, textsOn(c.axis, c.count, c.values...), "%v %v", c.axis, c.values)
	}
}

func TestAxesBeginAtZeroIfThatIsNear(t *testing.T) {
	ends := func(fromZero float64, values ...float64) []float64 {
		low, high := linearRange(values, fromZero)
		return []float64{low, high}
	}
	assert.Equal(t, []float64{0, 104}, ends(0.5, 30, 100))
	assert.Equal(t, []float64{-104, 0}, ends(0.5, -30, -100))
	assert.Equal(t, []float64{58.4, 101.6}, ends(0.5, 60, 100))
	assert.Equal(t, []float64{-10.8, 10.8}, ends(0.5, -10, 10))
}

func TestLongTextsAreBroken(t *testing.T) {
	l := tickLabels()
	assert.Equal(t, []string{"one two", "three"}, l.wrap("one two three", l.width("one two "), 5))
	assert.Equal(t, []string{"one", "two"}, l.wrap("one\ntwo", 1000, 5))
	assert.Equal(t, []string{"correction=", "none"}, l.wrap("correction=none", l.width("correction=no"), 5))
	assert.Equal(t, []string{"one", "two…"}, l.wrap("one two three", l.width("two…"), 2))
	assert.Empty(t, l.wrap(" \n ", 100, 5))
	for _, line := range l.wrap(strings.Repeat("x", 300), 50, 100) {
		assert.LessOrEqual(t, l.width(line), l.width("x")*8)
	}
}

// Between powers of ten there are marks at their multiples, within the axis and if there is room for them; none where powers are
// left out, and none of other bases.
func TestMarksWithoutText(t *testing.T) {
	for _, c := range []struct {
		low, high, base float64
		first, last     int
		every           int
		marks           int
	}{
		{3, 5e4, 10, 1, 4, 1, 6 + 3*8 + 3}, // 4 to 9, then 20 to 90 and so on, then 20,000 to 40,000
		{1, 1e3, 10, 0, 3, 1, 3 * 8},
		{3, 5e4, 10, 1, 4, 2, 2}, // two powers
		{3, 5e4, 2, 2, 15, 1, 0},
		{1e-5, 2e5, 10, -5, 5, 1, 10*8 + 0},
		{1e-5, 2e6, 10, -5, 6, 1, 0},
		{1e-61, 1e61, 10, -60, 60, 30, 0}, // and powers that have no text are left out if there are too many
		{1e-51, 1e51, 10, -50, 50, 20, 95},
	} {
		marks := 0
		for _, tick := range powerTicks(c.low, c.high, c.base, c.first, c.last, c.every) {
			assert.GreaterOrEqual(t, tick.at, c.low)
			assert.LessOrEqual(t, tick.at, c.high)
			if tick.text == "" {
				marks++
			}
		}
		assert.Equal(t, c.marks, marks, "%v", c)
	}
}
