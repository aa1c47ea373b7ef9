//go:build mpi

package mpi

import (
	"hash/fnv"
	"io/fs"
	"strings"
)

// Processes that look for messages all the time must let others have the processor, if there are more of them than processors. To yield is enough
// if the scheduler sees all as one. But Linux shares a processor among groups of processes, and who yields does so for its own group only: other groups
// wait for a millisecond or more, until it has had its share. MPICH's mpirun begins a session for each process, each of which is such a group. What
// lets others go on in any case is to sleep.

// crowd is what the processes of this job have on this host.
type crowd struct {
	processes, processors int
	apart                 bool // the scheduler does not see all processes as one
	yields                bool // the library yields by itself, as Open MPI does in a crowd
}

// is reports whether processes must take turns.
func (c crowd) is() bool { return c.processes > c.processors }

// eager reports whether to look a few times before others are let have the processor.
func (c crowd) eager() bool { return !c.is() || c.yields && !c.apart }

// turn is how long a process naps to let others have the processor, in microseconds; 0 if to yield is enough. The more there are, the longer, so
// that looking in vain takes no more of a processor with many than with few.
func (c crowd) turn() int {
	if !c.is() || !c.apart {
		return 0
	}
	return shortNap * c.processes / c.processors
}

// shortNap is about four times what it takes to fall asleep, wake and look.
const shortNap = 20

// share is a number for the processes that the scheduler sees as one, this one among them: those of a control group, and, where Linux
// makes groups of sessions, of a session.
func share(proc fs.FS) int64 {
	names := []string{"self/cgroup"}
	if enabled, err := fs.ReadFile(proc, "sys/kernel/sched_autogroup_enabled"); err == nil && strings.TrimSpace(string(enabled)) == "1" {
		names = append(names, "self/autogroup")
	}
	h := fnv.New64a()
	for _, name := range names {
		text, _ := fs.ReadFile(proc, name) // nothing, where there is nothing of the kind
		h.Write(text)
	}
	return int64(h.Sum64() >> 1)
}
