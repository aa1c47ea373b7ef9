package launch_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// cameBack says what is missing if so many failed ranks should have come back, and all faults have happened.
func cameBack(o *scenarios.Outcome, times int) error {
	return errors.Join(same("never fired", "none", o.Report.Unfired.String()), same("failed", 0, len(o.Report.Failed)),
		same("rejoined", times, len(o.Report.Rejoined)))
}

// A fault at a place in the program strikes once. The send before which a rank fails has not been made, so it
// is the next one in its next life.
func TestARankThatHasComeBackDoesNotFailOfTheSameFault(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault     string
		processes int
	}{{"crash:2@before-send2", 4}, {"crash:2@before-send2", 2}, {"hang:2@send2", 4}} {
		line := "membership P=4 tick=1ms every=20 until=800 faults=" + c.fault + ",rejoin:2@t150"
		launched(t, line, launch.Options{Pace: tcp.Sends, Processes: c.processes}, func(o *scenarios.Outcome) error {
			return errors.Join(held(o), cameBack(o, 1))
		})
	}
}

// A rank that is to come back has to fail first, and if it does not, its process is left alone.
func TestAProcessThatHasNotFailedIsNotStartedAgain(t *testing.T) {
	t.Parallel()
	line := "membership P=4 tick=1ms every=20 until=150 faults=crash:2@send9999,rejoin:2@t50"
	launched(t, line, launch.Options{Pace: tcp.Sends}, func(o *scenarios.Outcome) error {
		return errors.Join(same("never fired", "crash:2@send9999,rejoin:2@t50", o.Report.Unfired.String()), same("failed", 0, len(o.Report.Failed)),
			same("rejoined", 0, len(o.Report.Rejoined)))
	})
}

// A process that is started again when all others have finished is waited for.
func TestARunIsNotOverWhileAProcessIsStartedAgain(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"crash:2@t20", "hang:2@t20"} {
		line := "membership P=4 tick=1ms every=20 until=150 faults=" + fault + ",rejoin:2@t300"
		launched(t, line, launch.Options{Pace: tcp.Sends}, func(o *scenarios.Outcome) error { return cameBack(o, 1) })
	}
}

// Processes take much longer to fail and to start again than the schedule has time for here. What it puts at an
// instant happens nevertheless, late but in order.
func TestLateFailuresAndRejoinsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	for _, processes := range []int{4, 2} {
		line := "membership P=4 tick=100us every=200 until=3000 faults=crash:2@t20,rejoin:2@t21,crash:2@t22,rejoin:2@t23"
		launched(t, line, launch.Options{Pace: tcp.Sends, Processes: processes}, func(o *scenarios.Outcome) error { return cameBack(o, 2) })
	}
}

// A process that ends before it has joined again is waited for no more.
func TestAProcessThatEndsWhenItIsStartedAgainStaysAway(t *testing.T) {
	t.Parallel()
	run, err := registry().ParseLine("membership P=4 tick=1ms every=20 until=150 faults=crash:2@t20,rejoin:2@t100")
	require.NoError(t, err)
	o := launch.Options{Pace: tcp.Sends, Command: self("once", label(t)), Stderr: t.Output(), Timeout: patience, Patience: time.Second}
	outcome, err := launch.Launch(t.Context(), run, o)
	require.NoError(t, err)
	requireNoneNamed(t)
	require.Len(t, outcome.Report.Failed, 1)
	require.Equal(t, report.Crashed, outcome.Report.Ranks[2].Outcome)
	require.Empty(t, outcome.Report.Rejoined)
}
