package faults

import (
	"fmt"
	"math"
	"strconv"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// span is a number's name and valid range. Parse and Validate share the spans, so that
// what one accepts the other does not refuse.
type span struct {
	what      string
	low, high int64
}

var (
	timeSpan    = span{"time", 0, int64(clock.MaxCost)}
	rejoinSpan  = span{"time", 1, int64(clock.MaxCost)}
	sendSpan    = span{"send number", 1, math.MaxInt32}
	recvSpan    = span{"receive number", 1, math.MaxInt32}
	passageSpan = span{"passage", 1, math.MaxInt32}
	writeSpan   = span{"write number", 1, math.MaxInt32}
	syncSpan    = span{"sync number", 1, math.MaxInt32}
	keptSpan    = span{"kept change", 1, clock.MaxRanks - 1}
	factorSpan  = span{"factor", 2, 1_000_000}
	delaySpan   = span{"delay", 1, int64(clock.MaxCost)}
)

// rankSpan is for a rank of a machine with that many.
func rankSpan(ranks int) span { return span{"rank", 0, int64(ranks) - 1} }

// numberSpan is for the size of a draw from that many ranks.
func numberSpan(ranks int) span { return span{"number of ranks", 1, int64(ranks)} }

func (r span) has(v int64) bool { return v >= r.low && v <= r.high }

// check notes a value outside the span.
func (r span) check(wrong *problems.List, v int64) {
	if !r.has(v) {
		wrong.Note(r.problem(v))
	}
}

// problem words what is wrong with a value outside the span.
func (r span) problem(v int64) error {
	return fmt.Errorf("%s %d, want %d to %d", r.what, v, r.low, r.high)
}

// parse reads a number of the span in its canonical form, digits without leading zeros.
func (r span) parse(text string) (int64, error) {
	v, err := strconv.ParseUint(text, 10, 63)
	if err != nil || !r.has(int64(v)) {
		return 0, fmt.Errorf("%s %q, want %d to %d", r.what, text, r.low, r.high)
	}
	if len(text) > 1 && text[0] == '0' {
		return 0, fmt.Errorf("%s %q, want no leading zeros", r.what, text)
	}
	return int64(v), nil
}
