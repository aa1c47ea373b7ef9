package launch_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARunWithoutOneOfItsAgentsFails(t *testing.T) {
	l := begin(t, t.Context(), "endless P=4 tick=5ms faults=hang:2@t2", onHosts(t))
	awaitStopped(t)
	agents := awaitNamed(t, "agent", 2)
	require.NoError(t, syscall.Kill(agents[1].pid, syscall.SIGKILL))
	_, err := l.wait(t)
	require.ErrorContains(t, err, "launch: the agent on host ")
	require.ErrorContains(t, err, " has ended: signal: killed")
	requireNoneLeft(t)
}

func TestAKilledLauncherLeavesNothingOnHosts(t *testing.T) {
	cmd := alone(t, hereShell(t), "endless P=4 tick=5ms faults=hang:2@t2")
	awaitStopped(t)
	awaitNamed(t, "agent", 2)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	requireNoneNamed(t)
}

func TestACancelledRunLeavesNothingOnHosts(t *testing.T) {
	cmd := alone(t, hereShell(t), "endless P=4 tick=5ms faults=hang:2@t2")
	awaitStopped(t)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.ErrorContains(t, cmd.Wait(), "exit status 1")
	requireNoneNamed(t)
}
