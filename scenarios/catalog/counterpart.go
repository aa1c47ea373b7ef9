package catalog

import (
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Counterpart is the operation of an MPI library that does what a line does, as long as nobody fails.
type Counterpart struct {
	Operation string // as MPI calls it, without MPI_
	Root      int    // rank; 0 if it has none
	Bytes     int    // from rank to rank
}

// numberBytes is the size of what ranks send who have no more to say than a number: MPI libraries need not do anything about less than that.
const numberBytes = 8

// counterparts are those of protocols by their names. Others have none: MPI has no such operation.
var counterparts = map[string]func(line.Settings) Counterpart{
	"broadcast": ofBroadcast,
	"multitree": ofBroadcast,
	"gossip":    ofBroadcast,
	"big":       ofBroadcast,
	"bfb":       ofBroadcast,
	"reduce":    func(s line.Settings) Counterpart { return Counterpart{"Reduce", s.Int("root"), numberBytes} },
	"allreduce": func(line.Settings) Counterpart { return Counterpart{"Allreduce", 0, numberBytes} },
	"collective": func(s line.Settings) Counterpart {
		return Counterpart{collectiveCounterparts[s.Text("op")], s.Int("root"), numberBytes * s.Int("n")}
	},
}

// collectiveCounterparts are those of a team's operations. Blocks of different lengths have none, and neither has a barrier: in ours a rank comes late on
// purpose, and the others wait for it.
var collectiveCounterparts = map[string]string{
	"broadcast": "Bcast",
	"scatter":   "Scatter",
	"gather":    "Gather",
	"reduce":    "Reduce",
	"alltoall":  "Alltoall",
	"allgather": "Allgather",
	"allreduce": "Allreduce",
}

func ofBroadcast(s line.Settings) Counterpart {
	c := Counterpart{"Bcast", s.Int("root"), numberBytes}
	if _, sized := s.Lookup("bytes"); sized {
		c.Bytes = max(c.Bytes, s.Int("bytes"))
	}
	return c
}

// CounterpartOf is that of a line; false if it has none.
func CounterpartOf(run *scenarios.Run) (Counterpart, bool) {
	of, ok := counterparts[run.Protocol().Name]
	if !ok {
		return Counterpart{}, false
	}
	c := of(run.Settings())
	return c, c.Operation != ""
}
