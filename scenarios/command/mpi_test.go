//go:build mpi

package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// underMPI starts this program as mangrove in an MPI job of so many processes.
func underMPI(t testing.TB, processes int, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), mpirun[0], append(append(mpirun[1:len(mpirun):len(mpirun)], "-n", fmt.Sprint(processes), os.Args[0]), args...)...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		require.NoError(t, err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// Processes of an MPI job say what one says alone, of lines with all that a run can have.
func TestProcessesOfAnMPIJobSayWhatOneSays(t *testing.T) {
	stride := 7
	if thorough.All() {
		stride = 1
	}
	for i := 0; i < len(jobLines); i += stride {
		args := jobArgs(jobLines[i])
		alone := mangroveWith(t.Context(), catalog.All(), args...)
		for _, processes := range []int{2, 4} {
			together := underMPI(t, processes, args...)
			require.Equal(t, withoutCost(alone.stdout), withoutCost(together.stdout), "%d processes: %s\n%s", processes, args, together.stderr)
			require.Equal(t, alone.status, together.status, args)
		}
	}
}

// What is wrong is said once, by the first process.
func TestAnMPIJobSaysOnceWhatIsWrong(t *testing.T) {
	r := underMPI(t, 3, "run", "broadcast", "P=0")
	require.Equal(t, statusInput, r.status)
	require.Equal(t, 1, strings.Count(r.stderr, `"P=0": want a number from 1 to`), r.stderr)
	r = underMPI(t, 3, "list")
	require.Equal(t, statusInput, r.status)
	require.Equal(t, 1, strings.Count(r.stderr, "would all do the same"), r.stderr)
}
