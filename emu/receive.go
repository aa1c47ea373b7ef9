package emu

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
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
	callReturn // its program has returned
)

func (c call) String() string {
	return [...]string{"nothing", "Send", "Recv", "RecvUntil", "Poll", "WaitUntil", "Step", "return"}[c]
}

// Recv waits for a message without limit.
func (r *rank) Recv(want mailbox.Want) mailbox.Message {
	msg, _ := r.receive(callRecv, want, clock.Never)
	return msg
}

// RecvUntil waits for a message until t.
func (r *rank) RecvUntil(want mailbox.Want, t clock.Time) (mailbox.Message, bool) {
	return r.receive(callRecvUntil, want, t)
}

// Poll takes a message that is there already.
func (r *rank) Poll(want mailbox.Want) (mailbox.Message, bool) {
	return r.receive(callPoll, want, r.now)
}

// receive returns the first wanted message that is received by the deadline.
//
// Within its window a rank knows everything that will be received, so it can tell at
// once whether the next wanted message or the deadline comes first. What lies beyond the
// window it must park for.
func (r *rank) receive(c call, want mailbox.Want, deadline clock.Time) (mailbox.Message, bool) {
	for {
		prev, ref, received := r.box.Find(r.m.store, want)
		t := max(r.now, min(received, deadline))
		if t >= r.limit || t >= r.stopAt {
			r.hold(t, c, want)
			continue
		}
		if received > t {
			r.giveUp(t)
			return mailbox.Message{}, false
		}
		if t > r.now {
			r.now, r.idle = t, 0
		}
		return r.take(prev, ref), true
	}
}

// giveUp ends a receive without a message at t.
func (r *rank) giveUp(t clock.Time) {
	if t > r.now {
		r.now, r.idle = t, 0
		return
	}
	r.spend()
}

// take removes a message from the mailbox for the program.
func (r *rank) take(prev, ref mailbox.Ref) mailbox.Message {
	r.takes++
	if r.faulty {
		r.strikeRecv()
	}
	s := r.m.store
	r.box.Remove(s, prev, ref)
	msg := s.Message(ref)
	if r.m.tracing {
		r.record(EventRecv, r.now, msg.From, s.Cell(ref))
	}
	r.recycle(ref)
	return msg
}

// park hands the rank back to its worker until there is a reason to go on: the given
// instant, or a message that want accepts.
func (r *rank) park(until clock.Time, c call, want mailbox.Want) {
	r.call, r.want = c, want
	r.m.wakeAt[r.id] = until
	r.m.workers[r.worker].parked()
	r.limit = r.box.Await(r.m.store)
	if r.limit <= 0 {
		r.end()
	}
}
