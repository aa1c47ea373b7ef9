//go:build mpi && !mpich

package main

// mpirun starts more processes than there are processors, and as root, as tests may have to.
var mpirun = []string{"mpirun.openmpi", "--oversubscribe", "--allow-run-as-root"}
