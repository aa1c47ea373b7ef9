package tcp

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// rank is one rank of this process, and the Proc its program sees.
type rank struct {
	node *Node
	id   int
	life int
	from clock.Time // when this life began, which may be later than the schedule says
	box  *inbox
	rand *rand.Rand

	// What only its own goroutine touches.
	waited time.Duration // for its last message
	port   clock.SendPort
	now    clock.Time  // the last reading of its clock
	faults *rankFaults // nil if it has none

	recording *recording // nil if nobody has asked for it
	sending   sending    // guarded by mu; only if it is recorded
	storage   *storage   // nil: its program has not asked for it; written under mu

	late     lateness
	willFail atomic.Bool // at a time that has not come yet
	retired  bool        // it does not count among those who may do something; guarded by the inbox

	// stop is closed when the rank has to end, or wait for ever, because of a fault.
	stop chan struct{}
	// quiet is closed when its program does nothing any more, and a next life may begin.
	quiet    chan struct{}
	quietens sync.Once

	mu     sync.Mutex // held while a message is handed over, so that no rank ends in between
	status rankStatus
}

// rankStatus is what others may ask about a rank.
type rankStatus struct {
	// outcome is how the rank ends if nothing more happens: it waits for ever until it returns or fails.
	outcome  report.Outcome
	exit     clock.Time // when its program returned or it failed, or clock.Never
	sends    int64
	lastSend clock.Time
	lost     report.Losses // on their way
	order    linkOrder
}

var _ protocols.Proc = (*rank)(nil)

func (r *rank) Rank() int        { return r.id }
func (r *rank) Size() int        { return r.node.cfg.Ranks }
func (r *rank) Rand() *rand.Rand { return r.rand }

// Life is the number of this life, while it lasts.
func (r *rank) Life() int {
	r.alive()
	return r.life
}

// Now reads the clock of the process, on which a tick begins when it is full.
func (r *rank) Now() clock.Time {
	r.alive()
	return r.look()
}

// look reads the clock. It never goes back, even if the rank has been told that it was later:
// timers and clocks may differ by a little.
func (r *rank) look() clock.Time {
	r.now = max(r.now, r.node.now())
	return r.now
}

// alive ends the rank's goroutine if it has failed, or if the run is over.
func (r *rank) alive() {
	select {
	case <-r.stop:
		r.end()
	case <-r.node.over:
		runtime.Goexit()
	default:
	}
}

// end is that of a rank that has failed. One that hangs stays, without doing anything.
func (r *rank) end() {
	r.mu.Lock()
	hung := r.status.outcome == report.Hung
	r.mu.Unlock()
	if hung {
		r.retire()
		r.rest()
		<-r.node.over
	}
	runtime.Goexit()
}

// rest says that the rank's program does nothing any more.
func (r *rank) rest() { r.quietens.Do(func() { close(r.quiet) }) }

// retire says that the rank will do nothing more of its own accord.
func (r *rank) retire() {
	r.box.mu.Lock()
	defer r.box.mu.Unlock()
	if r.retired {
		return
	}
	r.retired = true
	if r.box.parked {
		r.box.parked = false
		return // it was idle already
	}
	r.node.deactivate()
}

// Step passes a named point.
func (r *rank) Step(name string) {
	r.alive()
	if r.recording != nil {
		r.recording.step(name, r.look())
	}
	r.faults.with(func(t *faults.Tracker) { t.Passed(name) })
	r.passPoint(faults.AtStep, name)
}

// WaitUntil lets time pass.
func (r *rank) WaitUntil(t clock.Time) {
	r.wait("WaitUntil", mailbox.None, t)
}

// Recv waits for a message.
func (r *rank) Recv(want mailbox.Want) (from int, m mailbox.Message) {
	l, _ := r.wait("Recv", want, clock.Never)
	return l.from, l.msg
}

// Linger waits for a message until the end of the run.
func (r *rank) Linger(want mailbox.Want) (from int, m mailbox.Message) {
	l, _ := r.wait(lingering, want, clock.Never)
	return l.from, l.msg
}

// lingering is the call in which a rank may be when the run is over.
const lingering = "Linger"

// RecvUntil waits for a message, but no longer than until t.
func (r *rank) RecvUntil(want mailbox.Want, t clock.Time) (from int, m mailbox.Message, ok bool) {
	l, ok := r.wait("RecvUntil", want, t)
	return l.from, l.msg, ok
}

// Poll takes a message that is there.
func (r *rank) Poll(want mailbox.Want) (from int, m mailbox.Message, ok bool) {
	return r.RecvUntil(want, r.look())
}
