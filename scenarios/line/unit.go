package line

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
)

// Unit is what a tick stands for. The zero Unit says that ticks have no unit.
type Unit time.Duration

// Show names an instant: "t=64 (6.4 us)", or "t=64" without a unit.
func (u Unit) Show(t clock.Time) string {
	if t == clock.Never {
		return t.String()
	}
	return fmt.Sprintf("t=%d", t) + u.beside(float64(t))
}

// Span names a length of time: "64 ticks (6.4 us)", or "64 ticks" without a unit.
func (u Unit) Span(d clock.Time) string {
	if d == clock.Never {
		return d.String()
	}
	return text.Count(int64(d), "tick") + u.beside(float64(d))
}

// SpanOf is Span for a mean, which may lie between two ticks.
func (u Unit) SpanOf(ticks float64) string {
	return Decimals(ticks) + " " + text.Plural(ticks, "tick") + u.beside(ticks)
}

// Decimals prints a number with three of them at most, as often less.
func Decimals(n float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(n, 'f', 3, 64), 64)
	if err != nil {
		panic(fmt.Sprintf("line: cannot round %v: %v", n, err))
	}
	return strconv.FormatFloat(rounded+0, 'f', -1, 64) // no -0
}

// beside is the time that goes with a number of ticks, to be put behind it.
func (u Unit) beside(ticks float64) string {
	if u == 0 {
		return ""
	}
	return " (" + readable(ticks*float64(u)) + ")"
}

// Within says how wrong a time may be that was measured with two clocks, to be put behind it: " ± 40 us (clocks)". It is empty if they
// are OneClock.
func Within(clocks time.Duration) string {
	if OneClock(clocks) {
		return ""
	}
	return " ± " + readable(float64(clocks.Round(100*time.Nanosecond))) + " (clocks)"
}

// OneClock reports whether clocks that differ by so much at most are as good as one: it may take as long to read a clock.
func OneClock(differ time.Duration) bool { return differ < 5*time.Microsecond }

// readable prints nanoseconds in the unit that reads best, with three decimals at most.
func readable(ns float64) string {
	best := timeUnits[0]
	for _, unit := range timeUnits {
		if math.Abs(ns) >= 0.9995*unit.length { // what would be rounded to 1 of it
			best = unit
		}
	}
	text := strconv.FormatFloat(math.Round(1000*ns/best.length)/1000, 'f', -1, 64)
	return text + " " + best.name
}

// timeUnits are the units of time that a line may use, the shortest first.
var timeUnits = []struct {
	name     string
	length   float64 // in nanoseconds
	decimals int     // that are whole nanoseconds
}{
	{"ns", 1, 0},
	{"us", 1e3, 3},
	{"ms", 1e6, 6},
	{"s", 1e9, 9},
}
