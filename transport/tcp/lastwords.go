package tcp

import (
	"time"

	"github.com/mangrove-emu/mangrove/faults"
)

// lastWords are those of a rank that is about to fail.
type lastWords struct {
	rankReport
	Fault   int           // where in the schedule
	Process bool          // the whole process fails with it
	Tallies map[int]tally // what its process has sent to others
	// ClockError is by how much the clock of its process was wrong so far, at most.
	ClockError time.Duration `json:",omitempty"`
}

// rankFails tells the coordinator that a rank here fails. If faults are real, so does this process:
// then it does not return from a crash, and from a hang only if somebody makes the process go on.
// The caller holds the lock of the rank, which therefore sends nothing meanwhile.
func (n *Node) rankFails(r *rank, s *faults.Scheduled) {
	words := &lastWords{rankReport: r.report(), Fault: s.Place, Process: n.cfg.Signals, ClockError: n.clockError()}
	if n.cfg.Signals {
		n.held.handOver()
		for _, l := range n.others {
			l.flush(deliveryPatience)
		}
	}
	words.Tallies = n.status(0).Tallies
	if n.cfg.Signals {
		n.coordinator.deliverEvents() // they end with this process
	}
	n.coordinator.tell(control{LastWords: words})
	if !n.cfg.Signals {
		return
	}
	n.coordinator.out.flush(deliveryPatience)
	if s.Kind == faults.Hang {
		stopSelf()
	} else {
		killSelf()
	}
}
