package tcp

import (
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/clock"
)

// lateness is how far a rank was behind the model at most, in ticks: messages were under way for more
// than L, or the rank went on later than it could have because its machine had other things to do.
// Deadlines that protocols reckon with may be missed then, which is not their fault.
type lateness struct{ ticks atomic.Int64 }

// note is about one more thing that happened so many ticks too late, if that is more than 0.
func (l *lateness) note(by clock.Time) {
	for most := l.ticks.Load(); int64(by) > most; most = l.ticks.Load() {
		if l.ticks.CompareAndSwap(most, int64(by)) {
			return
		}
	}
}

func (l *lateness) most() clock.Time { return clock.Time(l.ticks.Load()) }
