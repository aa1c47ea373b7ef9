package tcp

import (
	"runtime"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// wait waits for a message that is wanted, but no longer than until t.
func (r *rank) wait(call string, want mailbox.Want, t clock.Time) (l letter, ok bool) {
	r.alive()
	since := clock.Never
	var began time.Time // to wait, if it does
	for {
		l, next, ok := r.find(call, want, t, &since)
		switch {
		case ok:
			if l.at > since { // it was waited for
				r.late.note(r.now - l.at)
			}
			if !began.IsZero() {
				r.waited = time.Since(began)
			}
			return r.handed(l), true
		case next == passed:
			return letter{}, false
		}
		if began.IsZero() {
			began = time.Now()
		}
		if want == mailbox.None || !r.watch(began, next) {
			r.sleep(next)
		}
	}
}

// passed is the instant that find returns if the rank must not wait any longer.
const passed clock.Time = -1

// find looks for a message that is wanted. If there is none it says until when to wait for one, and
// notes that the rank does so.
func (r *rank) find(call string, want mailbox.Want, t clock.Time, since *clock.Time) (l letter, next clock.Time, ok bool) {
	costs := r.receiving()
	r.box.mu.Lock()
	defer r.box.mu.Unlock()
	select {
	case <-r.box.signal: // what it tells of is looked at now
	default:
	}
	now := r.look() // only then: at one instant, every delivery comes before any action
	next = r.box.settle(now, &costs)
	if l, ok = r.box.take(want); ok {
		return l, next, true
	}
	if t <= now {
		return l, passed, false
	}
	next = min(next, t)
	*since = min(*since, now)
	r.park(call, want, *since, next == clock.Never)
	return l, next, false
}

// park notes that the rank waits. If nothing but a message will wake it, the process may be idle.
// A rank that will fail is waited for, unless it has nothing more to do than to answer.
func (r *rank) park(call string, want mailbox.Want, since clock.Time, forever bool) {
	r.box.waiting = waiting{call, want, since}
	if forever && (call == lingering || !r.willFail.Load()) {
		r.box.parked = true
		r.node.deactivate()
	}
}

// sleep waits for an instant, or until there is something to look at.
func (r *rank) sleep(until clock.Time) {
	select {
	case <-r.box.signal:
	case <-r.node.alarm(until):
		r.late.note(r.look() - until) // a clock that is steered may not be there yet
	case <-r.stop:
		r.end()
	case <-r.node.over:
		runtime.Goexit()
	}
}

// sleepUntilStart waits for the instant 0.
func (r *rank) sleepUntilStart() {
	for r.node.elapsed() < 0 {
		r.sleep(0)
	}
}

// handed is what happens to a message before the program gets it.
func (r *rank) handed(l letter) letter {
	if r.node.cfg.Pace != Model { // else its port has taken the time
		now := r.look()
		r.pause(now + r.node.costs.Overhead.Times(r.faults.factorAt(now)-1))
	}
	r.faults.with((*faults.Tracker).Received)
	r.passPoint(faults.AtRecv, "")
	r.recording.message(report.EventTake, r.now, l.from, &l.msg)
	return l
}
