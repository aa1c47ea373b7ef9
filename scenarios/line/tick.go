package line

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// longestTick is the largest unit of a tick.
const longestTick = 1000 * time.Second

// noTick says that ticks have no unit.
const noTick = "none"

// tickKey says what a tick stands for.
var tickKey = Key{
	Name:    "tick",
	Default: noTick,
	Values:  "none, 100ns, 1.5us, 2ms, 1s, ...",
	Help:    "what a tick stands for; then L=4.6us will do, too",
	Check:   Parses(parseUnit),
}

// parseUnit reads the value of tickKey.
func parseUnit(text string) (Unit, error) {
	if text == noTick {
		return 0, nil
	}
	d, err := parseTime(text)
	if err == nil && (d < 1 || d > longestTick) {
		err = fmt.Errorf("want a tick of 1ns to %s", printTime(longestTick))
	}
	return Unit(d), err
}

// Unit returns what a tick of the line stands for.
func (s Settings) Unit() Unit { return Parsed(s, tickKey.Name, parseUnit) }

// ticks is how many ticks a time such as "4.6us" is.
func (u Unit) ticks(text string) (uint64, error) {
	if u == 0 {
		return 0, errors.New("a time, but ticks have no unit; set one, such as tick=100ns, or give a number of ticks")
	}
	d, err := parseTime(text)
	if err != nil {
		return 0, err
	}
	tick := time.Duration(u)
	if below := d / tick * tick; below != d {
		return 0, fmt.Errorf("not a whole number of ticks of %s, the nearest are %s and %s", printTime(tick), printTime(below), printTime(below+tick))
	}
	return uint64(d / tick), nil
}

// A time on a line: digits, perhaps a fraction, and the unit.
var timeForm = regexp.MustCompile(`^(0|[1-9][0-9]*)(?:\.([0-9]+))?(ns|us|ms|s)$`)

// isTime reports whether a value is meant as a time, and not as a number of ticks.
func isTime(text string) bool {
	return text != "" && text[0] >= '0' && text[0] <= '9' && strings.HasSuffix(text, "s")
}

// parseTime reads a time exactly: nothing is rounded.
func parseTime(text string) (time.Duration, error) {
	parts := timeForm.FindStringSubmatch(text)
	if parts == nil {
		return 0, errors.New("want a time such as 100ns, 1.5us, 2ms or 1s")
	}
	for _, unit := range timeUnits {
		if unit.name != parts[3] {
			continue
		}
		fraction := strings.TrimRight(parts[2], "0")
		if len(fraction) > unit.decimals {
			return 0, errors.New("want whole nanoseconds")
		}
		ns, err := strconv.ParseInt(parts[1]+fraction+strings.Repeat("0", unit.decimals-len(fraction)), 10, 64)
		if err != nil {
			return 0, errors.New("want less than 292 years")
		}
		return time.Duration(ns), nil
	}
	panic(fmt.Sprintf("line: unit of time %q", parts[3]))
}

// printTime prints a time as a line has it, exactly and in the largest unit that it has one of.
func printTime(d time.Duration) string {
	unit := timeUnits[0]
	for _, larger := range timeUnits {
		if float64(d) >= larger.length {
			unit = larger
		}
	}
	digits := fmt.Sprintf("%0*d", unit.decimals+1, int64(d))
	point := len(digits) - unit.decimals
	return strings.TrimSuffix(strings.TrimRight(digits[:point]+"."+digits[point:], "0"), ".") + unit.name
}
