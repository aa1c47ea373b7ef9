package tcp

import (
	"time"

	"github.com/mangrove-emu/mangrove/faults"
)

// lastFlush is how long a process that is about to fail waits for what it has sent to be taken.
const lastFlush = time.Second

// fell tells the coordinator that a rank here fails. If faults are real, so does this process:
// then it does not return from a crash, and from a hang only if somebody makes the process go on.
// The caller holds the lock of the rank, which therefore sends nothing meanwhile.
func (n *Node) fell(r *rank) {
	f := r.status.fate
	words := &lastWords{rankReport: r.report(r.box.span()), Fault: f.index, Process: n.cfg.Signals}
	if n.cfg.Signals {
		for _, l := range n.links {
			l.flush(lastFlush)
		}
	}
	words.Tallies = n.tallies()
	n.boss.tell(control{Words: words})
	if !n.cfg.Signals {
		return
	}
	n.boss.out.flush(lastFlush)
	if f.Kind == faults.Hang {
		stopSelf()
	} else {
		killSelf()
	}
}
