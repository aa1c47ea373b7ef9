//go:build mpi && mpich

package mpi_test

var mpirun = []string{"mpirun.mpich"}

// transports are what has mpirun use shared memory, as it does by itself, and TCP.
var transports = [][]string{{}, {"-genv", "UCX_TLS", "tcp,self"}}
