package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/mpi"
)

// forget lets this process not be in a job.
func forget(t *testing.T) {
	for _, variable := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"} {
		t.Setenv(variable, "")
	}
}

// Environments as they were found under each of those who start processes.
func TestProcessesKnowWhoHasStartedThem(t *testing.T) {
	for name, c := range map[string]struct {
		environment map[string]string
		processes   int
		variable    string
	}{
		"nobody":            {nil, 0, ""},
		"mpirun.openmpi":    {map[string]string{"OMPI_COMM_WORLD_SIZE": "2", "PMIX_RANK": "0"}, 2, "OMPI_COMM_WORLD_SIZE"},
		"mpirun.mpich":      {map[string]string{"PMI_SIZE": "2", "PMI_RANK": "0"}, 2, "PMI_SIZE"},
		"srun --mpi=pmix":   {map[string]string{"SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": "1", "PMIX_RANK": "1"}, 2, "SLURM_STEP_NUM_TASKS"},
		"srun --mpi=pmi2":   {map[string]string{"SLURM_STEP_NUM_TASKS": "2", "PMI_SIZE": "2", "PMI_RANK": "1"}, 2, "PMI_SIZE"},
		"srun --mpi=none":   {map[string]string{"SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": "1"}, 2, "SLURM_STEP_NUM_TASKS"},
		"srun -n 1":         {map[string]string{"SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"}, 0, ""},
		"srun -n 1, pmix":   {map[string]string{"SLURM_STEP_NUM_TASKS": "1", "PMIX_RANK": "0"}, 1, "SLURM_STEP_NUM_TASKS"},
		"a script's shell":  {map[string]string{"SLURM_NTASKS": "2", "SLURM_NPROCS": "2", "SLURM_PROCID": "0"}, 0, ""},
		"no number":         {map[string]string{"PMI_SIZE": "many"}, 0, ""},
		"mpirun under srun": {map[string]string{"SLURM_STEP_NUM_TASKS": "1", "OMPI_COMM_WORLD_SIZE": "4"}, 4, "OMPI_COMM_WORLD_SIZE"},
	} {
		t.Run(name, func(t *testing.T) {
			forget(t)
			for variable, value := range c.environment {
				t.Setenv(variable, value)
			}
			processes, variable := mpi.Launched()
			require.Equal(t, c.processes, processes)
			require.Equal(t, c.variable, variable)
		})
	}
}
