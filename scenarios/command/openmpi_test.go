//go:build mpi && !mpich

package command

// mpirun starts more processes than there are processors, and as root, as tests may have to, and lets each of them have all processors.
var mpirun = []string{"mpirun.openmpi", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none"}

// mpirunHangs is what mpirun says when it hangs as it has killed processes that were just connecting to it.
const mpirunHangs = "PMIX ERROR: UNREACHABLE"

// endsJob is why a crash of a process is refused.
const endsJob = "mpirun ends all processes when one is killed; want mpirun --enable-recovery"
