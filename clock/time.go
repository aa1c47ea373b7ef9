package clock

import (
	"math"
	"strconv"
)

// Time is an instant or a span of virtual time, in ticks.
type Time int64

// Never is later than every instant of a run.
const Never Time = math.MaxInt64

// String prints ticks as a plain number, and Never as "never".
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	return strconv.FormatInt(int64(t), 10)
}
