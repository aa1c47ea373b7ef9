package launch_test

// Who has stopped, and who is left when a launcher has been killed, is looked up in /proc.

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// awaitNamed waits until so many processes with a name run in some role.
func awaitNamed(t *testing.T, role string, count int) (all []seen) {
	t.Helper()
	require.Eventually(t, func() bool { all = named(t, role); return len(all) == count }, patience, 5*time.Millisecond,
		"want %d processes as %s", count, role)
	return all
}

// awaitStopped waits until one of the workers has stopped itself.
func awaitStopped(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(named(t, "worker"), func(s seen) bool { return s.state == "T" })
	}, patience, 5*time.Millisecond, "no worker stops")
}

func TestACancelledRunLeavesNoProcess(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	l := begin(t, ctx, "endless P=4 tick=5ms faults=hang:2@t2", launch.Options{Pace: tcp.Sends})
	awaitStopped(t)
	why := errors.New("enough")
	cancel(why)
	_, err := l.wait(t)
	require.ErrorIs(t, err, why)
	requireNoneLeft(t)
}

// A process that somebody kills is a rank that has failed, which the run goes on without. It does so until the
// test has killed one, however long that takes.
func TestAProcessKilledFromOutsideIsAFailedRank(t *testing.T) {
	l := begin(t, t.Context(), "mourns P=4 tick=10ms faults=hang:3", launch.Options{Pace: tcp.Sends, Record: true})
	awaitStopped(t) // it has begun
	all := named(t, "worker")
	victim := slices.IndexFunc(all, func(s seen) bool { return s.state != "T" })
	require.GreaterOrEqual(t, victim, 0, "no worker runs: %v", all)
	require.NoError(t, syscall.Kill(all[victim].pid, syscall.SIGKILL))
	outcome, err := l.wait(t)
	require.NoError(t, err)
	requireNoneLeft(t)
	require.Len(t, outcome.Report.Failed, 2)
	failed := outcome.Report.Failed[0]
	assert.Equal(t, report.Crashed, failed.Outcome)
	assert.Equal(t, report.Failure{Rank: 3, Outcome: report.Hung}, outcome.Report.Failed[1])
	require.Len(t, outcome.Notes, 2)
	assert.Equal(t, fmt.Sprintf("the events of rank %d were lost when somebody else ended their processes, so no promise is judged by events", failed.Rank), outcome.Notes[0])
	assert.Contains(t, outcome.Notes[1], fmt.Sprintf("rank %d: its process was killed or stopped by somebody else", failed.Rank))
	assert.Equal(t, 1, count(outcome, report.EventCrash, failed.Rank), "that it has crashed is known")
	assert.Equal(t, 1, count(outcome, report.EventHang, 3))
}

// alone starts a launcher that the test may kill.
func alone(t *testing.T, shell, line string) *exec.Cmd {
	t.Helper()
	args := append(self("launcher", label(t)), shell, line)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = t.Output()
	require.NoError(t, cmd.Start())
	return cmd
}

// Linux kills workers with their launcher, also those that have stopped themselves.
func TestAKilledLauncherLeavesNoProcess(t *testing.T) {
	cmd := alone(t, "", "endless P=4 tick=5ms faults=hang:2@t2")
	awaitStopped(t)
	require.Len(t, named(t, "worker"), 4)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	requireNoneNamed(t)
}

func TestALauncherThatIsToldToEndLeavesNoProcess(t *testing.T) {
	cmd := alone(t, "", "endless P=4 tick=5ms faults=hang:2@t2")
	awaitStopped(t)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.ErrorContains(t, cmd.Wait(), "exit status 1")
	require.Empty(t, named(t, "worker"), "they are gone before it is")
}
