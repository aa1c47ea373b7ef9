//go:build mpi

package command

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/mpi"
)

func TestMPIJobIsCalibratedAndCompared(t *testing.T) {
	for _, processes := range []int{2, 4} {
		folder := t.TempDir()
		path, plot := filepath.Join(folder, "machine.toml"), filepath.Join(folder, "ratios.svg")
		r := underMPI(t, processes, append([]string{"calibrate", "--out", path, "--compare", "--plot", plot}, little...)...)
		require.Equal(t, statusHeld, r.status, r.stderr)
		file, err := line.ReadMachineFile(path)
		require.NoError(t, err)
		require.Contains(t, file.Comment, "mpirun -n ")
		require.Greater(t, int64(2*file.Overhead+file.Latency), int64(100), "a message takes longer than a hundred nanoseconds")
		require.Equal(t, 1, strings.Count(r.stdout, path+": tick=1ns L="))
		want := []string{"1  P=2 binomial"}
		if processes > 2 {
			want = append(want, "3  P=3 lame k=2, 4 KB")
		}
		require.Equal(t, want, tableOf(r.stdout), r.stdout)
		require.Contains(t, r.stdout, "Measured on an MPI job, "+mpi.Library()+".")
		require.Contains(t, contents(t, plot), "Broadcasts against the emulator: an MPI job, "+mpi.Library())
	}
}

func TestMPIJobSaysOnceWhatItDoesNotCalibrate(t *testing.T) {
	r := underMPI(t, 3, "calibrate", "-n", "4")
	require.Equal(t, statusInput, r.status)
	require.Equal(t, 1, strings.Count(r.stderr, "-n 4: the processes of this MPI job are calibrated, all 3 of them"), r.stderr)
	require.Empty(t, r.stdout)
}

// In a job of one process, those that are measured are started by it, and are no part of the job.
func TestMPIJobOfOneProcessStartsOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "machine.toml")
	r := underMPI(t, 1, append([]string{"calibrate", "-n", "3", "--out", path}, little...)...)
	require.Equal(t, statusHeld, r.status, r.stderr)
	require.Contains(t, contents(t, path), "# measured by: mangrove calibrate -n 3 ")
}
