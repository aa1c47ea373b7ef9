//go:build mpi && !mpich

package mpi

// Which library it is must not be said in a file that is compiled for both: what is in Go's build cache is found by the files it comes from.

// #cgo pkg-config: ompi
import "C"

const library = openMPI

// leavePatience: Open MPI's mpirun takes processes that end without MPI_Finalize for crashed, so all wait for it.
const leavePatience = 0
