//go:build mpi && mpich

package mpi

// MPICH's header says of arguments that may be left out that they may not.

// #cgo pkg-config: mpich
// #cgo CFLAGS: -Wno-stringop-overflow
import "C"

import "time"

const library = mpich

// leavePatience is how long MPI_Finalize may take: all that processes had to say has been received by then. Where MPICH 4.0 sends everything through UCX over TCP it may not return, in a
// program that does nothing else as well: two processes wait in the end for a third, which waits for them to close connections. Its mpirun does not
// mind a process that ends without.
const leavePatience = 5 * time.Second
