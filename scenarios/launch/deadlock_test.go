package launch_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
)

// Ranks that wait for each other are told of in the same words whether they are emulated or processes, and so
// are the reasons why others wait for them. The clock shows 0 all the time.
func TestADeadlockOfProcessesIsExplainedAsOnTheEmulator(t *testing.T) {
	t.Parallel()
	for line, first := range map[string]string{
		"circle P=4 tick=1000s":                       "rank 0 in Recv(any from 1) since t=0: ranks wait for each other: 0 -> 1 -> 2 -> 3 -> 0",
		"circle P=4 tick=1000s faults=crash:2":        "rank 0 in Recv(any from 1) since t=0: rank 2 crashed at t=0",
		"circle P=4 tick=1000s faults=hang:1":         "rank 0 in Recv(any from 1) since t=0: rank 1 hung at t=0",
		"circle P=4 tick=1000s faults=cut:0-1|2-3@t0": "rank 0 in Recv(any from 1) since t=0: ranks wait for each other: 0 -> 1 -> 2 -> 3 -> 0",
	} {
		run, err := registry().ParseLine(line)
		require.NoError(t, err, line)
		emulated, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err, line)
		require.Equal(t, first, emulated.Report.Deadlocks[0].String(), line)
		for _, processes := range []int{4, 2} {
			launched(t, line, launch.Options{Processes: processes}, func(o *scenarios.Outcome) error {
				assert.Equal(t, emulated.Report.Deadlocks, o.Report.Deadlocks, line)
				assert.Equal(t, emulated.Report.Ranks, o.Report.Ranks, line)
				return nil
			})
		}
	}
}
