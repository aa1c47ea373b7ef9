package emu

import (
	"runtime"
	"runtime/debug"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// start begins the program of a rank. A rank that a message started still has its clock
// at 0, where its program began to wait for that message.
func (w *worker) start(r *rank, received mailbox.List) {
	r.state = alive
	r.limit = w.m.end
	r.box.Open()
	r.box.Add(w.m.store, received)
	w.starting = append(w.starting, r.id)
	go w.starter()
}

// runNext is the goroutine of some rank of the batch. Which one does not matter, and a
// function that is the same for all ranks costs no allocation to start.
func (w *worker) runNext() {
	next := w.started.Add(1) - 1
	w.m.ranks[w.starting[next]].main()
}

// main runs the program.
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
