//go:build mpi && mpich

package main

var mpirun = []string{"mpirun.mpich"}
