package tcp

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

// A process with several ranks lets those begin again that have failed; where each rank has a
// process of its own, whoever started that starts it again.

// armRejoins sees to it that ranks here begin again when the schedule says so.
func (n *Node) armRejoins(program protocols.Program) {
	if n.cfg.Signals {
		return
	}
	for _, f := range n.cfg.Faults {
		if f.Kind == faults.Rejoin && n.layout.Process(f.Rank) == n.cfg.Process {
			n.wake() // the process is not idle while a rank may come back
			n.at(f.At.Time, func() {
				n.rejoin(f, program)
				n.rest()
			})
		}
	}
}

// rejoin starts a rank again if it has failed before.
func (n *Node) rejoin(f faults.Fault, program protocols.Program) {
	old := n.local(f.Rank)
	if !old.failedBefore(f.At.Time) {
		return
	}
	n.mu.Lock() // so that the run does not end meanwhile; not before, as ranks that send may need it
	defer n.mu.Unlock()
	if n.isOver() {
		return
	}
	r := n.newRank(f.Rank, old.life+1, f.At.Time)
	counts := old.faults.soFar()
	n.ranks[f.Rank-n.layout.First(n.cfg.Process)].Store(r)
	old.box.close()
	n.detector.forget(f.Rank)
	n.wake()
	n.boss.tell(control{Awake: &awake{f.Rank, f.At.Time}})
	n.launch(r, counts, program)
}

// failedBefore reports whether the rank was down by then. That it has failed is final.
func (r *rank) failedBefore(t clock.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status.outcome.failed() && r.status.exit < t
}
