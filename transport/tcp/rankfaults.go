package tcp

import (
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// rankFaults are the faults of one rank, nil if it has none. Its goroutine asks what happens where it is;
// timers stop it and others report about it.
type rankFaults struct {
	mu        sync.Mutex
	tracker   *faults.Tracker
	recording *recording // of the rank
}

// with uses the tracker alone, if there is one.
func (f *rankFaults) with(use func(t *faults.Tracker)) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	use(f.tracker)
}

// next returns what stops the rank at a point of its program, or nil. Slow-downs take effect at once.
func (f *rankFaults) next(at faults.Anchor, step string, now clock.Time) (stops *faults.Scheduled) {
	f.with(func(t *faults.Tracker) {
		for stops = t.Next(at, step, now); stops != nil && stops.Kind == faults.Slow; stops = t.Next(at, step, now) {
			t.Happens(stops, now)
			f.recording.slow(stops.Factor, now)
		}
	})
	return stops
}

// firstFailure is what the clock stops the rank with in its present life, or nil.
func (f *rankFaults) firstFailure() (first *faults.Scheduled) {
	f.with(func(t *faults.Tracker) { first = t.FirstFailure() })
	return first
}

// factorAt is how many times as long everything takes that starts at an instant.
func (f *rankFaults) factorAt(now clock.Time) int {
	factor := 1
	f.with(func(t *faults.Tracker) { factor = t.FactorAt(now) })
	return factor
}

// history is how far the rank has come; of one without faults nobody need know.
func (f *rankFaults) history() (h faults.History) {
	f.with(func(t *faults.Tracker) { h = t.History() })
	return h
}

// armFaults has the faults of a rank happen. One that is down from the start is so when it runs.
func (n *Node) armFaults(r *rank, tracker *faults.Tracker) {
	if tracker == nil {
		return
	}
	r.faults = &rankFaults{tracker: tracker, recording: r.recording}
	if first := r.faults.firstFailure(); first != nil && first.At.Time > 0 {
		r.willFail.Store(true)
		n.programs.Go(func() {
			if n.sleepUntil(first.At.Time) { // perhaps at once
				r.fail(first, n.now())
			}
		})
	}
}

// passPoint lets those faults happen that are tied to this point of the rank's program. It does not
// return if one of them stops the rank.
func (r *rank) passPoint(at faults.Anchor, step string) {
	now := r.look()
	if s := r.faults.next(at, step, now); s != nil {
		r.fail(s, now)
		r.end()
	}
}

// passMiddle is passPoint for the middle of a send that ends at some instant. A process that really
// dies leaves half of the message behind; if it has other ranks, their messages must not be spoilt.
func (r *rank) passMiddle(message *wire.Frame, end clock.Time) {
	if r.faults.next(faults.MidSend, "", r.look()) == nil {
		return
	}
	r.pause((r.now + end) / 2) // unless that has passed
	if r.node.cfg.Signals {
		r.node.held.handOver() // nothing can be written after half a message
		r.node.others[r.node.layout.process(message.To)].sendHalf(*message)
	}
	r.passPoint(faults.MidSend, "")
}

// failAtStart is about a rank that is down before anything runs.
func (r *rank) failAtStart() {
	if first := r.faults.firstFailure(); first != nil && first.At.Time == 0 {
		r.fail(first, first.At.Time)
		r.end()
	}
}

// fail ends the rank, or lets it hang. It comes back only if faults are not real.
func (r *rank) fail(s *faults.Scheduled, now clock.Time) {
	if r.markFailed(s, now) {
		close(r.stop)
	}
}

// markFailed notes that the rank fails and tells others, unless it has failed before or the run is over.
func (r *rank) markFailed(s *faults.Scheduled, now clock.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.node.isOver() || r.status.outcome.Failed() {
		return false
	}
	t := max(now, r.from)
	switch {
	case !s.ByClock():
	case s.At.Time == 0:
		t = 0 // it does nothing, whenever its process gets round to that
	default:
		t = max(t, s.At.Time)
	}
	r.faults.with(func(tracker *faults.Tracker) { tracker.Happens(s, t) })
	kind := report.EventCrash
	r.status.outcome, r.status.exit = report.Crashed, t
	if s.Kind == faults.Hang {
		kind, r.status.outcome = report.EventHang, report.Hung
	}
	if s.Kind == faults.Crash {
		r.box.close() // before it is told of: what it has not received by now, it never does
	}
	r.endSend(report.EventSendLost)
	r.storage.interrupt(t)
	r.recording.note(kind, t)
	r.storage.forget(s.Fault, t)
	r.node.rankFails(r, s)
	return true
}
