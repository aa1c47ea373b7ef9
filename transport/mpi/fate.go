package mpi

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// Pause is how long a process that has failed is silent, as that may follow from what has happened to another one. That of a process that was
// killed is told at once, so that it comes first, or alone.
const Pause = 2 * time.Second

// Fate is how a process of a job has ended, as seen by another one on its host.
type Fate struct {
	Index, Count int // it was this one of so many
	Host         string
	Status       int            // it has exited with; 128 and the signal, as shells have it, if it was killed
	Signal       syscall.Signal // what has killed it; 0: nothing has
	// Unwatched says that not the process is gone but the one that watched it.
	Unwatched bool

	joined  bool // the job, before it ended
	orderly bool // there is nothing to tell: it had left the job, or was asked to end
}

// newFate is about the process of this host that has this number.
func newFate() Fate {
	count, _ := Launched()
	host, err := os.Hostname()
	if err != nil {
		host = "without a name"
	}
	return Fate{Index: index(), Count: count, Host: host}
}

// index is which process of its job this one is, before it has joined; below 0 if nobody says.
func index() int {
	for _, name := range []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"} {
		if i, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return i
		}
	}
	return -1
}

// String says who has ended, and how.
func (f Fate) String() string {
	who := fmt.Sprintf("process %d of %d on host %s", f.Index, f.Count, f.Host)
	switch {
	case f.Unwatched:
		return who + " was killed in part: the process that watched it is gone"
	case f.Signal == syscall.SIGKILL:
		return who + " is gone: killed, by somebody or because memory ran out"
	case f.Signal != 0:
		return fmt.Sprintf("%s is gone: %v", who, f.Signal)
	}
	return fmt.Sprintf("%s has ended alone, with exit status %d", who, f.Status)
}
