//go:build mpi && mpich

package command

var mpirun = []string{"mpirun.mpich"}

// mpirunHangs is empty: this one does not.
const mpirunHangs = ""

// endsJob is why a crash of a process is refused.
const endsJob = "MPICH ends all processes of a job when one is killed; want Open MPI and its mpirun --enable-recovery"
