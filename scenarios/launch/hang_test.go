package launch_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// hangRow is a row of the table of docs/processes.md about hangs.
var hangRow = regexp.MustCompile("(?m)^\\| `(\\S+ P=4 .*faults=(?:hang|crash):3)` \\| .* \\| (.*) \\| (\\d) \\|$")

// statuses are the exit statuses of verdicts, as docs/guarantees.md has them.
var statuses = map[guarantee.Value]string{guarantee.Held: "0", guarantee.Broken: "1", guarantee.NotClaimed: "3"}

// What a hang is to others is the same on the emulator, on a process for each rank and on several ranks in a process, and what the documentation says.
func TestAHangIsTheSameToOthersOnBothMachines(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/processes.md")
	require.NoError(t, err)
	rows := hangRow.FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, 10)
	for _, row := range rows {
		line, waiting, status := row[1]+" tick=5ms", row[2], row[3]
		t.Run(row[1], func(t *testing.T) {
			t.Parallel()
			asDocumented := func(o *scenarios.Outcome) error {
				return errors.Join(same("waiting", waiting, waitingIn(o)), same("status", status, statuses[o.Verdict()]), same("failed", 1, len(o.Report.Failed)))
			}
			run, err := registry().ParseLine(line)
			require.NoError(t, err)
			emulated, err := run.Execute(t.Context(), scenarios.Options{})
			require.NoError(t, err)
			require.NoError(t, asDocumented(emulated))
			for _, processes := range []int{4, 2} {
				launched(t, line, launch.Options{Processes: processes, Pace: tcp.Sends, Eager: true}, asDocumented)
			}
		})
	}
}

// waitingIn lists who waits for ever.
func waitingIn(o *scenarios.Outcome) string {
	var all []string
	for _, d := range o.Report.Deadlocks {
		all = append(all, fmt.Sprint(d.Rank))
	}
	if len(all) == 0 {
		return "nobody"
	}
	return strings.Join(all, ", ")
}
