//go:build !mpi

package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/mpi"
)

// A program without MPI runs alone, and says what to do if it does not.
func TestWithoutMPIAProcessIsAlone(t *testing.T) {
	forget(t)
	group, err := mpi.Join()
	require.NoError(t, err)
	require.Nil(t, group)

	t.Setenv("SLURM_STEP_NUM_TASKS", "1")
	t.Setenv("PMIX_RANK", "0")
	group, err = mpi.Join()
	require.NoError(t, err)
	require.Nil(t, group)

	const advice = `, but this program was built without MPI: build it with 'go build -tags mpi' for Open MPI, or with 'go build -tags "mpi mpich"' for MPICH`
	t.Setenv("SLURM_STEP_NUM_TASKS", "3")
	_, err = mpi.Join()
	require.EqualError(t, err, "one of 3 processes (SLURM_STEP_NUM_TASKS)"+advice)
	t.Setenv("PMIX_RANK", "")
	_, err = mpi.Join()
	require.EqualError(t, err, "one of 3 processes (SLURM_STEP_NUM_TASKS)"+advice+"; if each is to run alone: env -u SLURM_STEP_NUM_TASKS before the command")

	t.Setenv("PMI_SIZE", "4")
	_, err = mpi.Join()
	require.EqualError(t, err, "one of 4 processes (PMI_SIZE)"+advice)
}
