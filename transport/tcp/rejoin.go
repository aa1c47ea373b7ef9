package tcp

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// A process with several ranks lets those begin again that have failed; where each rank has a
// process of its own, whoever started that starts it again.

// armRejoins sees to it that ranks here begin again when the schedule says so.
func (n *Node) armRejoins(program protocols.Program) {
	if n.cfg.Signals {
		return
	}
	due := make(map[int][]faults.Fault)
	for _, f := range n.cfg.Faults {
		if f.Kind == faults.Rejoin && n.layout.process(f.Rank) == n.cfg.Process {
			due[f.Rank] = append(due[f.Rank], f)
		}
	}
	for _, ofRank := range due {
		slices.SortStableFunc(ofRank, func(a, b faults.Fault) int { return cmp.Compare(a.At.Time, b.At.Time) })
		n.activate() // the process is not idle while a rank may come back
		n.awaitRejoins(ofRank, program)
	}
}

// awaitRejoins lets a rank begin again at the instants of its rejoins, one after the other.
func (n *Node) awaitRejoins(due []faults.Fault, program protocols.Program) {
	if len(due) == 0 {
		n.deactivate()
		return
	}
	n.at(due[0].At.Time, func() {
		n.rejoin(due[0], program)
		n.awaitRejoins(due[1:], program)
	})
}

// rejoin starts a rank again if it has failed before. What the schedule puts before the rejoin happens
// before it, even if both are late: timers that are due at once go off in any order.
func (n *Node) rejoin(f faults.Fault, program protocols.Program) {
	old := n.local(f.Rank)
	old.failOfThePast(f.At.Time)
	failed, since := old.failedBefore(f.At.Time)
	if !failed {
		return
	}
	awakes := max(f.At.Time, since+1)
	n.mu.Lock() // so that the run does not end meanwhile; not before, as ranks that send may need it
	defer n.mu.Unlock()
	if n.isOver() {
		return
	}
	r := n.newRank(f.Rank, old.life+1, f.At.Time)
	r.from, r.now = awakes, awakes
	counts := old.faults.soFar()
	n.ranks[f.Rank-n.layout.first(n.cfg.Process)].Store(r)
	old.box.close()
	n.detector.forget(f.Rank)
	n.activate()
	n.coordinator.tell(control{Rejoined: &report.Rejoin{Rank: f.Rank, Time: awakes}})
	n.launch(r, counts, program)
}

// failOfThePast lets the failure strike that the schedule puts before an instant, if it has not yet.
func (r *rank) failOfThePast(before clock.Time) {
	first := r.stillborn
	if first == nil && r.faults != nil {
		first = r.faults.timed
	}
	if first != nil && first.At.Time < before {
		r.fail(first)
	}
}

// failedBefore reports whether the rank was down by an instant, or should have been, and since when it
// is. That it has failed is final.
func (r *rank) failedBefore(t clock.Time) (failed bool, since clock.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.status
	return s.outcome.Failed() && wasDue(s.fate.Fault, s.exit) < t, s.exit
}

// wasDue is when a failure should have happened that happened at some instant: it may be late, but
// not if it is tied to what a rank does.
func wasDue(f faults.Fault, happened clock.Time) clock.Time {
	if f.At.Anchor == faults.AtTime {
		return f.At.Time
	}
	return happened
}
