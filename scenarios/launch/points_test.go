package launch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// A tree without correction reaches exactly those whose messages were sent. So a process that is really
// killed or stopped before, in the middle of or after a send must leave out the same ranks as an emulated one:
// what was sent arrives even if its sender is killed the next moment, and half a message is none. Connections
// are open or not, encrypted or not.
func TestProcessesThatDieLoseWhatTheEmulatorSaysTheyLose(t *testing.T) {
	t.Parallel()
	const ranks, victim = 16, 1 // which sends to 3, 5 and 9
	for i, point := range []string{"before-send1", "send1", "after-send1", "before-send2", "send2", "after-send2", "send3", "after-send3", "recv1"} {
		for _, kind := range []string{"crash", "hang"} {
			line := fmt.Sprintf("broadcast correction=none P=%d tick=2ms faults=%s:%d@%s", ranks, kind, victim, point)
			run, err := catalog.ParseLine(line)
			require.NoError(t, err)
			emulated, err := run.Execute(t.Context(), scenarios.Options{})
			require.NoError(t, err)
			require.Len(t, emulated.Report.Failed, 1, line)
			o := launch.Options{Pace: tcp.Free, Eager: i%2 == 0, Encrypt: i%3 == 0}
			launched(t, line, o, func(o *scenarios.Outcome) error {
				return same("never reached", emulated.Report.Unreached, o.Report.Unreached)
			})
		}
	}
}
