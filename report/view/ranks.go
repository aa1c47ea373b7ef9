package view

import (
	"fmt"
	"strconv"
	"strings"
)

// Range is the ranks from First to Last, both included.
type Range struct{ First, Last int }

const (
	// maxRanks is how many ranks are drawn at most.
	maxRanks = 1 << 14
	// wholeRanks is up to how many ranks are all drawn by default, someRanks how many of more.
	wholeRanks = 1 << 12
	someRanks  = 1 << 8
)

// DefaultRange is all ranks of a small machine, and the first ones of a large one.
func DefaultRange(ranks int) Range {
	if ranks <= wholeRanks {
		return Range{0, ranks - 1}
	}
	return Range{0, someRanks - 1}
}

// ParseRange reads a range such as "1000..1255" of a machine with so many ranks.
func ParseRange(text string, ranks int) (Range, error) {
	first, last, ok := strings.Cut(text, "..")
	low, errLow := strconv.ParseUint(first, 10, 31)
	high, errHigh := strconv.ParseUint(last, 10, 31)
	if !ok || errLow != nil || errHigh != nil {
		return Range{}, fmt.Errorf("%s: want two ranks of 0 to %d, such as 0..%d", text, ranks-1, DefaultRange(ranks).Last)
	}
	r := Range{int(low), int(high)}
	return r, r.check(ranks)
}

// String reads like "1000..1255".
func (r Range) String() string { return fmt.Sprintf("%d..%d", r.First, r.Last) }

// size is how many ranks are in the range.
func (r Range) size() int { return r.Last - r.First + 1 }

// has reports whether a rank is in the range.
func (r Range) has(rank int) bool { return r.First <= rank && rank <= r.Last }

// check says what is wrong with a range of so many ranks.
func (r Range) check(ranks int) error {
	switch {
	case r.First < 0 || r.First >= ranks || r.Last >= ranks:
		return fmt.Errorf("%s: want ranks of 0 to %d", r, ranks-1)
	case r.First > r.Last:
		return fmt.Errorf("%s: the first rank is above the last, want two ranks of 0 to %d in ascending order", r, ranks-1)
	case r.size() > maxRanks:
		return fmt.Errorf("%s: %d ranks, want up to %d of 0 to %d", r, r.size(), maxRanks, ranks-1)
	}
	return nil
}
