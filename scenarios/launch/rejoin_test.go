package launch_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// A fault at a place in the program strikes once. The send before which a rank fails has not been made, so it
// is the next one in its next life.
func TestARankThatHasComeBackDoesNotFailOfTheSameFault(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault     string
		processes int
	}{{"crash:2@before-send2", 4}, {"crash:2@before-send2", 2}, {"hang:2@send2", 4}} {
		line := "membership P=4 tick=1ms every=20 until=800 faults=" + c.fault + ",rejoin:2@t150"
		outcome := launched(t, line, launch.Options{Pace: tcp.Sends, Processes: c.processes}, func(o *scenarios.Outcome) error {
			return errors.Join(held(o), same("never fired", "none", o.Report.Unfired.String()), same("failed", 0, len(o.Report.Failed)))
		})
		assert.Len(t, outcome.Report.Rejoined, 1, line)
	}
}

// A process that is started again when all others have finished is waited for.
func TestARunIsNotOverWhileAProcessIsStartedAgain(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"crash:2@t20", "hang:2@t20"} {
		line := "membership P=4 tick=1ms every=20 until=150 faults=" + fault + ",rejoin:2@t300"
		outcome := launched(t, line, launch.Options{Pace: tcp.Sends}, func(o *scenarios.Outcome) error {
			return same("never fired", "none", o.Report.Unfired.String())
		})
		assert.Len(t, outcome.Report.Rejoined, 1, line)
		assert.Empty(t, outcome.Report.Failed, line)
	}
}

// Processes take much longer to fail and to start again than the schedule has time for here. What it puts at an
// instant happens nevertheless, late but in order.
func TestLateFailuresAndRejoinsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	for _, processes := range []int{4, 2} {
		line := "membership P=4 tick=100us every=200 until=3000 faults=crash:2@t20,rejoin:2@t21,crash:2@t22,rejoin:2@t23"
		outcome := launched(t, line, launch.Options{Pace: tcp.Sends, Processes: processes}, func(o *scenarios.Outcome) error {
			return same("never fired", "none", o.Report.Unfired.String())
		})
		assert.Len(t, outcome.Report.Rejoined, 2, line)
		assert.Empty(t, outcome.Report.Failed, line)
	}
}
