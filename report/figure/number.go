package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/text"
)

// multiplesOf returns how to write multiples of a step up to the largest. Large and small ones are
// written as 1.5×10⁹, unless that takes more digits than it saves.
func multiplesOf(step, largest float64) func(float64) tick {
	power := int(math.Floor(math.Log10(max(largest, step)) + 1e-9))
	digits := int(math.Floor(math.Log10(step) + 1e-9))
	if (power >= 7 || power < -4) && power-digits <= 3 {
		return func(v float64) tick {
			if math.Abs(v) < step/2 {
				return tick{at: v, text: "0"}
			}
			return tick{at: v, text: decimal(v/math.Pow(10, float64(power)), power-digits) + "×10", power: minus(strconv.Itoa(power))}
		}
	}
	return func(v float64) tick {
		if math.Abs(v) < step/2 {
			v = 0
		}
		return tick{at: v, text: decimal(v, max(0, -digits))}
	}
}

// powerText writes a power of a base as a number, or as base and power.
func powerText(base float64, power int, plain bool) (text, raised string) {
	if plain {
		v := math.Pow(base, float64(power))
		return decimal(round(v), places(v)), ""
	}
	return decimal(base, places(base)), minus(strconv.Itoa(power))
}

// round takes off what is beyond four digits, except of whole numbers.
func round(v float64) float64 {
	if v == math.Trunc(v) {
		return v
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	return short
}

// places is how many digits a number has after the point, of four in all.
func places(v float64) int {
	_, after, _ := strings.Cut(strconv.FormatFloat(round(v), 'f', -1, 64), ".")
	return len(after)
}

// decimal writes a number with commas between thousands.
func decimal(v float64, places int) string {
	size := text.Thousands(strconv.FormatFloat(math.Abs(v), 'f', places, 64))
	if v < 0 {
		return "−" + size
	}
	return size
}

// minus makes a hyphen a minus.
func minus(number string) string { return strings.Replace(number, "-", "−", 1) }
