//go:build mpi

package main

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

// Processes of an MPI job say what one says alone, of lines of all protocols.
func TestProcessesOfAnMPIJobSayWhatOneSays(t *testing.T) {
	var lines []string
	for _, file := range []string{"hashes.golden", "madeup.golden"} {
		text, err := os.ReadFile("../../scenarios/catalog/testdata/" + file)
		require.NoError(t, err)
		for row := range strings.Lines(string(text)) {
			_, words, _ := strings.Cut(strings.TrimSpace(row), " ")
			lines = append(lines, words)
		}
	}
	wanted := 10
	if thorough.All() {
		wanted = 60
	}
	for i := range wanted {
		words := lines[i*len(lines)/wanted]
		alone := mangroveWith(t.Context(), catalog.All(), "run", words, "--json")
		for _, processes := range []int{2, 4} {
			together := underMPI(t, processes, "run", words, "--json")
			require.Equal(t, withoutCost(alone.stdout), withoutCost(together.stdout), "%d processes: %s\n%s", processes, words, together.stderr)
			require.Equal(t, alone.status, together.status, words)
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
