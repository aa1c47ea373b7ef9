package faults

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// Slowdowns are those of one rank: ordered by time, and of two at one instant the one that was
// added later comes later.
type Slowdowns []Slowdown

// Slowdown makes operations of a rank's ports that start at From or later take Factor times as
// long. It replaces earlier ones.
type Slowdown struct {
	From   clock.Time
	Factor int
}

// Add puts a slow-down in its place.
func (s *Slowdowns) Add(from clock.Time, factor int) {
	i := len(*s)
	for i > 0 && (*s)[i-1].From > from {
		i--
	}
	*s = slices.Insert(*s, i, Slowdown{from, factor})
}

// FactorAt is how many times as long an operation takes that starts at t.
func (s Slowdowns) FactorAt(t clock.Time) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].From <= t {
			return s[i].Factor
		}
	}
	return 1
}
