//go:build mpi && mpich

package main

var mpirun = []string{"mpirun.mpich"}

// mpirunHangs is empty: this one does not.
const mpirunHangs = ""
