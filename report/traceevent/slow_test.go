package traceevent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// A rank takes four times as long from t=4 on, and twice as long from t=20 on. Operations of one tick then take 4 and 2.
func TestWhenAReceiveOfASlowRankBegan(t *testing.T) {
	for name, c := range map[string]struct{ end, arrival, free, start, busy clock.Time }{
		"before it is slow":                  {end: 3, start: 2, busy: 3},
		"while it is slow":                   {end: 12, start: 8, busy: 12},
		"when it is less slow":               {end: 24, start: 22, busy: 24},
		"it may have begun earlier":          {end: 22, start: 18, busy: 22},
		"it had not arrived earlier":         {end: 22, arrival: 19, start: 20, busy: 22},
		"the port was not free earlier":      {end: 22, free: 20, start: 20, busy: 22},
		"it waited for those before it":      {end: 12, arrival: 9, start: 9, busy: 13},
		"at the latest, it began at its end": {end: 12, arrival: 14, start: 12, busy: 16},
	} {
		port := slowPort{slow: faults.Slowdowns{{From: 0, Factor: 1}, {From: 4, Factor: 4}, {From: 20, Factor: 2}}, free: c.free}
		require.Equal(t, c.start, port.receive(c.end, c.arrival, &clock.Costs{Overhead: 1, Receiving: 1}), name)
		require.Equal(t, c.busy, port.free, name)
	}
}
