package mpi

import (
	"os"
	"strconv"
)

// countVariables are set by those who start processes of an MPI job: Open MPI's mpirun; MPICH's, and srun with PMI-2; srun, whatever its
// processes have to do with each other.
var countVariables = []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}

// Launched says how many processes the job has that this one was started in, and which variable tells; 0 if it was not started in a job.
func Launched() (processes int, variable string) {
	for _, name := range countVariables {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
			return n, name
		}
	}
	return 0, ""
}
