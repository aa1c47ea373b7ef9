package statemachine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
)

func TestTicksAreDueOnceEach(t *testing.T) {
	runOn(t, 1, "none", func(p protocols.Proc) {
		p.WaitUntil(3)
		ticker := statemachine.NewTicker(p, 10)
		for _, step := range []struct {
			now, next clock.Time
			due       bool
		}{
			{12, 13, false},
			{13, 23, true},
			{13, 23, false},
			{23, 33, true},
			{55, 63, true}, // of three that are over
			{62, 63, false},
		} {
			require.Equal(t, step.due, ticker.Due(step.now), "at %d", step.now)
			require.Equal(t, step.next, ticker.Next(), "at %d", step.now)
		}
	})
}

func TestATickerMayNeverTick(t *testing.T) {
	runOn(t, 1, "none", func(p protocols.Proc) {
		ticker := statemachine.NewTicker(p, 0)
		require.Equal(t, clock.Never, ticker.Next())
		require.False(t, ticker.Due(clock.Never))
		require.Panics(t, func() { statemachine.NewTicker(p, -1) })
		require.Panics(t, func() { statemachine.NewTicker(p, clock.MaxCost+1) })
	})
}
