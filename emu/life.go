package emu

import (
	"runtime"
	"runtime/debug"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/report"
)

// start begins the program of a rank. A rank that a message started still has its clock
// at 0, where its program began to wait for that message.
func (w *worker) start(r *rank, received cells.List) {
	r.state = alive
	r.limit = w.m.end
	r.box.Open()
	r.queue = received
	if r.resting {
		r.resting = false
		r.box.HandOver(cells.List{}, w.m.end)
		return
	}
	go w.starter()
}

// listStarters lists the ranks of the batch that need a goroutine, in the order in which
// they get one.
func (w *worker) listStarters() {
	w.starting = w.starting[:0]
	w.started.Store(0)
	for _, id := range w.batch {
		if r := &w.m.ranks[id]; r.state == dormant && !r.resting {
			w.starting = append(w.starting, id)
		}
	}
}

// makeStarter makes the function that all goroutines of ranks run, so that starting one
// costs no allocation. Each finds out which rank it is by taking the next one of the list;
// which one it gets does not matter, and no more of them run than ranks were prepared.
//
// It runs the program, and rests until the next run if the machine is to be kept. Between
// runs the rank belongs to the machine, so the goroutine needs its own copy of the mailbox.
func (w *worker) makeStarter() func() {
	return func() {
		r := &w.m.ranks[w.starting[w.started.Add(1)-1]]
		box := r.box
		for r.run() {
			if _, _, ok := box.Await(); !ok {
				r.m.workers[r.worker].parked()
				return
			}
		}
	}
}

// run runs the program once and says whether to rest.
func (r *rank) run() (rest bool) {
	defer r.leave(&rest)
	r.m.program.Main(r)
	r.call = callReturn
	return
}

// exit ends the calling rank's goroutine. Unlike a panic, it cannot be recovered from
// in protocol code.
func exit() { runtime.Goexit() }

// end is the end of a rank whose run is over.
func (r *rank) end() {
	r.stopAt = gone
	if r.state == alive {
		r.state = ended
	}
	exit()
}

// leave runs when a program has ended in whatever way. After its last line the rank is no
// longer the goroutine's.
func (r *rank) leave(rest *bool) {
	m := r.m
	if p := recover(); p != nil {
		m.fail(&PanicError{Rank: int(r.id), Time: r.now, Value: p, Stack: debug.Stack()})
		r.state = ended
	} else if r.state == alive {
		r.finish()
	}
	*rest = m.keep.Load() && r.state == finished && r.call == callReturn
	r.resting = *rest
	m.locations[r.place()] = here()
	m.wakeAt[r.place()] = clock.Never
	m.workers[r.worker].parked()
}

// finish notes that the program has returned.
func (r *rank) finish() {
	if r.call != callReturn {
		r.m.fail(&PanicError{Rank: int(r.id), Time: r.now, Value: "the program ended its goroutine with runtime.Goexit", Stack: nil})
		r.state = ended
		return
	}
	if r.stopAt == unreceived {
		r.mayReceive(callRecv) // it returned without having received anything
	}
	if r.now >= r.stopAt && r.faulty {
		// It returned at the very instant of its scheduled end.
		r.markStopped(r.extra.faults.FirstFailure(), r.now)
		return
	}
	r.markFinished()
}

// markFinished notes that the rank has nothing more to do.
func (r *rank) markFinished() {
	r.state, r.stopAt = finished, gone
	if r.reserve.Used() { // others still need cells
		r.m.workers[r.worker].pool.GiveBack(r.reserve.Drain(r.m.store))
	}
	r.m.results[r.place()].Exit = r.now
	if r.faulty {
		r.detectEnd(r.now)
	}
	if r.m.tracing {
		r.record(report.EventExit, r.now, report.NoPeer, nil)
	}
}
