package mpi

import (
	"os"
	"strconv"
)

// countVariables are set by those who start processes of an MPI job: Open MPI's mpirun; MPICH's, and srun with PMI-2; srun, whatever its
// processes have to do with each other. SLURM_PROCID and SLURM_NTASKS say nothing: scripts of sbatch have them, too.
var countVariables = []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", slurmCount}

const slurmCount = "SLURM_STEP_NUM_TASKS"

// Launched says how many processes the job has that this one was started in, and which variable tells; 0 if it was not started in a job.
func Launched() (processes int, variable string) {
	for _, name := range countVariables {
		n, err := strconv.Atoi(os.Getenv(name))
		if err != nil || n <= 0 || n == 1 && name == slurmCount && strangers() {
			continue
		}
		return n, name
	}
	return 0, ""
}

// strangers reports whether srun has started this process with nothing that would let it find others. MPI libraries differ in what they do
// then: MPICH takes it for alone, Open MPI ends it.
func strangers() bool { return os.Getenv("PMIX_RANK") == "" && os.Getenv("PMI_RANK") == "" }

// orAlone says how processes that srun has started without MPI can each run alone.
func orAlone(variable string) string {
	if variable != slurmCount || !strangers() {
		return ""
	}
	return "; if each is to run alone: env -u " + slurmCount + " before the command"
}
