//go:build mpi && !mpich

package mpi_test

// mpirun starts more processes than there are processors, and as root, as tests may have to, and lets each of them have all processors.
var mpirun = []string{"mpirun.openmpi", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none"}

// transports are what has mpirun use shared memory, as it does by itself, and TCP.
var transports = [][]string{{}, {"--mca", "btl", "tcp,self", "--mca", "pml", "ob1"}}
