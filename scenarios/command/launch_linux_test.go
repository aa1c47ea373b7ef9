package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// childrenOf are the states of the processes that a process has started, by their numbers. Who is left when
// that has ended is found by number.
func childrenOf(t *testing.T, parent int) map[int]string {
	t.Helper()
	all := make(map[int]string)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", parent))
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", parent))
	for _, task := range tasks { // any of its threads may have started one
		more, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", parent, task.Name()))
		text = append(append(text, ' '), more...)
	}
	require.NoError(t, err)
	for field := range strings.FieldsSeq(string(text)) {
		var pid int
		fmt.Sscan(field, &pid)
		if state := stateOf(pid); state != "" {
			all[pid] = state
		}
	}
	return all
}

// stateOf is a letter: T for a process that has stopped. Who is dead has none, even if nobody has asked for
// its status yet.
func stateOf(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	state := string(bytes.TrimSpace(stat[bytes.LastIndexByte(stat, ')')+1:])[:1])
	if state == "Z" || state == "X" {
		return ""
	}
	return state
}

// launcher starts mangrove launch on four processes that never end, of which one stops.
func launcher(t *testing.T) (cmd *exec.Cmd, stderr *bytes.Buffer, workers map[int]string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd, stderr = exec.Command(self, "launch", "-n", "4", "endless", "faults=hang:2@t2"), &bytes.Buffer{}
	cmd.Stderr = stderr
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		workers = childrenOf(t, cmd.Process.Pid)
		stopped := 0
		for _, state := range workers {
			stopped += strings.Count(state, "T")
		}
		return len(workers) == 4 && stopped == 1
	}, patience, 5*time.Millisecond)
	return cmd, stderr, workers
}

func TestAnInterruptedLaunchLeavesNoProcessAndExitsWith130(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd, stderr, workers := launcher(t)
		require.NoError(t, cmd.Process.Signal(signal))
		require.Error(t, cmd.Wait())
		assert.Equal(t, 130, cmd.ProcessState.ExitCode())
		assert.Equal(t, "mangrove: interrupted\n", stderr.String())
		for pid := range workers {
			assert.Empty(t, stateOf(pid))
		}
	}
}

func TestAKilledLaunchLeavesNoProcess(t *testing.T) {
	cmd, _, workers := launcher(t)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	for pid := range workers {
		assert.Eventually(t, func() bool { return stateOf(pid) == "" }, patience, time.Millisecond)
	}
}
