//go:build mpi && mpich

package mpi_test

var mpirun = []string{"mpirun.mpich"}
