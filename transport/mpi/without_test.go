//go:build !mpi

package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/mpi"
)

// A program without MPI runs alone, and says what to do if it does not.
func TestWithoutMPIAProcessIsAlone(t *testing.T) {
	for _, variable := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"} {
		t.Setenv(variable, "")
	}
	n, _ := mpi.Launched()
	require.Zero(t, n)
	group, err := mpi.Join()
	require.NoError(t, err)
	require.Nil(t, group)

	t.Setenv("SLURM_STEP_NUM_TASKS", "1")
	n, variable := mpi.Launched()
	require.Equal(t, 1, n)
	require.Equal(t, "SLURM_STEP_NUM_TASKS", variable)
	group, err = mpi.Join()
	require.NoError(t, err)
	require.Nil(t, group)

	t.Setenv("PMI_SIZE", "4")
	_, err = mpi.Join()
	require.EqualError(t, err, `one of 4 processes (PMI_SIZE), but this program was built without MPI: build it with 'go build -tags mpi' for Open MPI, or with 'go build -tags "mpi mpich"' for MPICH`)
}
