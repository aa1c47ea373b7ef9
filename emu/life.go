package emu

import (
	"runtime"
	"runtime/debug"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// main is the goroutine of a rank.
func (r *rank) main() {
	defer r.leave()
	r.m.program.Main(r)
	r.call = callReturn
}

// exit ends the calling rank's goroutine. Unlike a panic, it cannot be recovered from
// in protocol code.
func exit() { runtime.Goexit() }

// end is the end of a rank whose run is over.
func (r *rank) end() {
	r.state, r.stopAt = ended, gone
	exit()
}

// leave runs last on a rank's goroutine, however its program ended.
func (r *rank) leave() {
	m := r.m
	if p := recover(); p != nil {
		m.fail(&PanicError{Rank: int(r.id), Time: r.now, Value: p, Stack: debug.Stack()})
		r.state = ended
	} else if r.state == alive {
		r.finish()
	}
	r.discardQueue()
	m.wakeAt[r.id] = clock.Never
	m.workers[r.worker].parked()
}

// finish notes that the program has returned.
func (r *rank) finish() {
	if r.call != callReturn {
		r.m.fail(&PanicError{Rank: int(r.id), Time: r.now, Value: "the program ended its goroutine with runtime.Goexit", Stack: nil})
		r.state = ended
		return
	}
	if r.now >= r.stopAt && r.faulty {
		// It returned at the very instant of its scheduled end.
		r.markStopped(r.now)
		return
	}
	r.state, r.stopAt = finished, gone
	r.m.results[r.id].Exit = r.now
	if r.m.tracing {
		r.record(EventExit, r.now, noPeer, nil)
	}
}

// discardQueue frees the messages that nobody will read.
func (r *rank) discardQueue() {
	left := r.box.Drain()
	if left.First == 0 {
		return
	}
	s := r.m.store
	for ref := left.First; ref != 0; ref = s.Cell(ref).Next {
		s.Discard(ref)
	}
	r.m.workers[r.worker].shelf.Give(left.First, left.Last)
}

// start begins the rank's program. A rank that a message started still has its clock at
// 0, where its program began to wait for that message.
func (r *rank) start(limit clock.Time, received mailbox.List) {
	r.state = alive
	r.limit = limit
	r.box.Open()
	r.box.Add(r.m.store, received)
	go r.main()
}
