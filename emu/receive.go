package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// call is what a rank is doing when it parks, for diagnosis.
type call uint8

const (
	callNone call = iota
	callSend
	callRecv
	callRecvUntil
	callPoll
	callWait
	callStep
	callWatch
	callWatchNext
	callSuspects
	callKnown
	callLinger
	callWrite
	callSync
	callRead
	callReturn // its program has returned
)

func (c call) String() string {
	return [...]string{"nothing", "Send", "Recv", "RecvUntil", "Poll", "WaitUntil", "Step", "Watch", "WatchNext", "Suspects", "Known", "Linger", "Write", "Sync", "Read", "return"}[c]
}

// Recv waits for a message without limit.
func (r *rank) Recv(want mailbox.Want) (from int, m mailbox.Message) {
	return r.take(r.find(callRecv, want, clock.Never))
}

// RecvUntil waits for a message until t.
func (r *rank) RecvUntil(want mailbox.Want, t clock.Time) (from int, m mailbox.Message, ok bool) {
	prev, ref := r.find(callRecvUntil, want, t)
	if ref == 0 {
		return 0, m, false
	}
	from, m = r.take(prev, ref)
	return from, m, true
}

// Poll takes a message that is there already.
func (r *rank) Poll(want mailbox.Want) (from int, m mailbox.Message, ok bool) {
	prev, ref := r.find(callPoll, want, r.now)
	if ref == 0 {
		return 0, m, false
	}
	from, m = r.take(prev, ref)
	return from, m, true
}

// find waits for the first wanted message that is received by the deadline, and returns
// it and the one before it in the queue; or 0 at the deadline.
//
// Within its window a rank knows everything that will be received, so it can tell at
// once whether the next wanted message or the deadline comes first. What lies beyond the
// window it must park for.
func (r *rank) find(c call, want mailbox.Want, deadline clock.Time) (prev, ref cells.Ref) {
	for {
		prev, ref, received := r.queue.Find(r.m.store, want)
		t := max(r.now, min(received, deadline))
		if t >= r.limit || t >= r.stopAt {
			if r.mustPark(t, c) {
				r.park(t, c, want)
			}
			continue
		}
		if received > t {
			r.giveUp(t)
			if r.m.deciding {
				r.decide(report.EventPass, 0)
			}
			return 0, 0
		}
		if t > r.now {
			r.now, r.stalled = t, 0
		}
		return prev, ref
	}
}

// giveUp ends a receive without a message at t.
func (r *rank) giveUp(t clock.Time) {
	if t > r.now {
		r.now, r.stalled = t, 0
		return
	}
	r.stall()
}

// take removes a message from the mailbox for the program.
func (r *rank) take(prev, ref cells.Ref) (from int, m mailbox.Message) {
	if r.faulty {
		r.atReceive()
	}
	if r.m.tracing {
		r.recordTake(ref)
	}
	r.queue.Remove(r.m.store, prev, ref)
	from, m = r.m.store.Get(ref)
	r.recycle(ref)
	return from, m
}

// park hands the rank back to its worker until there is a reason to go on: the given
// instant, its scheduled end, or a message that want accepts.
//
// A parked goroutine should fit into the 2 KiB stack it was started with, of which Go
// leaves a program little more than half: hence few and small frames from Recv to here.
func (r *rank) park(t clock.Time, c call, want mailbox.Want) {
	r.call, r.want = c, want
	r.m.wakeAt[r.place()] = min(t, r.stopAt)
	r.m.locations[r.place()] = here()
	r.m.workers[r.worker].parked()
	received, until, ok := r.box.Await()
	r.limit = until
	r.queue.AppendList(r.m.store, received)
	if !ok {
		r.end()
	}
}
