package mpi

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// Mpirun is the command that starts so many processes of a job on this host, whatever their number, and which the words of a command follow. If they are apart, they send each other everything over TCP,
// though they could share memory.
func Mpirun(processes int, apart bool) ([]string, error) {
	words, ok := mpiruns[library]
	if !ok {
		return nil, errors.New("this program was built without MPI; want one that was built with -tags mpi")
	}
	path, err := exec.LookPath(words.name)
	if err != nil {
		if path, err = exec.LookPath("mpirun"); err != nil {
			return nil, fmt.Errorf("%s: neither %s nor mpirun is there", library, words.name)
		}
	}
	command := append([]string{path}, words.usual...)
	if os.Geteuid() == 0 {
		command = append(command, words.asRoot...)
	}
	if apart {
		command = append(command, words.apart...)
	}
	return append(command, "-n", fmt.Sprint(processes)), nil
}

// mpirunWords are how the mpirun of a library is told what we want.
type mpirunWords struct {
	name                 string // where several libraries are installed
	usual, asRoot, apart []string
}

var mpiruns = map[string]mpirunWords{
	openMPI: {
		name: "mpirun.openmpi", usual: []string{"--oversubscribe", "--bind-to", "none"}, asRoot: []string{"--allow-run-as-root"},
		apart: []string{"--mca", "pml", "ob1", "--mca", "btl", "tcp,self"},
	},
	mpich: {name: "mpirun.mpich", apart: []string{"-genv", "UCX_TLS", "tcp,self", "-genv", "MPIR_CVAR_NOLOCAL", "1"}},
}
