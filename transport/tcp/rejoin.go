package tcp

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// A process with several ranks lets those begin again that have failed; where each rank has a
// process of its own, whoever started that starts it again.

// armRejoins sees to it that ranks here begin again when the schedule says so.
func (n *Node) armRejoins() {
	if n.cfg.Signals {
		return
	}
	due := make(map[int][]*faults.Fault)
	for _, f := range n.cfg.Faults.Rejoins() {
		if n.layout.process(f.Rank) == n.cfg.Process {
			due[f.Rank] = append(due[f.Rank], f)
		}
	}
	for _, ofRank := range due {
		n.activate() // the process is not idle while a rank may come back
		n.programs.Go(func() {
			defer n.deactivate()
			for _, f := range ofRank {
				if n.sleepUntil(f.At.Time) {
					n.rejoin(f)
				}
			}
		})
	}
}

// rejoin starts a rank again if it has failed before. What the schedule puts before the rejoin happens
// before it, even if both are late: timers that are due at once go off in any order.
func (n *Node) rejoin(f *faults.Fault) {
	old := n.local(f.Rank)
	since, failed := old.failedBefore(f.At.Time)
	if !failed {
		return
	}
	awakes := max(f.At.Time, since+1)
	order := old.orderOfLinks()
	n.mu.Lock() // so that the run does not end meanwhile; not before, as ranks that send may need it
	defer n.mu.Unlock()
	if n.isOver() {
		return
	}
	r := n.newRank(f.Rank, old.life+1, awakes)
	r.status.order = order
	r.recordIn(old.recording)
	r.recording.note(report.EventRejoin, awakes)
	tracker := n.cfg.follow(f.Rank, old.faults.history())
	tracker.Restart(f.At.Time)
	n.ranks[f.Rank-n.layout.first(n.cfg.Process)].Store(r)
	old.box.close()
	n.detector.forget(f.Rank)
	n.activate()
	n.coordinator.tell(control{Rejoined: &rejoined{report.Rejoin{Rank: f.Rank, Time: awakes}, f.At.Time}})
	n.launch(r, tracker, old)
}

// failedBefore reports whether the rank was down by an instant, and since when. What the clock was to
// stop it with before that does so now, if it has not yet. That a rank has failed is final.
func (r *rank) failedBefore(t clock.Time) (since clock.Time, failed bool) {
	if first := r.faults.firstFailure(); first != nil && first.At.Time < t {
		r.fail(first, r.node.now())
	}
	r.faults.with(func(tracker *faults.Tracker) { failed = tracker.FailedBefore(t) })
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status.exit, failed && r.status.outcome.Failed()
}

// orderOfLinks is what holds up the messages of a rank that has failed in its next life.
func (r *rank) orderOfLinks() linkOrder {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status.order
}
