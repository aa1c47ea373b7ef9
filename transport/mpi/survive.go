package mpi

import "os"

// recovery is how Open MPI's mpirun tells processes that it was started with --enable-recovery.
const recovery = "OMPI_MCA_orte_enable_recovery"

// Doomed says why this job does not survive it if one of its processes is killed; "" if the others go on.
func Doomed() string {
	if library != openMPI {
		return "MPICH ends all processes of a job when one is killed; want Open MPI and its mpirun --enable-recovery"
	}
	if !survives() {
		return "mpirun ends all processes when one is killed; want mpirun --enable-recovery"
	}
	return ""
}

// survives reports whether the launcher lets others go on when a process is killed.
func survives() bool {
	told := os.Getenv(recovery)
	return told != "" && told != "0"
}

// The libraries that a program can have been built for.
const (
	openMPI = "Open MPI"
	mpich   = "MPICH"
)

// Library is the name of the one that this program was built for; "" if there is none.
func Library() string { return library }

// GoOn has the process that watches this one be silent about its end: others go on without it, and tell.
func GoOn() { say(expendable) }

// Part ends what this process has to do with the job like [Leave], but without the others, some of which may be gone.
func Part() { say(goodbye) }
