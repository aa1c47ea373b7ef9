package clock

import (
	"math"
	"strconv"
)

// Time is an instant or a span of virtual time, in ticks.
type Time int64

// Never is later than every instant of a run.
const Never Time = math.MaxInt64

// Forever is the longest duration that sums and multiples are cut off at. A few of them can
// be added without overflow.
const Forever = Time(1) << 60

// Times is n times t, Forever at most. Neither may be negative.
func (t Time) Times(n int) Time {
	if t > 0 && Time(n) > Forever/t {
		return Forever
	}
	return Time(n) * t
}

// String prints ticks as a plain number, and Never as "never".
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	return strconv.FormatInt(int64(t), 10)
}
