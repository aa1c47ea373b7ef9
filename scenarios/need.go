package scenarios

import (
	"unsafe"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/report"
)

// Memory is what an experiment takes of it besides what ranks of an ordinary protocol do, in bytes. It need not be exact: it is there for
// machines that do not fit to be refused.
type Memory struct {
	// PerRank is what a rank takes more, in the process that has it.
	PerRank int64
	// Everywhere is what each process has for every rank of the machine, wherever that is: a list of what ranks note, for example.
	Everywhere int64
}

// stateBytes is what a rank's State takes in the process that judges the run: on its way it has 56 bytes after an allreduce, 572 after a call of
// ulfm and 854 after a broadcast of a team. What a rank of a team has sorted, say, comes on top.
const stateBytes = 900

// Need is what the run takes of memory if it is executed with these options.
func (r *Run) Need(opts Options) emu.Need {
	c := r.config
	c.Trace = r.trace(opts.Trace)
	n := c.Need(r.Settings().Faults())
	n.PerRank += r.experiment.Memory.PerRank
	n.Everywhere += float64(r.experiment.Memory.Everywhere)
	if !r.apart() { // results and states of all come to the first process
		n.First += stateBytes + int64(unsafe.Sizeof(report.RankResult{}))
	}
	return n
}
